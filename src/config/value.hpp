// A config as the rest of pslab sees it: a tree of values that know where they stand in the user's
// file. yaml-cpp stays behind load_yaml (config/yaml.hpp); nothing else includes it.
#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pslab::config {

/// Where a value came from: "FILE:LINE" or "command line: KEY=VALUE" or "default".
struct Origin {
  std::string source{};  ///< file name as given, or a description
  int line = 0;          ///< 1-based; 0 where there is no line
  std::string text() const;
};

class Value;
using List = std::vector<Value>;
using Map =
    std::vector<std::pair<std::string, Value>>;  ///< keeps the order of the file; keys unique

/// null, bool, integer, real, text, list or map. Types are decided when the file is read, by the
/// strict rules in config/yaml.hpp, so that `010` or `on` can never change meaning later.
class Value {
 public:
  Value() = default;
  template <std::same_as<bool> T>
  explicit Value(T data, Origin origin = {}) : data_(data), origin_(std::move(origin)) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) explicit Value(T data, Origin origin = {})
      : data_(static_cast<std::int64_t>(data)), origin_(std::move(origin)) {
    if (!std::in_range<std::int64_t>(data)) throw std::out_of_range("Value: beyond 64 signed bits");
  }
  template <std::floating_point T>
  explicit Value(T data, Origin origin = {})
      : data_(static_cast<double>(data)), origin_(std::move(origin)) {}
  template <std::convertible_to<std::string_view> T>
  explicit Value(const T& data, Origin origin = {})
      : data_(std::string(std::string_view(data))), origin_(std::move(origin)) {}
  explicit Value(List data, Origin origin = {})
      : data_(std::move(data)), origin_(std::move(origin)) {}
  explicit Value(Map data, Origin origin = {})
      : data_(std::move(data)), origin_(std::move(origin)) {}

  bool is_null() const { return std::holds_alternative<std::monostate>(data_); }
  bool is_map() const { return std::holds_alternative<Map>(data_); }
  bool is_list() const { return std::holds_alternative<List>(data_); }

  const bool* boolean() const { return std::get_if<bool>(&data_); }
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&data_); }
  const double* real() const { return std::get_if<double>(&data_); }
  const std::string* text() const { return std::get_if<std::string>(&data_); }
  const List* list() const { return std::get_if<List>(&data_); }
  List* list() { return std::get_if<List>(&data_); }
  const Map* map() const { return std::get_if<Map>(&data_); }
  Map* map() { return std::get_if<Map>(&data_); }

  /// The member of a map, or nullptr (also when this is no map).
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);

  const Origin& origin() const { return origin_; }
  void set_origin(Origin origin) { origin_ = std::move(origin); }

  /// For messages: "the integer 3", "the text 'abc'", "a list", "nothing (null)".
  std::string describe() const;
  /// One line of YAML flow style that parse_yaml_value reads back to the same value.
  std::string flow() const;

  bool operator==(const Value& other) const { return data_ == other.data_; }  ///< ignores origins

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Map> data_;
  Origin origin_;
};

}  // namespace pslab::config
