// A worker's operations as bytes, and back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "trace/op_stream.hpp"
#include "trace/tracer.hpp"

namespace pslab::trace {
namespace {

const std::string kPlace = "t.bin";
constexpr Key kKeys = 1'000'000;

/// An operation that owns its keys.
struct Kept {
  Op op;
  std::vector<Key> keys;
  auto fields() const {
    return std::tie(op.kind, op.time_ns, op.ahead_ns, op.number, op.length, op.flops, keys);
  }
  bool operator==(const Kept& other) const { return fields() == other.fields(); }
};

std::vector<Kept> read(std::string_view bytes) {
  std::vector<Kept> all;
  OpReader reader(bytes, kKeys, kPlace);
  for (Op op; reader.next(op);) {
    all.push_back({op, {op.keys.begin(), op.keys.end()}});
    all.back().op.keys = {};
  }
  return all;
}

Kept make(Kind kind, std::vector<Key> keys, std::int64_t time_ns, Random& random) {
  Kept kept{.op = {.kind = kind}, .keys = {}};
  const Fields has = fields(kind);
  if (has.time) kept.op.time_ns = time_ns;
  if (has.ahead) kept.op.ahead_ns = static_cast<std::int64_t>(random.below(10'000));
  if (has.number) kept.op.number = static_cast<std::int64_t>(random.below(1000)) - 500;
  if (kind == Kind::kIntent) kept.op.length = 1;
  if (kind == Kind::kCompute) kept.op.flops = random.below(2) == 0 ? 1e6 : random.uniform();
  if (has.keys) kept.keys = std::move(keys);
  return kept;
}

/// Two epochs of operations of all kinds, whose keys are often those of another one.
std::vector<Kept> random_operations(std::uint64_t seed) {
  Random random(seed, "operations");
  std::vector<Kept> all;
  std::vector<Key> keys;
  std::int64_t time_ns = 0;
  for (int epoch = 1; epoch <= 2; ++epoch) {
    all.push_back(make(Kind::kEpoch, {}, time_ns, random));
    for (int i = 0; i < 500; ++i) {
      time_ns += static_cast<std::int64_t>(random.below(100'000));
      if (random.below(2) == 0) {
        keys.resize(random.below(9));
        for (Key& key : keys) key = random.below(kKeys);
      }
      const std::size_t offset = random.below(keys.size() + 1);
      const std::vector<Key> some(keys.begin() + static_cast<std::ptrdiff_t>(offset), keys.end());
      all.push_back(make(static_cast<Kind>(1 + random.below(kKinds - 1)), some, time_ns, random));
    }
  }
  return all;
}

OpWriter written(const std::vector<Kept>& operations) {
  OpWriter writer;
  for (const Kept& kept : operations) {
    Op op = kept.op;
    op.keys = kept.keys;
    writer.write(op);
  }
  return writer;
}

TEST(OperationsOfATrace, ReadBackAsTheyWereWritten) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Kept> operations = random_operations(seed);
    EXPECT_EQ(read(written(operations).bytes()), operations);
  }
}

TEST(OperationsOfATrace, CanBeReadWithoutTheEpochsBefore) {
  const std::vector<Kept> operations = random_operations(1);
  const OpWriter writer = written(operations);
  const std::vector<Kept> last(operations.begin() + 501, operations.end());
  EXPECT_EQ(read(writer.epoch()), last);
}

TEST(OperationsOfATrace, TakeFewBytesWhereKeysComeAgain) {
  OpWriter writer;
  const std::vector<Key> keys = {5, 900'000, 17, 4};
  writer.write({.kind = Kind::kEpoch});
  writer.write({.kind = Kind::kPull, .keys = keys});
  const std::size_t before = writer.bytes().size();
  writer.write({.kind = Kind::kPush, .keys = keys});
  EXPECT_EQ(writer.bytes().size() - before, 2U) << "kind and time";
  writer.write({.kind = Kind::kPush, .keys = std::span(keys).subspan(1, 2)});
  EXPECT_EQ(writer.bytes().size() - before, 2U + 4U) << "kind, time, offset and count";
}

TEST(OperationsOfATrace, AreRefusedOrReadWhateverTheBytesAre) {
  const std::string bytes = written(random_operations(2)).bytes().substr(0, 400);
  Random random(3, "damage");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(random.below(256));
    try {
      for (const Kept& kept : read(damaged)) {
        for (const Key key : kept.keys) ASSERT_LT(key, kKeys);
      }
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("t.bin: the trace is damaged: it "));
    }
  }
}

TEST(ATracer, GivesOperationsToWaitForThatSayWhatTheyWereBegunWith) {
  Tracer tracer(true);
  tracer.begin_epoch(1, {0.0, 0.0});
  const std::vector<Key> keys = {1, 2};
  constexpr std::uint32_t kComplete = ~std::uint32_t{0};
  const std::uint32_t first = tracer.call_async(Kind::kPullAsync, {1e-9, 2e-9}, keys, 7);
  const std::uint32_t second = tracer.call_async(Kind::kPushAsync, {2e-9, 2e-9}, keys, kComplete);
  EXPECT_EQ(tracer.wait({5e-9, 5e-9}, first), 7U);
  EXPECT_EQ(tracer.wait({5e-9, 5e-9}, second), kComplete);
  tracer.end_epoch({6e-9, 6e-9});
  const std::vector<Kept> all = read(tracer.ops().bytes());
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[3].op.kind, Kind::kWait);
  EXPECT_EQ(all[3].op.number, 1) << "one was begun after it";
  EXPECT_EQ(all[4].op.number, 0);
}

TEST(ATracer, NotesNothingOutsideOfTraining) {
  Tracer tracer(true);
  const std::vector<Key> keys = {1};
  tracer.begin_epoch(1, {0.0, 0.0});
  tracer.end_epoch({1.0, 1.0});
  tracer.call(Kind::kPull, {2.0, 2.0}, keys);
  EXPECT_EQ(read(tracer.ops().bytes()).size(), 2U);
}

TEST(ATracer, KeepsTheLastEpochOnlyUnlessAllAreWanted) {
  for (const bool keep_all : {false, true}) {
    Tracer tracer(keep_all);
    for (int epoch = 1; epoch <= 3; ++epoch) {
      tracer.begin_epoch(epoch, {1.0 * epoch, 1.0 * epoch});
      tracer.end_epoch({1.0 * epoch, 1.0 * epoch});
    }
    EXPECT_EQ(read(tracer.ops().bytes()).size(), keep_all ? 6U : 2U);
    EXPECT_EQ(read(tracer.ops().epoch())[0].op.number, 3);
  }
}

}  // namespace
}  // namespace pslab::trace
