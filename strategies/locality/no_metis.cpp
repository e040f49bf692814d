// In place of metis.cpp where METIS is not installed.

#include "strategies/locality/partitioner.hpp"

namespace pslab::locality {

std::unique_ptr<Partitioner> make_metis() {
  return nullptr;
}

}  // namespace pslab::locality
