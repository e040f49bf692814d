#include "data/dense_ids.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/types.hpp"
#include "data/cell_value.hpp"

namespace pslab::data {
namespace {

std::uint32_t parse_id(std::string_view field, const LineReader& at) {
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(field.begin(), field.end(), id);
  if (error != std::errc() || end != field.end() || id >= kMaxKeys) {
    fail_input("{}: the id '{}' is not an integer from 0 to {}; files of names end in .txt",
               at.place(), excerpt(field), kMaxKeys - 1);
  }
  return id;
}

}  // namespace

std::uint64_t most_ids(std::uint64_t named) {
  constexpr std::uint64_t kFew = 1'000'000;
  constexpr std::uint64_t kForEach = 10;
  return std::max(kFew, kForEach * named);
}

void split_columns(std::string_view line, const LineReader& at, std::string_view record,
                   std::span<std::string_view> fields) {
  const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t')) + 1;
  if (count != fields.size()) {
    fail_input("{}: {} separated by tabs in '{}'; a line is {}, without a header", at.place(),
               counted(count, "column"), excerpt(line), record);
  }
  std::size_t begin = 0;
  for (std::string_view& field : fields) {
    const std::size_t end = std::min(line.find('\t', begin), line.size());
    field = line.substr(begin, end - begin);
    if (field.empty()) {
      fail_input("{}: a column of '{}' is empty; a line is {}", at.place(), excerpt(line), record);
    }
    begin = end + 1;
  }
}

DenseIds::DenseIds(std::string kind, std::string list, Names keep)
    : kind_(std::move(kind)), list_(std::move(list)) {
  if (!list_.empty()) read_list(keep);
}

void DenseIds::read_list(Names keep) {
  LineReader lines(list_);
  std::vector<std::uint32_t> ids;
  std::vector<std::string> names;
  std::string_view line;
  while (lines.next(line)) {
    std::array<std::string_view, 2> fields;
    split_columns(line, lines, "id, name", fields);
    ids.push_back(parse_id(fields[0], lines));
    meet(ids.back(), lines);
    if (keep == Names::kKeep) names.emplace_back(fields[1]);
  }
  check();
  std::vector<bool> seen(count_, false);
  if (keep == Names::kKeep) names_.resize(count_);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (seen[ids[i]]) {
      fail_input("{}:{}: the id {} occurs a second time", list_, i + 1, ids[i]);
    }
    seen[ids[i]] = true;
    if (keep == Names::kKeep) names_[ids[i]] = std::move(names[i]);
  }
}

std::uint32_t DenseIds::id(std::string_view field, const LineReader& at) {
  const std::uint32_t id = parse_id(field, at);
  if (list_.empty()) {
    meet(id, at);
  } else if (id >= count_) {
    fail_input("{}: the id {} is not in {}, which has ids below {}", at.place(), id, list_, count_);
  }
  return id;
}

void DenseIds::meet(std::uint32_t id, const LineReader& at) {
  ++met_;
  if (id < count_) return;
  count_ = id + 1;
  largest_file_ = at.path();
  largest_line_ = at.number();
}

void DenseIds::check() const {
  const std::uint64_t most = most_ids(met_);
  if (count_ <= most) return;
  fail_input(
      "{}:{}: the {} id {} is too large: each number from 0 to the largest id gets an embedding, "
      "and with the {} here, ids below {} are allowed. Number them from 0 without gaps; or name "
      "the "
      "files of triples .txt, then ids are names and are numbered anew",
      largest_file_, largest_line_, kind_, count_ - 1, counted(met_, "id"), most);
}

}  // namespace pslab::data
