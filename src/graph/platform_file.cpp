#include "graph/platform_file.hpp"

#include <charconv>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "base/error.hpp"
#include "config/options.hpp"
#include "graph/quantity.hpp"

namespace pslab::graph {
namespace {

using config::Options;
using config::Value;

constexpr std::int64_t kMaxCount = 1'000'000;
constexpr double kMinBandwidth = 1.0;
constexpr double kMaxBandwidth = 1e15;
constexpr double kMaxLatency = 100.0;
constexpr double kMaxCost = 1.0;

/// Replaces numbers under `names` by their text, in a map or in each map of a list. A quantity
/// without its unit, and a host count, are then texts like all others, and get the error that
/// explains units.
void numbers_to_text(Value* section, std::initializer_list<std::string_view> names) {
  if (section == nullptr) return;
  if (config::List* list = section->list()) {
    for (Value& element : *list) numbers_to_text(&element, names);
    return;
  }
  for (const std::string_view name : names) {
    Value* value = section->find(name);
    if (value == nullptr || (value->integer() == nullptr && value->real() == nullptr)) continue;
    *value = Value(value->flow(), value->origin());
  }
}

Value with_text_quantities(const Value& file) {
  Value copy = file;
  numbers_to_text(copy.find("hosts"), {"count"});
  numbers_to_text(copy.find("links"), {"bandwidth", "latency"});
  numbers_to_text(copy.find("loopback"), {"bandwidth", "latency"});
  numbers_to_text(copy.find("costs"), {"step", "flop", "local_access", "local_byte", "send_message",
                                       "receive_message", "message_byte", "message_key"});
  return copy;
}

/// Lists are read through Options::each, which hands out no places; this keeps the place of each
/// entry.
class Entries {
 public:
  Entries(const Value& file, std::string_view section) : section_(section) {
    const Value* value = file.find(section);
    list_ = value == nullptr ? nullptr : value->list();
  }

  void advance() { ++next_; }

  /// Of the current entry's member `key`, or of the entry if it has none.
  Place place(std::string_view key = "") const {
    const Value& entry = list_->at(next_ - 1);
    const Value* member = key.empty() ? nullptr : entry.find(key);
    const config::Origin& origin = member == nullptr ? entry.origin() : member->origin();
    return fmt::format("{}: {}[{}]{}{}", origin.text(), section_, next_ - 1, key.empty() ? "" : ".",
                       key);
  }

 private:
  std::string_view section_;
  const config::List* list_ = nullptr;
  std::size_t next_ = 0;
};

double quantity(Options& options, std::string_view name, const std::string& text,
                Dimension dimension, double min, double max) {
  Quantity result = parse_quantity(text, dimension, min, max);
  if (!result.problem.empty()) options.reject(name, result.problem);
  return result.value;
}

void check_name(Options& options, const std::string& name, const Place& place) {
  if (!options.given("name")) {
    fail_input("{}: has no name. Give it one, such as `name: node`", place);
  }
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name.empty() || name.find_first_not_of(kAllowed) != std::string::npos) {
    options.reject("name", "expected letters, digits, '-' and '_'");
  }
}

HostGroup read_host(Options& options, const Entries& entries) {
  HostGroup host;
  host.name = options.text("name", "", "name of the host, or of the group if there is a count");
  const std::string count = options.text("count", "", "number of hosts, or 'rest'");
  host.speed = options.real("speed", 1.0, 0.001, 1000.0, "",
                            "1: costs as in the table; 2: half of them; 0.5: a slow host");
  options.finish();
  check_name(options, host.name, entries.place());
  host.place = entries.place("name");
  if (!options.given("count")) return host;
  host.numbered = true;
  host.rest = count == "rest";
  if (host.rest) return host;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), number);
  if (error != std::errc{} || end != count.data() + count.size() || number < 1 ||
      number > kMaxCount) {
    options.reject("count", fmt::format("expected 1 .. {}, or 'rest' for all nodes of the run that "
                                        "no other entry takes",
                                        kMaxCount));
  }
  host.count = static_cast<std::uint32_t>(number);
  return host;
}

SwitchGroup read_switch(Options& options, const Entries& entries) {
  SwitchGroup group;
  group.name = options.text("name", "", "name of the switch, or of the group");
  const std::int64_t count = options.integer("count", 1, 1, kMaxCount, "", "number of switches");
  const std::int64_t per_switch =
      options.integer("nodes_per_switch", 1, 1, kMaxCount, "nodes",
                      "one switch for every so many nodes of the run, instead of a count");
  options.finish();
  check_name(options, group.name, entries.place());
  group.place = entries.place("name");
  const bool by_nodes = options.given("nodes_per_switch");
  if (by_nodes && options.given("count")) {
    options.reject("nodes_per_switch", "give this or count, not both");
  }
  group.numbered = by_nodes || options.given("count");
  group.count = static_cast<std::uint32_t>(count);
  group.nodes_per_switch = by_nodes ? static_cast<std::uint32_t>(per_switch) : 0;
  return group;
}

Spread spread_of(const std::string& name) {
  if (name == "round_robin") return Spread::kRoundRobin;
  return name == "all" ? Spread::kAll : Spread::kBlocks;
}

