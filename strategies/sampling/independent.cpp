// Every sample is an independent draw from the target (NuPS, section 5.1). Optionally the draws are
// made when the task prepares for them, and their keys announced, so that they may be here when
// they are used.

#include <vector>

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "strategies/sampling/replacement.hpp"

namespace pslab {
namespace {

class IndependentSampler final : public Sampler {
 public:
  IndependentSampler(bool prelocalize, Replacement replacement)
      : prelocalize_(prelocalize), replacement_(replacement) {}

  void prepare(SamplingContext& context, std::size_t n, Random& random) override {
    if (!prelocalize_) return;
    // A task may use fewer than it announced; what it has used is dropped now and then.
    if (next_ > drawn_.size() / 2) {
      drawn_.erase(drawn_.begin(), drawn_.begin() + static_cast<std::ptrdiff_t>(next_));
      next_ = 0;
    }
    const std::size_t begin = drawn_.size();
    for (std::size_t i = 0; i < n; ++i) drawn_.push_back(context.draw(random));
    context.announce(std::span<const Key>(drawn_).subspan(begin));
  }

  void pull(SamplingContext& context, std::span<Key> keys, Random& random) override {
    replacement_.fill(
        keys, [&] { return next_ < drawn_.size() ? drawn_[next_++] : context.draw(random); });
    if (next_ == drawn_.size()) {
      drawn_.clear();
      next_ = 0;
    }
  }

 private:
  bool prelocalize_;
  Replacement replacement_;
  std::vector<Key> drawn_;  ///< ahead of their use
  std::size_t next_ = 0;
};

class Independent final : public SamplingScheme {
 public:
  explicit Independent(config::Options& options)
      : prelocalize_(
            options.flag("prelocalize", true,
                         "draw when the task prepares for samples, and announce their keys as it "
                         "does those of direct accesses; false: draw when they are used")),
        replacement_(options) {}
  Conformity conformity() const override {
    return replacement_.conformity(Conformity::kIndependent);
  }
  std::unique_ptr<Sampler> make_sampler() const override {
    return std::make_unique<IndependentSampler>(prelocalize_, replacement_);
  }

 private:
  bool prelocalize_;
  Replacement replacement_;
};

PSLAB_REGISTER(SamplingScheme, Independent, "independent",
               "independent draws from the target distribution",
               "Renz-Wieland et al., SIGMOD 2022, section 5");

}  // namespace
}  // namespace pslab
