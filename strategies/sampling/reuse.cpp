// Keys that have been brought here serve several times (NuPS, section 5: sample reuse): one
// relocation is good for `uses` samples. The published pool is filled by a thread and shared by the
// workers of a node.
//
// Every sample has the target distribution, and depends only on samples of the same group. With
// postponing, what is not here yet gives way to what comes after it, so the distribution of a
// single sample depends on what is local; each drawn key is still handed out exactly `uses` times.

#include <deque>
#include <utility>
#include <vector>

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "strategies/sampling/pool.hpp"
#include "strategies/sampling/replacement.hpp"

namespace pslab {
namespace {

class ReuseSampler final : public Sampler {
 public:
  ReuseSampler(Pool pool, bool postpone, Replacement replacement)
      : pool_(std::move(pool)), postpone_(postpone), replacement_(replacement) {}

  void prepare(SamplingContext& context, std::size_t n, Random& random) override {
    if (n == 0) return;
    Preparation preparation;
    for (std::size_t i = 0; i < n; ++i) preparation.keys.push_back(pool_.next(context, random));
    preparation.fresh = n;
    context.announce(preparation.keys);  // others may have taken them since
    prepared_.push_back(std::move(preparation));
  }

  void pull(SamplingContext& context, std::span<Key> keys, Random& random) override {
    replacement_.fill(keys, [&] { return next(context, random); });
  }

 private:
  struct Preparation {
    std::vector<Key> keys;  ///< what was postponed is at the end once more
    std::size_t fresh = 0;  ///< so many were not postponed
    std::size_t next = 0;
  };

  Key next(SamplingContext& context, Random& random) {
    if (prepared_.empty()) prepare(context, 1, random);
    Preparation& current = prepared_.front();
    if (postpone_) postpone(current, context);
    const Key key = current.keys[current.next++];
    if (current.next == current.keys.size()) prepared_.pop_front();
    return key;
  }

  static void postpone(Preparation& current, const SamplingContext& context) {
    auto& [keys, fresh, next] = current;
    if (next >= fresh || next + 1 == keys.size() || context.is_local(keys[next])) return;
    const Key late = keys[next++];
    keys.push_back(late);
  }

  Pool pool_;
  bool postpone_;
  Replacement replacement_;
  std::deque<Preparation> prepared_;
};

class Reuse final : public SamplingScheme {
 public:
  explicit Reuse(config::Options& options)
      : pool_(options),
        postpone_(options.flag("postpone", false,
                               "a sample that is not local is moved to the end of what was "
                               "prepared with it, once, and the next one is used instead")),
        replacement_(options) {}
  Conformity conformity() const override {
    return replacement_.conformity(postpone_ ? Conformity::kLongTerm : Conformity::kBounded);
  }
  std::unique_ptr<Sampler> make_sampler() const override {
    return std::make_unique<ReuseSampler>(pool_, postpone_, replacement_);
  }

 private:
  Pool pool_;
  bool postpone_;
  Replacement replacement_;
};

PSLAB_REGISTER(SamplingScheme, Reuse, "reuse",
               "keys drawn and localized once are handed out several times",
               "Renz-Wieland et al., SIGMOD 2022, section 5");

}  // namespace
}  // namespace pslab
