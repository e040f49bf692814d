#include "workloads/knowledge_graph/step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "workloads/knowledge_graph/kernels.hpp"
#include "workloads/knowledge_graph/tile.hpp"

namespace pslab::kge {
namespace {

/// Of one component, for a score, for the gradients, and for a step of AdaGrad.
constexpr double kFlopsPerComponent = 12.0;
/// Queries from which on it pays to score a sample with all of them at once.
constexpr std::size_t kQueriesOfTile = 16;
/// Samples whose gradients are added up together, while they are in the processor's caches.
constexpr std::size_t kBlock = 16;

}  // namespace

Step::Step(const Shared& shared)
    : shared_(shared),
      options_(shared.options),
      model_(*options_.model),
      dimension_(options_.dimension),
      own_length_(2 * dimension_ + options_.relation_length()),
      own_floats_(2 * own_length_),
      row_(1 + kSides * options_.negatives),
      penalty_(model_.phases ? 0.0 : options_.relation.penalty) {
  const std::size_t batch = options_.batch;
  const std::size_t most = samples(batch);
  keys_.reserve(kParts * batch + most);
  values_.reserve(batch * own_floats_ + most * shared.entity_floats());
  deltas_.reserve(values_.capacity());
  queries_.resize(kSides * batch * dimension_);
  scores_.resize(batch * row_);
  derivatives_.resize(scores_.size());
  own_gradients_.resize(batch * own_length_);
  query_gradients_.resize(queries_.size());
  sample_gradients_.resize(most * dimension_);
  if (options_.dropout > 0.0) {
    masks_.resize(own_gradients_.size());
    dropped_.resize(own_gradients_.size());
  }
}

std::size_t Step::samples(std::size_t triples) const {
  return options_.share_negatives ? options_.negatives : kSides * triples * options_.negatives;
}

Step::Result Step::train(Worker& worker, std::span<const data::Triple> triples, Random& dropout) {
  read(worker, triples);
  if (options_.dropout > 0.0) drop(dropout);
  make_queries();
  if (options_.share_negatives && kSides * triples_ >= kQueriesOfTile) {
    score_shared_samples();
  } else {
    score_samples();
  }
  const Result result = replace_scores_by_derivatives();
  if (!std::isfinite(result.scores)) return result;
  add_gradients();
  add_regularisation();
  make_deltas();
  worker.compute(flops());
  worker.push(keys_, deltas_);
  return result;
}

void Step::read(Worker& worker, std::span<const data::Triple> triples) {
  triples_ = triples.size();
  samples_ = samples(triples_);
  keys_.clear();
  for (const data::Triple& triple : triples) {
    keys_.insert(keys_.end(),
                 {Key{triple.subject}, shared_.relation_key(triple.relation), Key{triple.object}});
  }
  const std::size_t own = keys_.size();
  keys_.resize(own + samples_);
  values_.resize(triples_ * own_floats_ + samples_ * shared_.entity_floats());
  deltas_.resize(values_.size());
  worker.pull(std::span(keys_).first(own), std::span(values_).first(triples_ * own_floats_));
  worker.pull_sample(std::span(keys_).subspan(own),
                     std::span(values_).subspan(triples_ * own_floats_));
}

void Step::drop(Random& random) {
  float* mask = masks_.data();
  float* dropped = dropped_.data();
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    for (const Part part : {kSubject, kRelation, kObject}) {
      const double share = factor(part, options_.relation.dropout) * options_.dropout;
      const auto below = static_cast<std::uint32_t>(share * 0x1.0p32);
      const auto kept = static_cast<float>(1.0 / (1.0 - share));
      const float* from = value(triple, part);
      for (std::size_t i = 0; i < part_length(part); ++i, ++mask, ++dropped) {
        *mask = random.bits() < below ? 0.0F : kept;
        *dropped = *mask * from[i];
      }
    }
  }
}

