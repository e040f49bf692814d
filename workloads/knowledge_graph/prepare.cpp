#include "workloads/knowledge_graph/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "base/random.hpp"
#include "workloads/knowledge_graph/shares.hpp"

namespace pslab::kge {
namespace {

using data::Triple;

std::vector<std::uint32_t> random_order(const char* purpose, std::uint32_t count,
                                        std::uint64_t seed) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  Random(seed, purpose).shuffle(std::span(numbers));
  return numbers;
}

void shuffle(data::Triples& triples, std::uint64_t seed) {
  const auto entities = entity_order(triples.entities, seed);
  const auto relations = relation_order(triples.relations, seed);
  for (auto* part : {&triples.train, &triples.valid, &triples.test}) {
    for (Triple& triple : *part) {
      triple = {entities[triple.subject], relations[triple.relation], entities[triple.object]};
    }
  }
  Random(seed, "share order").shuffle(std::span(triples.train));
}

std::vector<std::string> report_of(const data::Triples& triples) {
  std::vector<std::string> report = {fmt::format(
      "{} entities, {} relations, {} training, {} validation, {} test triples", triples.entities,
      triples.relations, triples.train.size(), triples.valid.size(), triples.test.size())};
  report.insert(report.end(), triples.notes.begin(), triples.notes.end());
  if (triples.leaked != 0) {
    report.push_back(fmt::format(
        "warning: {} test triples are training triples too (leak); the test metrics are too good",
        triples.leaked));
  }
  return report;
}

/// Splits the ranked triples off, and counts those with what training does not know.
class HoldOut {
 public:
  HoldOut(const data::Triples& triples, const EvaluationOptions& options)
      : triples_(triples), options_(options), seen_(triples) {}

  void add(const std::string& split, Shared& shared, std::vector<std::string>& report) const {
    const bool test = split == "test";
    std::vector<Triple> ranked = test ? triples_.test : triples_.valid;
    const auto unseen = std::partition(ranked.begin(), ranked.end(),
                                       [&](const Triple& triple) { return seen_.all_of(triple); });
    if (unseen != ranked.end()) {
      report.push_back(
          fmt::format("{} of {} {} triples have an entity or relation without training triples; {}",
                      ranked.end() - unseen, ranked.size(), split,
                      options_.drop_unseen ? "they are dropped from the metrics"
                                           : "they count as all others do"));
    }
    if (options_.drop_unseen) ranked.erase(unseen, ranked.end());
    if (ranked.empty()) {
      report.push_back(fmt::format("there are no {} triples to rank: no {} metrics", split, split));
      return;
    }
    const std::vector<Triple> none;
    KnownAnswers known({triples_.train, options_.filter_valid || !test ? triples_.valid : none,
                        options_.filter_test || test ? triples_.test : none});
    shared.held_out.push_back({split, std::move(ranked), std::move(known)});
  }

 private:
  const data::Triples& triples_;
  const EvaluationOptions& options_;
  const data::Seen seen_;
};

void partition_relations(const LoadContext& context, Shared& shared,
                         std::vector<std::string>& report) {
  shared.slices =
      slices_by_relation(shared.train, shared.relations, context.nodes, context.workers_per_node);
  std::size_t most = 0;
  for (NodeId node = 0; node < context.nodes; ++node) {
    const WorkerId first = node * context.workers_per_node;
    most = std::max(most, shared.share(first, first + context.workers_per_node).size());
  }
  report.push_back(
      fmt::format("relations are partitioned: of {} training triples the busiest of {} nodes has "
                  "{}",
                  shared.train.size(), context.nodes, most));
}

void deal_out(const LoadContext& context, Shared& shared, std::vector<std::string>& report) {
  const WorkerId workers = context.nodes * context.workers_per_node;
  if (shared.options.partition_relations) {
    partition_relations(context, shared, report);
  } else {
    shared.slices = equal_slices(shared.train.size(), workers);
  }
  WorkerId idle = 0;
  for (WorkerId worker = 0; worker < workers; ++worker) {
    if (shared.share(worker, worker + 1).empty()) ++idle;
  }
  if (idle != 0) {
    report.push_back(fmt::format("{} of {} workers have no training triples", idle, workers));
  }
}

}  // namespace

std::vector<std::uint32_t> entity_order(std::uint32_t entities, std::uint64_t seed) {
  return random_order("entity order", entities, seed);
}

std::vector<std::uint32_t> relation_order(std::uint32_t relations, std::uint64_t seed) {
  return random_order("relation order", relations, seed);
}

std::vector<std::string> prepare(data::Triples triples, const LoadContext& context,
                                 Shared& shared) {
  if (triples.train.empty()) throw InputError("the data set has no training triples");
  if (triples.entities < 2) throw InputError("the data set has one entity: no negative samples");
  if (shared.options.evaluation.valid && triples.valid.empty()) {
    fail_input(
        "workload.evaluation.split: there are no validation triples to rank, seen {}. Set test, or "
        "give data with a valid file",
        shared.options.evaluation.test ? "both" : "valid");
  }
  std::vector<std::string> report = report_of(triples);
  shuffle(triples, context.seed);
  shared.seed = context.seed;
  shared.root = context.root;
  shared.epochs = context.epochs;
  shared.entities = triples.entities;
  shared.relations = triples.relations;
  const EvaluationOptions& evaluation = shared.options.evaluation;
  const HoldOut hold_out(triples, evaluation);
  if (evaluation.test) hold_out.add("test", shared, report);
  if (evaluation.valid) hold_out.add("valid", shared, report);
  shared.train = std::move(triples.train);
  deal_out(context, shared, report);
  return report;
}

}  // namespace pslab::kge
