// Whether the keys that one call hands out may repeat: the option that sampling schemes share.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_set>

#include "api/sampling.hpp"
#include "base/error.hpp"
#include "config/options.hpp"

namespace pslab {

class Replacement {
 public:
  explicit Replacement(config::Options& options)
      : allowed_(options.flag("replacement", true,
                              "a pull of samples may get a key more than once; false: each key at "
                              "most once, as in draws without replacement")) {}

  /// Of a scheme that is `conformity` when keys may repeat. Distinct keys are no independent draws,
  /// and their frequencies are not those of the target: frequent keys miss their repetitions.
  Conformity conformity(Conformity conformity) const {
    return allowed_ ? conformity : Conformity::kNone;
  }

  /// Fills `keys` with what `next()` gives, leaving out what may not repeat. Throws RunError when
  /// nothing new comes.
  template <typename Next>
  void fill(std::span<Key> keys, Next next) const {
    if (allowed_) {
      std::ranges::generate(keys, next);
      return;
    }
    std::unordered_set<Key> taken;
    for (Key& key : keys) {
      for (int tries = 1; !taken.insert(key = next()).second; ++tries) {
        if (tries == kMostTries) refuse(keys.size(), taken.size());
      }
    }
  }

 private:
  static constexpr int kMostTries = 10'000;

  [[noreturn]] static void refuse(std::size_t wanted, std::size_t found) {
    fail_run(
        "sampling.replacement: false: a pull asks for {} different samples, but after {} of them "
        "{} draws gave no other; let the task ask for fewer, or set it to true",
        wanted, found, kMostTries);
  }

  bool allowed_;
};

}  // namespace pslab
