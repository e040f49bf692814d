// SHA-256 (FIPS 180-4), to check fetched data sets.
#pragma once

#include <string>
#include <string_view>

namespace pslab::data {

/// 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// Of a file's contents. InputError with the system's reason if it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace pslab::data
