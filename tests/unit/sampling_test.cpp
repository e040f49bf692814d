#include <gtest/gtest.h>

#include "api/registry.hpp"
#include "api/sampling.hpp"
#include "config/yaml.hpp"

namespace pslab {
namespace {

TEST(IndependentSampling, LocalizesWhatItHandsOutLater) {
  const config::Value given = config::parse_yaml("prelocalize: true", "test.yaml");
  config::Options read(&given, "sampling");
  const auto scheme =
      Registry<SamplingScheme>::instance().find("independent", "scheme", "").make(read);
  const auto sampler = scheme->make_sampler();
  std::vector<Key> localized;
  SamplingContext context;
  context.draw = [](Random& random) { return Key{random.below(10)}; };
  context.is_local = [](Key) { return false; };
  context.localize = [&](std::span<const Key> keys) { localized.assign(keys.begin(), keys.end()); };
  Random random(1, "sampling test");
  sampler->prepare(context, 6, random);
  std::vector<Key> handed_out(6);
  sampler->pull(context, std::span(handed_out).first(2), random);
  sampler->pull(context, std::span(handed_out).subspan(2), random);
  EXPECT_EQ(handed_out, localized);
}

}  // namespace
}  // namespace pslab
