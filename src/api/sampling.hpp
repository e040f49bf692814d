// Sampling schemes: which keys a worker gets when its task asks for any keys drawn from a
// distribution (sample access), rather than for particular ones. To write one:
// strategies/sampling/README.md.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "api/key_space.hpp"
#include "base/random.hpp"
#include "base/types.hpp"

namespace pslab {

/// How closely what a scheme hands out follows independent draws from the target (NuPS, section 5).
enum class Conformity {
  kIndependent,  ///< every sample is an independent draw
  kBounded,   ///< every sample has the right distribution; dependence only within a bounded window
  kLongTerm,  ///< frequencies converge to the target
  kNone,      ///< no promise
};

/// What a scheme may do and know, for one worker.
struct SamplingContext {
  std::function<Key(Random&)> draw;        ///< one key from the task's target distribution
  std::function<bool(Key)> is_local;       ///< can be read here without a message, now
  std::function<bool(Key)> is_replicated;  ///< every node has it
  std::function<void(std::span<const Key>)> localize;  ///< ask that keys be owned here
  /// Say that keys will be handed out in the clocks that the samples being prepared are for
  /// (Worker::intent).
  std::function<void(std::span<const Key>)> announce;
  const KeySpace* keys = nullptr;  ///< of the task; samples come from some of its groups
  NodeId nodes = 1;
  /// The keys of this worker's latest pulls other than samples, in no order, with repetitions:
  /// SamplingScheme::recent_pulls() of them, fewer in the beginning.
  std::vector<Key> recent;
};

/// One worker's state. Used by that worker only.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// The worker will need `n` more samples soon.
  virtual void prepare(SamplingContext& context, std::size_t n, Random& random) = 0;
  /// Fills `keys`. May ask for fewer than were prepared; never for more.
  virtual void pull(SamplingContext& context, std::span<Key> keys, Random& random) = 0;
};

class SamplingScheme {
 public:
  virtual ~SamplingScheme() = default;
  /// With the options given.
  virtual Conformity conformity() const = 0;
  /// How many keys SamplingContext::recent keeps; it costs time on every pull.
  virtual std::size_t recent_pulls() const { return 0; }
  virtual std::unique_ptr<Sampler> make_sampler() const = 0;
};

}  // namespace pslab