void Step::make_queries() {
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    for (std::size_t side = 0; side < kSides; ++side) {
      model_.side(side).query(embedding(triple, known(side)), embedding(triple, kRelation),
                              query(triple, side), dimension_);
    }
    scores(triple)[0] =
        model_.comparison.score(query(triple, 0), embedding(triple, kObject), dimension_);
  }
}

void Step::score_samples() {
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    float* score = scores(triple).data() + 1;
    for (std::size_t side = 0; side < kSides; ++side) {
      for (std::size_t i = 0; i < options_.negatives; ++i) {
        *score++ = model_.comparison.score(query(triple, side),
                                           sample(sample_number(triple, side, i)), dimension_);
      }
    }
  }
}

void Step::score_shared_samples() {
  std::array<float, kTile> found;
  for (std::size_t first = 0; first < kSides * triples_; first += kTile) {
    const std::size_t count = std::min(kTile, kSides * triples_ - first);
    fill_tile(queries_.data() + first * dimension_, count, dimension_, dimension_, tile_);
    for (std::size_t i = 0; i < samples_; ++i) {
      model_.comparison.score_tile(sample(i), tile_.data(), dimension_, found.data());
      for (std::size_t j = 0; j < count; ++j) {
        const std::size_t side = (first + j) % kSides;
        scores((first + j) / kSides)[1 + side * options_.negatives + i] = found[j];
      }
    }
  }
}

Step::Result Step::replace_scores_by_derivatives() {
  Result result{0.0, 0.0};
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    const std::span<float> row = scores(triple);
    for (const float score : row) result.scores += double{std::fabs(score)};
    const auto derivatives = std::span(derivatives_).subspan(triple * row_, row_);
    std::copy(row.begin(), row.end(), derivatives.begin());
    result.loss += options_.loss(derivatives, options_.loss_options);
  }
  return result;
}

void Step::add_gradients() {
  std::fill_n(own_gradients_.begin(), triples_ * own_length_, 0.0F);
  std::fill_n(query_gradients_.begin(), kSides * triples_ * dimension_, 0.0F);
  std::fill_n(sample_gradients_.begin(), samples_ * dimension_, 0.0F);
  for (std::size_t begin = 0; begin < options_.negatives; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, options_.negatives);
    if (options_.share_negatives && model_.comparison.inner_product) {
      add_product_gradients(begin, end);
      continue;
    }
    for (std::size_t triple = 0; triple < triples_; ++triple) {
      for (std::size_t side = 0; side < kSides; ++side) add_gradients(triple, side, begin, end);
    }
  }
  const auto add = model_.comparison.add_gradients;
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    const std::size_t place = triple * row_;
    add(derivatives_[place], scores_[place], query(triple, 0), embedding(triple, kObject),
        query_gradient(triple, 0), gradient(triple, kObject), dimension_);
    for (std::size_t side = 0; side < kSides; ++side) {
      model_.side(side).back(embedding(triple, known(side)), embedding(triple, kRelation),
                             query_gradient(triple, side), gradient(triple, known(side)),
                             gradient(triple, kRelation), dimension_);
    }
  }
  for (std::size_t i = 0; i < masks_.size(); ++i) own_gradients_[i] *= masks_[i];
}

void Step::add_gradients(std::size_t triple, std::size_t side, std::size_t begin, std::size_t end) {
  const auto add = model_.comparison.add_gradients;
  const float* factors = derivatives(triple, side);
  const float* scores = scores_.data() + (factors - derivatives_.data());
  for (std::size_t i = begin; i < end; ++i) {
    if (factors[i] == 0.0F) continue;
    const std::size_t number = sample_number(triple, side, i);
    add(factors[i], scores[i], query(triple, side), sample(number), query_gradient(triple, side),
        sample_gradients_.data() + number * dimension_, dimension_);
  }
}

