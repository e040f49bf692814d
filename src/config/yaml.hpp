// Strict YAML reading on top of yaml-cpp 0.7. What YAML or yaml-cpp would let pass silently is
// either an error or has one documented meaning:
//  - the same key twice in one map, a second document, merge keys (<<), anchors, aliases, tags:
//  errors;
//  - integers are decimal (0 or no leading zero; _ separators not allowed); 010, 0x10: errors that
//  say so;
//  - reals: decimal with optional exponent; nan and inf: errors;
//  - booleans: true and false only; yes, no, on, off and other spellings: errors that say so;
//  - a scalar ends on its line (except | and > blocks): going on in the next line, or a quote that
//    is never closed, are errors;
//  - a quoted scalar is always text; an empty value is null (and options refuse null);
//  - keys are text, so `1: x` has the key "1"; an empty key, or a list or map as a key: errors;
//  - the text is UTF-8, with or without a byte order mark, lines end with LF or CRLF; other control
//    characters (yaml-cpp takes 0x04 for the end of the file), and tabs in the indentation: errors;
//  - nesting deeper than kMaxDepth, a file larger than kMaxFileBytes: errors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "config/value.hpp"

namespace pslab::config {

inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxFileBytes = std::size_t{16} << 20;

/// Reads a file, or a pipe, whose top level is a map. InputError names the file, the line and the
/// system's reason; a file in which nothing is written is one too.
Value load_yaml(const std::string& path);

/// The same for YAML text, but an empty one is an empty map; `source` names it in messages.
Value parse_yaml(std::string_view text, const std::string& source);

/// Reads exactly one value of any type in flow style. Every value in it gets `origin`.
Value parse_yaml_value(std::string_view text, const Origin& origin);

/// Block-style YAML, two-space indent, that load_yaml reads back to an equal value (a map).
std::string dump_yaml(const Value& value);

}  // namespace pslab::config
