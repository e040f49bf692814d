// Options of the synthetic workload from YAML.
#pragma once

#include <string>

#include "config/yaml.hpp"
#include "workloads/synthetic/options.hpp"

namespace pslab::test {

inline synthetic::Options synthetic_options(const std::string& yaml) {
  const config::Value given = config::parse_yaml(yaml, "test");
  config::Options options(&given, "workload");
  const synthetic::Options read(options);
  options.finish();
  return read;
}

}  // namespace pslab::test