LinkGroup read_link(Options& options, const Entries& entries) {
  LinkGroup link;
  link.from = options.text("from", "", "host, switch or group");
  link.to = options.text("to", "", "host, switch or group; for a host's uplink, the switch");
  const std::string spread = options.choice("spread", "blocks", {"blocks", "round_robin", "all"},
                                            "which member of `to` a member of `from` is linked to");
  const std::string bandwidth = options.text("bandwidth", "", "per direction, such as 1.17 GB/s");
  const double factor = options.real("oversubscription", 1.0, 0.001, 1e6, "",
                                     "bandwidth of the links below over that of these, instead of "
                                     "a bandwidth");
  const std::string latency = options.text("latency", "", "one way, such as 5 us");
  options.finish();
  for (const std::string_view needed : {"from", "to", "latency"}) {
    if (options.given(needed)) continue;
    fail_input("{}: has no {}. A link needs from, to, latency, and bandwidth or oversubscription",
               entries.place(), needed);
  }
  const bool by_factor = options.given("oversubscription");
  if (by_factor && options.given("bandwidth")) {
    options.reject("oversubscription", "give this or bandwidth, not both");
  }
  if (!by_factor && !options.given("bandwidth")) {
    fail_input(
        "{}: has no bandwidth. Give one, such as `bandwidth: 10 Gbit/s`, or oversubscription",
        entries.place());
  }
  link.spread = spread_of(spread);
  link.place = entries.place();
  link.from_place = entries.place("from");
  link.to_place = entries.place("to");
  link.latency = quantity(options, "latency", latency, Dimension::kTime, 0.0, kMaxLatency);
  if (by_factor) {
    link.oversubscription = factor;
  } else {
    link.bandwidth = quantity(options, "bandwidth", bandwidth, Dimension::kBandwidth, kMinBandwidth,
                              kMaxBandwidth);
  }
  return link;
}

/// One processor's speed at a step's arithmetic, at its own store and at messages. The defaults are
/// estimates for a present-day server core; configs/platforms/README.md says where they come from.
CostTable read_costs(Options& options) {
  CostTable costs;
  const auto cost = [&options](std::string_view name, std::string_view initial,
                               std::string_view help) {
    const std::string text = options.text(name, initial, help);
    return quantity(options, name, text, Dimension::kTime, 0.0, kMaxCost);
  };
  costs.step = cost("step", "50 ns", "one training step besides arithmetic and accesses");
  costs.flop = cost("flop", "0.1 ns", "one floating-point operation of a step");
  costs.local_access = cost("local_access", "20 ns", "one key pulled or pushed in the own store");
  costs.local_byte = cost("local_byte", "0.055 ns", "one byte copied or added in the own store");
  costs.send_message = cost("send_message", "500 ns", "processor time to send one message");
  costs.receive_message = cost("receive_message", "500 ns", "processor time to receive one");
  costs.message_byte = cost("message_byte", "0.1 ns", "processor time per byte sent or received");
  costs.message_key = cost("message_key", "50 ns", "look-up and handling of one key of a message");
  return costs;
}

template <typename Group, typename Read>
std::vector<Group> read_section(Options& options, const Value& file, std::string_view section,
                                std::string_view help, Read read) {
  std::vector<Group> groups;
  Entries entries(file, section);
  options.each(section, help, [&](Options& entry) {
    entries.advance();
    groups.push_back(read(entry, entries));
  });
  return groups;
}

}  // namespace

std::string read_description(const Value& file) {
  const Value* description = file.find("description");
  if (description == nullptr || description->text() == nullptr || description->text()->empty()) {
    fail_input("{}: description: must be a text that says in one line what the platform stands for",
               (description == nullptr ? file : *description).origin().text());
  }
  return *description->text();
}

PlatformFile read_platform_file(const Value& file) {
  PlatformFile result;
  result.description = read_description(file);
  result.name = std::filesystem::path(file.origin().source).stem().string();
  result.place = file.origin().source;
  const Value checked = with_text_quantities(file);
  Options options(&checked, "");
  options.text("description", "", "what the platform stands for, in one line");
  result.hosts =
      read_section<HostGroup>(options, checked, "hosts", "the nodes, in order", read_host);
  result.switches = read_section<SwitchGroup>(options, checked, "switches",
                                              "what forwards messages", read_switch);
  result.links = read_section<LinkGroup>(options, checked, "links", "full-duplex links", read_link);

  Options& loopback = options.group("loopback", "messages of a node to itself");
  const std::string bandwidth = loopback.text("bandwidth", "9.5 GB/s", "such as 9.5 GB/s");
  const std::string latency = loopback.text("latency", "0.25 us", "one way, such as 0.25 us");
  result.costs = read_costs(options.group("costs", "what things cost on a host of speed 1"));
  options.finish();

  result.loopback_bandwidth = quantity(loopback, "bandwidth", bandwidth, Dimension::kBandwidth,
                                       kMinBandwidth, kMaxBandwidth);
  result.loopback_latency =
      quantity(loopback, "latency", latency, Dimension::kTime, 0.0, kMaxLatency);
  if (result.hosts.empty()) {
    fail_input("{}: has no hosts. Give some, such as `hosts: [{{name: node, count: rest}}]`",
               result.place);
  }
  return result;
}

}  // namespace pslab::graph
