#include "config/options.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/range.hpp"
#include "config/scalar.hpp"
#include "config/unknown.hpp"

namespace pslab::config {

struct Options::Item {
  std::string name;
  Declaration declaration;
  const Value* given = nullptr;  // what the user wrote; nullptr: nothing
  Value value{};                 // in force; groups and lists hold theirs below
  std::unique_ptr<Options> group{};
  std::vector<std::unique_ptr<Options>> elements{};
  bool elsewhere = false;
};

struct Options::State {
  const Value* given;
  std::string path;
  Mode mode;
  std::vector<Item> items{};
  mutable std::vector<Declaration> listed{};

  std::string full(std::string_view name) const {
    return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
  }

  /// "quick.yaml:7: workload.rank: ", or without the place of a value that was not read from one.
  static std::string place(const Value& value, const std::string& path) {
    const std::string where = value.origin().source.empty() ? "" : value.origin().text() + ": ";
    return path.empty() ? where : where + path + ": ";
  }

  const Item& find(std::string_view name) const {
    const auto found = std::find_if(items.begin(), items.end(),
                                    [&](const Item& item) { return item.name == name; });
    if (found == items.end()) throw std::logic_error("option not declared: " + full(name));
    return *found;
  }

  Item& declare(std::string_view name, Declaration declaration) {
    declaration.path = full(name);
    for (const Item& item : items) {
      if (item.name == name) throw std::logic_error("option declared twice: " + declaration.path);
    }
    items.push_back({.name = std::string(name), .declaration = std::move(declaration)});
    items.back().given = given == nullptr ? nullptr : given->find(name);
    return items.back();
  }

  /// Declares a scalar. `initial` is in force until the caller has read what is given.
  Item& declare_scalar(std::string_view name, Declaration declaration, Value initial) {
    declaration.initial = initial.flow();
    Item& item = declare(name, std::move(declaration));
    item.value = std::move(initial);
    item.value.set_origin({"default", 0});
    return item;
  }

  /// The value given for a scalar option, or nullptr. `expected`: "an integer in 1 .. 100".
  static const Value* scalar(const Item& item, const std::string& expected) {
    if (item.given != nullptr && item.given->is_null()) {
      fail_input("{}is empty; give a value or remove the line. Expected {}.",
                 place(*item.given, item.declaration.path), expected);
    }
    return item.given;
  }

