// Turning complex numbers by angles: RotatE. Entities are n floats, the n / 2 real parts first;
// relations are n / 2 angles in radians. For what each function is: Model in models.hpp.
#pragma once

#include <cstddef>

namespace pslab::kge {

/// Turns the subject, for the object.
void rotate_forth(const float* subject, const float* angles, float* query, std::size_t n);
void rotate_forth_back(const float* subject, const float* angles, const float* query_gradient,
                       float* subject_gradient, float* angle_gradient, std::size_t n);

/// Turns the object back, for the subject.
void rotate_back(const float* object, const float* angles, float* query, std::size_t n);
void rotate_back_back(const float* object, const float* angles, const float* query_gradient,
                      float* object_gradient, float* angle_gradient, std::size_t n);

}  // namespace pslab::kge
