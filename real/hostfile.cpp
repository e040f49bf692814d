#include "real/hostfile.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace pslab::real {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kMostNamed = 8;
constexpr const char* kFormat = "allowed is one host name per line, with slots=N after it or not";

struct Host {
  std::string name;
  std::size_t line;
};

std::string place(const std::string& path, std::size_t line) {
  return fmt::format("cluster.hostfile: {}:{}", path, line);
}

bool is_count(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

void check_word(const std::string& word, const std::string& where) {
  for (const std::string_view name : {"slots=", "max_slots=", "max-slots="}) {
    if (!word.starts_with(name)) continue;
    if (is_count(std::string_view(word).substr(name.size()))) return;
    fail_input("{}: '{}' is no number of slots; {}", where, printable(word), kFormat);
  }
  fail_input("{}: '{}' is not understood; {}", where, printable(word), kFormat);
}

void check_name(const std::string& name, const std::string& where) {
  const bool right = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-:@").find(c) != std::string_view::npos;
  });
  if (!right) {
    fail_input("{}: '{}' is no host name; {}", where, printable(name.substr(0, 100)), kFormat);
  }
}

bool is_this_machine(const std::string& name) {
  std::array<char, 256> own{};
  ::gethostname(own.data(), own.size() - 1);
  return name == "localhost" || name == "127.0.0.1" || name == "::1" || name == own.data();
}

std::vector<Host> read_hosts(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    fail_input("cluster.hostfile: cannot open {}: {}", path, open_failure(path, ENOENT));
  }
  if (!fs::is_regular_file(status)) {
    fail_input("cluster.hostfile: {} is no regular file; give a text file: {}", path, kFormat);
  }
  std::ifstream file(path);
  if (!file) fail_input("cluster.hostfile: cannot open {}: {}", path, open_failure(path, errno));
  std::vector<Host> hosts;
  std::string text;
  bool this_machine = false;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    const std::string where = place(path, line);
    if (text.size() > kLongestLine) {
      fail_input("{}: the line has {} bytes; {}", where, text.size(), kFormat);
    }
    std::istringstream words(text.substr(0, text.find('#')));
    std::string name;
    if (!(words >> name)) continue;
    check_name(name, where);
    for (std::string word; words >> word;) check_word(word, where);
    if (is_this_machine(name)) {
      if (this_machine) continue;
      this_machine = true;
    }
    if (std::ranges::find(hosts, name, &Host::name) == hosts.end()) hosts.push_back({name, line});
  }
  return hosts;
}

/// Whether ssh may know more of machines than their names' addresses.
bool has_ssh_names() {
  for (const char* variable : {"OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_rsh_agent"}) {
    if (std::getenv(variable) != nullptr) return true;
  }
  const char* home = std::getenv("HOME");
  std::error_code ignored;
  return home != nullptr && fs::exists(fs::path(home) / ".ssh" / "config", ignored);
}

void check_known(const Host& host, const std::string& path) {
  const std::string name = host.name.substr(host.name.find('@') + 1);
  addrinfo* found = nullptr;
  const int result = ::getaddrinfo(name.c_str(), nullptr, nullptr, &found);
  if (result != 0) {
    fail_input(
        "{}: host '{}' is not known to this machine: {}. Correct the name, or add it to "
        "/etc/hosts or ~/.ssh/config",
        place(path, host.line), host.name, ::gai_strerror(result));
  }
  ::freeaddrinfo(found);
}

}  // namespace

void check_hostfile(const std::string& path, unsigned nodes) {
  const std::vector<Host> hosts = read_hosts(path);
  if (hosts.size() < nodes) {
    std::vector<std::string> names;
    for (const Host& host : hosts) names.push_back(host.name);
    const bool more = names.size() > kMostNamed;
    names.resize(std::min(names.size(), kMostNamed));
    fail_input(
        "cluster.hostfile: {} names {}{}{}{}, but cluster.nodes={} needs as many: each gets one "
        "process, whatever its slots. Add hosts, or lower cluster.nodes",
        path, counted(hosts.size(), "host"), names.empty() ? "" : ": ", join(names, ", "),
        more ? ", ..." : "", nodes);
  }
  if (has_ssh_names()) return;
  for (const Host& host : hosts) check_known(host, path);
}

}  // namespace pslab::real