  [[noreturn]] static void fail_type(const Item& item, const std::string& expected,
                                     std::string_view advice = "") {
    fail_input("{}expected {}, seen {}{}{}", place(*item.given, item.declaration.path), expected,
               item.given->describe(), advice.empty() ? "" : ". ", advice);
  }
};

namespace {

std::string with_range(std::string_view noun, const std::string& range, std::string_view unit) {
  std::string result(noun);
  if (!range.empty()) result += range.find("..") == std::string::npos ? " " : " in ";
  result += range;
  return unit.empty() ? result : fmt::format("{} ({})", result, unit);
}

// What to do about a quoted scalar that would be right without its quotes.
template <typename IsRight>
std::string_view quotes_advice(const Value& value, IsRight is_right) {
  if (value.text() == nullptr) return "";
  return is_right(read_plain(*value.text()).value) ? "Remove the quotes" : "";
}

bool is_number(const Value& value) {
  return value.integer() || value.real();
}

// Beyond this, a double does not hold every integer, so the digits written may be lost already.
constexpr double kExactIntegers = 9007199254740992.0;

std::optional<std::int64_t> as_integer(const Value& value) {
  if (value.integer()) return *value.integer();
  if (!value.real() || std::trunc(*value.real()) != *value.real()) return std::nullopt;
  if (std::abs(*value.real()) > kExactIntegers) return std::nullopt;
  return static_cast<std::int64_t>(*value.real());
}

// The larger limit may round up to 2^63 as a double, which no integer reaches.
bool within(double value, std::int64_t min, std::int64_t max) {
  return value >= static_cast<double>(min) && value <= static_cast<double>(max) && value < 0x1p63;
}

void require(bool right, const std::string& what) {
  if (!right) throw std::logic_error("option's default is not allowed by its own range: " + what);
}

}  // namespace

Options::Options(const Value* given, std::string path, Mode mode)
    : state_(
          std::make_unique<State>(State{.given = given, .path = std::move(path), .mode = mode})) {
  if (given == nullptr || given->is_map()) return;
  // A null that stands nowhere in a file is a caller's "nothing given".
  if (given->is_null() && given->origin().source.empty()) return;
  const std::string place = State::place(*given, state_->path);
  if (given->is_null())
    fail_input("{}is empty; give a value or remove the line. Expected a map.", place);
  const bool glued = given->text() != nullptr && given->text()->find(':') != std::string::npos;
  fail_input("{}expected a map of options, seen {}{}", place, given->describe(),
             glued ? ". Put a space after each colon" : "");
}

Options::~Options() = default;

std::int64_t Options::integer(std::string_view name, std::int64_t initial, std::int64_t min,
                              std::int64_t max, std::string_view unit, std::string_view help,
                              Affects affects) {
  const std::string range = range_text(min, max);
  const std::string expected = with_range("an integer", range, unit);
  Item& item = state_->declare_scalar(name,
                                      {.path = "",
                                       .type = "integer",
                                       .initial = "",
                                       .allowed = range,
                                       .unit = std::string(unit),
                                       .help = std::string(help),
                                       .affects = affects},
                                      Value(initial));
  require(initial >= min && initial <= max, item.declaration.path);
  const Value* given = State::scalar(item, expected);
  if (given == nullptr) return initial;
  const std::optional<std::int64_t> value = as_integer(*given);
  const bool inexact = !value && given->real() && std::abs(*given->real()) > kExactIntegers;
  if (inexact && within(*given->real(), min, max)) {
    State::fail_type(item, expected, "Write all its digits, without point and exponent");
  }
  if (!value) {
    State::fail_type(item, expected,
                     inexact ? "It is out of range" : quotes_advice(*given, as_integer));
  }
  if (*value < min || *value > max) State::fail_type(item, expected);
  item.value = Value(*value, given->origin());
  return *value;
}

double Options::real(std::string_view name, double initial, double min, double max,
                     std::string_view unit, std::string_view help, Affects affects) {
  const std::string range = range_text(min, max);
  const std::string expected = with_range("a real", range, unit);
  Item& item = state_->declare_scalar(name,
                                      {.path = "",
                                       .type = "real",
                                       .initial = "",
                                       .allowed = range,
                                       .unit = std::string(unit),
                                       .help = std::string(help),
                                       .affects = affects},
                                      Value(initial));
  require(std::isfinite(initial) && initial >= min && initial <= max, item.declaration.path);
  const Value* given = State::scalar(item, expected);
  if (given == nullptr) return initial;
  if (!is_number(*given)) State::fail_type(item, expected, quotes_advice(*given, is_number));
  const double value = given->integer() ? static_cast<double>(*given->integer()) : *given->real();
  // Written so that nan, which no file can hold but a caller might pass, is refused as well.
  if (!(std::isfinite(value) && value >= min && value <= max)) State::fail_type(item, expected);
  item.value = Value(value, given->origin());
  return value;
}

bool Options::flag(std::string_view name, bool initial, std::string_view help, Affects affects) {
  const std::string expected = "true or false";
  Item& item = state_->declare_scalar(name,
                                      {.path = "",
                                       .type = "flag",
                                       .initial = "",
                                       .allowed = "true | false",
                                       .unit = "",
                                       .help = std::string(help),
                                       .affects = affects},
                                      Value(initial));
  const Value* given = State::scalar(item, expected);
  if (given == nullptr) return initial;
  if (given->boolean() == nullptr) {
    const auto is_flag = [](const Value& value) { return value.boolean() != nullptr; };
    State::fail_type(item, expected, quotes_advice(*given, is_flag));
  }
  item.value = *given;
  return *given->boolean();
}

std::string Options::text(std::string_view name, std::string_view initial, std::string_view help,
                          Affects affects) {
  Item& item = state_->declare_scalar(name,
                                      {.path = "",
                                       .type = "text",
                                       .initial = "",
                                       .allowed = "",
                                       .unit = "",
                                       .help = std::string(help),
                                       .affects = affects},
                                      Value(initial));
  const Value* given = State::scalar(item, "a text");
  if (given == nullptr) return std::string(initial);
  if (given->text() == nullptr) {
    const bool scalar = !given->is_list() && !given->is_map();
    State::fail_type(item, "a text", scalar ? "Put it in quotes" : "");
  }
  item.value = *given;
  return *given->text();
}

std::string Options::choice(std::string_view name, std::string_view initial,
                            const std::vector<std::string>& allowed, std::string_view help,
                            Affects affects) {
  const std::string expected = "one of " + join(allowed, ", ");
  Item& item = state_->declare_scalar(name,
                                      {.path = "",
                                       .type = "choice",
                                       .initial = "",
                                       .allowed = join(allowed, " | "),
                                       .unit = "",
                                       .help = std::string(help),
                                       .affects = affects},
                                      Value(initial));
  const auto is_allowed = [&](std::string_view value) {
    return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  };
  require(is_allowed(initial), item.declaration.path);
  const Value* given = State::scalar(item, expected);
  if (given == nullptr) return std::string(initial);
  if (given->text() == nullptr) {
    State::fail_type(item, expected, is_allowed(given->flow()) ? "Put it in quotes" : "");
  }
  if (!is_allowed(*given->text())) {
    fail_input("{}unknown value '{}'.{} Allowed: {}", State::place(*given, item.declaration.path),
               printable(*given->text()), did_you_mean(*given->text(), allowed),
               join(allowed, ", "));
  }
  item.value = *given;
  return *given->text();
}

Options& Options::group(std::string_view name, std::string_view help) {
  Item& item = state_->declare(name, {.path = "",
                                      .type = "group",
                                      .initial = "",
                                      .allowed = "",
                                      .unit = "",
                                      .help = std::string(help)});
  item.group = std::make_unique<Options>(item.given, item.declaration.path, state_->mode);
  return *item.group;
}

void Options::each(std::string_view name, std::string_view help,
                   const std::function<void(Options&)>& read) {
  Item& item = state_->declare(name, {.path = "",
                                      .type = "list",
                                      .initial = "[]",
                                      .allowed = "",
                                      .unit = "",
                                      .help = std::string(help)});
  const std::string path = item.declaration.path;
  std::vector<std::unique_ptr<Options>> elements;
  if (state_->mode == Mode::kDescribe) {
    elements.push_back(std::make_unique<Options>(nullptr, path + "[]", Mode::kDescribe));
  } else if (item.given != nullptr && !item.given->is_null()) {
    if (!item.given->is_list()) {
      State::fail_type(item, "a list of maps", "Write '- ' before each element, or put it in [ ]");
    }
    for (const Value& element : *item.given->list()) {
      elements.push_back(
          std::make_unique<Options>(&element, fmt::format("{}[{}]", path, elements.size())));
    }
  }
  item.elements = std::move(elements);
  // `read` may declare more options of this map, which moves the items.
  std::vector<Options*> to_read;
  for (const auto& element : item.elements) to_read.push_back(element.get());
  for (Options* element : to_read) read(*element);
}

void Options::elsewhere(std::string_view name, Declaration declaration) {
  state_->declare(name, std::move(declaration)).elsewhere = true;
}

bool Options::given(std::string_view name) const {
  return state_->find(name).given != nullptr;
}

void Options::reject(std::string_view name, std::string_view problem,
                     std::string_view advice) const {
  const Item& item = state_->find(name);
  const std::string& path = item.declaration.path;
  if (item.given != nullptr) {
    fail_input("{}{}, seen {}{}{}", State::place(*item.given, path), problem,
               item.given->describe(), advice.empty() ? "" : ". ", advice);
  }
  const std::string place = State::place(state_->given ? *state_->given : Value(), path);
  if (item.declaration.initial.empty()) fail_input("{}{}, and it is not given", place, problem);
  fail_input("{}{}, and its default is {}", place, problem, item.declaration.initial);
}

void Options::finish() const {
  std::vector<std::string> problems;
  const std::vector<Declaration> all = declarations();
  const auto collect = [&problems, &all](const auto& self, const Options& options) -> void {
    const State& state = *options.state_;
    std::vector<std::string> names;
    for (const Item& item : state.items) names.push_back(item.name);
    const Map* members = state.given ? state.given->map() : nullptr;
    for (const auto& [key, value] :
         members ? std::span(*members) : std::span<const Map::value_type>()) {
      if (std::find(names.begin(), names.end(), key) != names.end()) continue;
      problems.push_back(State::place(value, printable(state.full(key))) +
                         unknown_option(key, value, names, options.declarations(), all));
    }
    for (const Item& item : state.items) {
      if (item.group) self(self, *item.group);
      for (const auto& element : item.elements) self(self, *element);
    }
  };
  collect(collect, *this);
  if (!problems.empty()) throw InputError(join(problems, "\n"));
}

const std::string& Options::path() const {
  return state_->path;
}

const std::vector<Declaration>& Options::declarations() const {
  std::vector<Declaration> listed;
  for (const Item& item : state_->items) {
    listed.push_back(item.declaration);
    const auto add = [&listed](const Options& nested) {
      const std::vector<Declaration>& inner = nested.declarations();
      listed.insert(listed.end(), inner.begin(), inner.end());
    };
    if (item.group) add(*item.group);
    if (state_->mode != Mode::kDescribe) continue;
    for (const auto& element : item.elements) add(*element);
  }
  state_->listed = std::move(listed);
  return state_->listed;
}

Value Options::resolved() const {
  Map result;
  for (const Item& item : state_->items) {
    if (item.elsewhere) continue;
    if (item.group) {
      result.emplace_back(item.name, item.group->resolved());
    } else if (item.declaration.type == "list") {
      List elements;
      if (state_->mode == Mode::kRead) {
        for (const auto& element : item.elements) elements.push_back(element->resolved());
      }
      result.emplace_back(item.name, Value(std::move(elements)));
    } else {
      result.emplace_back(item.name, item.value);
    }
  }
  return Value(std::move(result), state_->given ? state_->given->origin() : Origin{"default", 0});
}

}  // namespace pslab::config
