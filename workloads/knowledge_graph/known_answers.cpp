#include "workloads/knowledge_graph/known_answers.hpp"

#include <algorithm>
#include <utility>

namespace pslab::kge {
namespace {

using data::Triple;

void sort_distinct(std::vector<Triple>& triples) {
  std::sort(triples.begin(), triples.end());
  triples.erase(std::unique(triples.begin(), triples.end()), triples.end());
}

std::span<const Triple> find(const std::vector<Triple>& triples, std::uint32_t subject,
                             std::uint32_t relation) {
  const auto begin = std::lower_bound(triples.begin(), triples.end(), Triple{subject, relation, 0});
  const auto end = std::upper_bound(begin, triples.end(), Triple{subject, relation, 0xFFFFFFFFU});
  return {begin, end};
}

}  // namespace

KnownAnswers::KnownAnswers(std::initializer_list<std::span<const Triple>> parts) {
  for (const auto part : parts) by_subject_.insert(by_subject_.end(), part.begin(), part.end());
  by_object_ = by_subject_;
  for (Triple& triple : by_object_) std::swap(triple.subject, triple.object);
  sort_distinct(by_subject_);
  sort_distinct(by_object_);
}

std::span<const Triple> KnownAnswers::objects(std::uint32_t subject, std::uint32_t relation) const {
  return find(by_subject_, subject, relation);
}

std::span<const Triple> KnownAnswers::subjects(std::uint32_t object, std::uint32_t relation) const {
  return find(by_object_, object, relation);
}

std::uint64_t KnownAnswers::bytes() const {
  return (by_subject_.size() + by_object_.size()) * sizeof(Triple);
}

}  // namespace pslab::kge