/// For samples that all queries share: two products of matrices.
void Step::add_product_gradients(std::size_t begin, std::size_t end) {
  const std::size_t queries = kSides * triples_;
  for (std::size_t i = 0; i < queries; ++i) {
    const float* factors = derivatives(i / kSides, i % kSides) + begin;
    add_weighted({factors, sample(begin), end - begin, shared_.entity_floats()},
                 query_gradients_.data() + i * dimension_, dimension_);
  }
  factors_.resize(queries);
  for (std::size_t number = begin; number < end; ++number) {
    for (std::size_t i = 0; i < queries; ++i) {
      factors_[i] = derivatives(i / kSides, i % kSides)[number];
    }
    add_weighted({factors_.data(), queries_.data(), queries, dimension_},
                 sample_gradients_.data() + number * dimension_, dimension_);
  }
}

void Step::add_regularisation() {
  if (options_.n3 == 0.0) return;
  const auto add = model_.complex_numbers ? add_complex_cubic : add_cubic;
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    for (const Part part : {kSubject, kRelation, kObject}) {
      const auto weight = static_cast<float>(factor(part, penalty_) * options_.n3);
      add(weight, value(triple, part), gradient(triple, part), part_length(part));
    }
  }
}

void Step::make_deltas() {
  float* delta = deltas_.data();
  for (std::size_t triple = 0; triple < triples_; ++triple) {
    for (const Part part : {kSubject, kRelation, kObject}) {
      const auto l2 = static_cast<float>(factor(part, penalty_) * options_.l2);
      const auto rate = static_cast<float>(factor(part, options_.relation.rate) * options_.rate);
      adagrad(value(triple, part), gradient(triple, part), {l2, rate}, delta, part_length(part));
      delta += 2 * part_length(part);
    }
  }
  for (std::size_t i = 0; i < samples_; ++i) {
    adagrad(sample(i), sample_gradients_.data() + i * dimension_,
            {0.0F, static_cast<float>(options_.rate)}, delta, dimension_);
    delta += shared_.entity_floats();
  }
}

std::size_t Step::part_offset(Part part) const {
  return (part == kSubject ? 0 : dimension_) + (part == kObject ? options_.relation_length() : 0);
}

std::size_t Step::part_length(Part part) const {
  return part == kRelation ? options_.relation_length() : dimension_;
}

const float* Step::value(std::size_t triple, Part part) const {
  return values_.data() + triple * own_floats_ + 2 * part_offset(part);
}

const float* Step::embedding(std::size_t triple, Part part) const {
  if (dropped_.empty()) return value(triple, part);
  return dropped_.data() + triple * own_length_ + part_offset(part);
}

float* Step::gradient(std::size_t triple, Part part) {
  return own_gradients_.data() + triple * own_length_ + part_offset(part);
}

float* Step::query(std::size_t triple, std::size_t side) {
  return queries_.data() + (triple * kSides + side) * dimension_;
}

float* Step::query_gradient(std::size_t triple, std::size_t side) {
  return query_gradients_.data() + (triple * kSides + side) * dimension_;
}

std::size_t Step::sample_number(std::size_t triple, std::size_t side, std::size_t i) const {
  return options_.share_negatives ? i : (triple * kSides + side) * options_.negatives + i;
}

const float* Step::sample(std::size_t number) const {
  return values_.data() + triples_ * own_floats_ + number * shared_.entity_floats();
}

/// Of the loss, for the scores of a side's samples.
const float* Step::derivatives(std::size_t triple, std::size_t side) const {
  return derivatives_.data() + triple * row_ + 1 + side * options_.negatives;
}

std::span<float> Step::scores(std::size_t triple) {
  return std::span(scores_).subspan(triple * row_, row_);
}

double Step::flops() const {
  const double components = static_cast<double>(triples_ * (own_length_ + (row_ - 1) * dimension_));
  return kFlopsPerComponent * components +
         6.0 * static_cast<double>(triples_) * model_.query_flops(dimension_);
}

}  // namespace pslab::kge
