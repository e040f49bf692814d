#include "workloads/knowledge_graph/model_files.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <span>

#include "data/npy_writer.hpp"
#include "data/text_file_writer.hpp"
#include "workloads/knowledge_graph/prepare.hpp"

namespace pslab::kge {
namespace {

/// The entities, or the relations.
struct Group {
  std::string name;
  std::vector<std::string> names;    ///< by id; empty: the ids
  std::vector<std::uint32_t> order;  ///< of each id, its number in the key space
  std::vector<std::size_t> shape;    ///< of one embedding
  std::function<Key(std::uint32_t)> key;

  std::string name_of(std::size_t id) const {
    return names.empty() || names[id].empty() ? std::to_string(id) : names[id];
  }
};

/// Calls `write` with each id and its embedding.
template <typename Write>
void for_each(const Group& group, const ReadValue& read, Write write) {
  std::size_t length = 1;
  for (const std::size_t side : group.shape) length *= side;
  std::vector<float> value(2 * length);  // behind the embedding: AdaGrad's sums
  for (std::size_t id = 0; id < group.order.size(); ++id) {
    read(group.key(group.order[id]), value);
    write(id, std::span<const float>(value).first(length));
  }
}

std::vector<std::string> write_tsv(const Group& group, const std::filesystem::path& folder,
                                   const ReadValue& read) {
  const std::string file = group.name + ".tsv";
  data::TextFileWriter out((folder / file).string());
  for_each(group, read, [&](std::size_t id, std::span<const float> embedding) {
    std::string line = group.name_of(id);
    for (const float x : embedding) fmt::format_to(std::back_inserter(line), "\t{}", x);
    out.write(line + "\n");
  });
  out.finish();
  return {file};
}

std::vector<std::string> write_npy(const Group& group, const std::filesystem::path& folder,
                                   const ReadValue& read) {
  const std::string array = group.name + ".npy";
  const std::string names = group.name + ".txt";
  std::vector<std::size_t> shape = {group.order.size()};
  shape.insert(shape.end(), group.shape.begin(), group.shape.end());
  data::NpyWriter out((folder / array).string(), shape);
  data::TextFileWriter lines((folder / names).string());
  for_each(group, read, [&](std::size_t id, std::span<const float> embedding) {
    out.write(embedding);
    lines.write(group.name_of(id) + "\n");
  });
  out.finish();
  lines.finish();
  return {array, names};
}

}  // namespace

std::vector<std::string> model_formats() {
  return {"tsv", "npy"};
}

std::vector<std::string> write_model(const Shared& shared, const std::string& format,
                                     const std::filesystem::path& folder, const ReadValue& read) {
  data::Triples triples = shared.dataset.load(shared.root, {}, data::Names::kKeep);
  const std::size_t length = shared.options.relation_length();
  const std::size_t n = shared.options.dimension;
  const Group entities{.name = "entities",
                       .names = std::move(triples.entity_names),
                       .order = entity_order(shared.entities, shared.seed),
                       .shape = {n},
                       .key = [](std::uint32_t number) { return Key{number}; }};
  const Group relations{.name = "relations",
                        .names = std::move(triples.relation_names),
                        .order = relation_order(shared.relations, shared.seed),
                        .shape = length == n * n ? std::vector{n, n} : std::vector{length},
                        .key = [&](std::uint32_t number) { return shared.relation_key(number); }};
  std::vector<std::string> files;
  for (const Group* group : {&entities, &relations}) {
    const std::vector<std::string> more =
        format == "npy" ? write_npy(*group, folder, read) : write_tsv(*group, folder, read);
    files.insert(files.end(), more.begin(), more.end());
  }
  return files;
}

}  // namespace pslab::kge
