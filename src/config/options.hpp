// How a plug-in (strategy, scheme, workload, platform, ...) declares and reads its options: one
// call per option gives its name, type, default, range, unit and help, and returns the value. From
// the same calls come the checks, `pslab describe`, the defaults file and the resolved config.
//
//   explicit Hybrid(Options& o)
//       : rate_(o.real("sync_rate", 25, 0, 1e6, "1/s", "replica rounds per second")) {}
//
// A constructor that takes Options must only read options: it is also run, with every option at its
// default, to list them.
//
// A wrong value is an InputError at the declaring call; a wrong declaration (a name twice, a
// default that its own range forbids) is a std::logic_error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.hpp"

namespace pslab::config {

enum class Affects { kResults, kSpeed };  ///< kSpeed: any value gives identical results

/// kDescribe lists what can be given: `each` reads one element, though none is there.
enum class Mode { kRead, kDescribe };

/// One declared option, for describe, the defaults file and nearest-name hints.
struct Declaration {
  std::string path;  ///< dotted, e.g. "workload.rank"; of a list's elements "cluster.slow[].node"
  std::string type;  ///< "integer", "real", "flag", "choice", "text", "group", "list"
  std::string initial;  ///< default, as YAML flow text; empty: a group
  std::string allowed;  ///< e.g. "1 .. 100000", "hash | range"; empty: anything
  std::string unit;     ///< e.g. "s", "bytes"; empty: none
  std::string help;
  Affects affects = Affects::kResults;
};

class Options {
 public:
  /// Reads from `given` (a map, or null: everything at its default). `path` is the dotted path of
  /// that map in the config, used in messages. `given` must outlive this object.
  Options(const Value* given, std::string path, Mode mode = Mode::kRead);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  /// An integral real is accepted (1e6). Extreme int64 values as `min` or `max`: no limit.
  std::int64_t integer(std::string_view name, std::int64_t initial, std::int64_t min,
                       std::int64_t max, std::string_view unit, std::string_view help,
                       Affects affects = Affects::kResults);
  /// An integer is accepted. Infinite or extreme `min` or `max`: no limit.
  double real(std::string_view name, double initial, double min, double max, std::string_view unit,
              std::string_view help, Affects affects = Affects::kResults);
  bool flag(std::string_view name, bool initial, std::string_view help,
            Affects affects = Affects::kResults);
  std::string text(std::string_view name, std::string_view initial, std::string_view help,
                   Affects affects = Affects::kResults);
  /// `initial` must be one of `allowed`.
  std::string choice(std::string_view name, std::string_view initial,
                     const std::vector<std::string>& allowed, std::string_view help,
                     Affects affects = Affects::kResults);
  /// A nested map. The reference lives as long as this object.
  Options& group(std::string_view name, std::string_view help);
  /// A list of maps: calls `read` once for every element with its Options; in describe mode once
  /// with all defaults. Null or absent: no element.
  void each(std::string_view name, std::string_view help,
            const std::function<void(Options&)>& read);

  /// An option of this map that others have read and taken out of it: listed, but not resolved.
  void elsewhere(std::string_view name, Declaration declaration);

  /// True if the user gave a value for `name`, which must have been declared (any type).
  bool given(std::string_view name) const;
  /// Throws InputError about option `name` (declared), with its place, value seen, and `problem`
  /// ("must be smaller than rows (100)"); `advice` on a given value is a sentence. For checks
  /// across options.
  [[noreturn]] void reject(std::string_view name, std::string_view problem,
                           std::string_view advice = "") const;

  /// Call after the last declaration: throws InputError for every given key that was never declared
  /// (all of them in one message, each with file, line, dotted path, nearest name, names allowed).
  /// Covers the groups and list elements in this map.
  void finish() const;

  const std::string& path() const;
  /// Of this map and the groups in it, in order; in describe mode of the elements of lists too.
  /// The reference holds until the next call.
  const std::vector<Declaration>& declarations() const;
  Value resolved() const;  ///< every declared option with its value in force (given or default)

 private:
  struct Item;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pslab::config
