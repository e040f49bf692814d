// Text helpers for messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pslab {

/// The name nearest to `seen` by edit distance (with transpositions; case, '-' and '_' do not
/// count), or one that `seen` abbreviates, or "" when none is near.
std::string nearest_name(std::string_view seen, const std::vector<std::string>& names);

/// " Did you mean 'x'?" or "".
std::string did_you_mean(std::string_view seen, const std::vector<std::string>& names);

/// Items joined by `separator`.
std::string join(const std::vector<std::string>& items, std::string_view separator);

/// The length in bytes of the valid UTF-8 character that `bytes` begins with; 0: there is none.
std::size_t utf8_length(std::string_view bytes);

/// Bytes that are not valid UTF-8, and control characters, become \xNN; for names from files.
std::string printable(std::string_view bytes);

/// Why `path` cannot be opened (`reason`: errno), with what to know or do about it.
std::string open_failure(const std::string& path, int reason);

/// Why a thread could not be started (`reason`: the system's), with what to do about it.
std::string thread_failure(const std::string& reason);

/// The shortest decimal text that reads back to the same double ("0.1", "1e-05", "inf").
std::string shortest(double value);

/// "1 epoch", "2 epochs"; `noun` takes an s.
std::string counted(std::uint64_t count, std::string_view noun);

/// `word` as a shell reads it back: in quotes where need be.
std::string shell_quoted(const std::string& word);

/// 1536 -> "1.5 KiB" of memory; 1500 -> "1.5 kB" over a network, whose speeds count in powers of
/// 1000 too; 0.00025 s -> "250 us". Three significant digits.
std::string human_bytes(double bytes);
std::string human_traffic(double bytes);
std::string human_seconds(double seconds);

}  // namespace pslab
