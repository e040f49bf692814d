#include "workloads/matrix_factorization/factors.hpp"

#include <algorithm>

#include "data/matrix_market.hpp"
#include "data/text_file_writer.hpp"

namespace pslab::mf {
namespace {

/// Floats that are held in memory at a time.
constexpr std::size_t kBuffer = std::size_t{1} << 24;

/// One of the two kinds of keys.
struct Side {
  const Names& names;
  Key first;
  std::uint32_t count;
};

class FactorWriter {
 public:
  FactorWriter(const Shared& shared, const std::filesystem::path& folder, const ReadValue& read)
      : shared_(shared), folder_(folder), read_(read), value_(shared.options.length()) {}

  std::vector<std::string> write() {
    const Side rows{shared_.row_names, 0, shared_.rows};
    const Side cols{shared_.col_names, shared_.column_key(0), shared_.cols};
    const std::size_t rank = shared_.options.rank;
    write_upright("W.mma", rows, 0, rank);
    write_flat("H.mma", cols);
    if (shared_.options.biases) {
      write_upright("row_biases.mma", rows, rank, 1);
      write_upright("column_biases.mma", cols, rank, 1);
    }
    if (shared_.options.center) {
      data::MatrixMarketArrayWriter file(path_of("mean.mma"), 1, 1);
      const auto mean = static_cast<float>(shared_.mean);
      file.write({&mean, 1});
      file.finish();
    }
    write_ids("row_ids.txt", rows);
    write_ids("column_ids.txt", cols);
    return files_;
  }

 private:
  std::string path_of(const std::string& name) {
    files_.push_back(name);
    return folder_ / name;
  }

  void read(const Side& side, std::uint32_t index) {
    read_(side.first + side.names.number(index), value_);
  }

  /// One row per key. The file holds one column after the other, so that keys are read several
  /// times where their values do not all fit into memory.
  void write_upright(const std::string& name, const Side& side, std::size_t first,
                     std::size_t width) {
    data::MatrixMarketArrayWriter file(path_of(name), side.count, width);
    const std::size_t at_once = std::clamp<std::size_t>(kBuffer / side.count, 1, width);
    std::vector<float> columns(at_once * side.count);
    for (std::size_t done = 0; done < width; done += at_once) {
      const std::size_t now = std::min(at_once, width - done);
      for (std::uint32_t index = 0; index < side.count; ++index) {
        read(side, index);
        for (std::size_t i = 0; i < now; ++i) {
          columns[i * side.count + index] = value_[first + done + i];
        }
      }
      file.write(std::span(columns).first(now * side.count));
    }
    file.finish();
  }

  /// One column per key: its factor.
  void write_flat(const std::string& name, const Side& side) {
    const std::size_t rank = shared_.options.rank;
    data::MatrixMarketArrayWriter file(path_of(name), rank, side.count);
    for (std::uint32_t index = 0; index < side.count; ++index) {
      read(side, index);
      file.write(std::span<const float>(value_).first(rank));
    }
    file.finish();
  }

  void write_ids(const std::string& name, const Side& side) {
    if (side.names.ids.empty()) return;
    data::TextFileWriter file(path_of(name));
    for (const std::string& id : side.names.ids) file.write(id + '\n');
    file.finish();
  }

  const Shared& shared_;
  const std::filesystem::path& folder_;
  const ReadValue& read_;
  std::vector<float> value_;
  std::vector<std::string> files_;
};

}  // namespace

std::vector<std::string> write_factors(const Shared& shared, const std::filesystem::path& folder,
                                       const ReadValue& read) {
  return FactorWriter(shared, folder, read).write();
}

}  // namespace pslab::mf
