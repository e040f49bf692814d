// Tables of names with a line about each.
#pragma once

#include <string>

namespace pslab::cli {

std::string dataset_list();
std::string platform_list(const std::string& root);
std::string config_list(const std::string& root);
/// Plug-ins of a kind of plugins.hpp.
std::string plugin_list(const std::string& kind);

}  // namespace pslab::cli
