#include "config/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/scalar.hpp"

namespace pslab::config {
namespace {

/// The text that is read, and how its lines are named.
class Source {
 public:
  Source(std::string_view text, Origin origin, bool has_lines)
      : text_(text), origin_(std::move(origin)), has_lines_(has_lines) {}

  std::string_view text() const { return text_; }
  bool has_lines() const { return has_lines_; }
  Origin origin(int line) const { return has_lines_ ? Origin{origin_.source, line} : origin_; }
  /// `line` is 1-based.
  [[noreturn]] void fail(int line, std::string_view problem) const {
    fail_input("{}: {}.", origin(line).text(), problem);
  }

 private:
  std::string_view text_;
  Origin origin_;
  bool has_lines_;
};

int line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 1 : mark.line + 1;
}

/// Builds the tree from yaml-cpp's events. Its Node interface is not used, because that has already
/// dropped second documents and replaced aliases.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Source& source) : source_(source) {}

  Value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 1) return;
    source_.fail(line_of(mark),
                 "a second document starts here, or text follows the end of the first one. "
                 "Keep one document per file; check the indentation, the brackets and '---'");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (expects_key()) fail(mark, "a key is empty. Put a name before the ':'");
    add(mark, Value());
  }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    fail(mark, fmt::format("anchors are not supported, seen '&{}'. Write the value out where it is "
                           "needed; start a text with '&' by putting it in quotes",
                           printable(name)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "aliases ('*name') are not supported. Write the value out");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    check_one_line(mark, quoted, text);
    if (expects_key()) {
      set_key(mark, text);
    } else if (quoted) {
      add(mark, Value(text));
    } else {
      PlainScalar scalar = read_plain(text);
      if (!scalar.problem.empty()) fail(mark, printable(scalar.problem));
      add(mark, std::move(scalar.value));
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Value(List{}));
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, Value(Map{}));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Value value;
    int line = 0;
    bool has_key = false;
    std::string key{};
    int key_line = 0;
    std::unordered_map<std::string, int> lines_of_keys{};
  };

  bool expects_key() const {
    return !frames_.empty() && frames_.back().value.is_map() && !frames_.back().has_key;
  }

  std::string path() const {
    std::string result;
    // A value from elsewhere than a file stands in a pair of brackets that nobody wrote.
    for (std::size_t i = source_.has_lines() ? 0 : 1; i < frames_.size(); ++i) {
      const Frame& frame = frames_[i];
      if (const List* list = frame.value.list()) result += fmt::format("[{}]", list->size());
      if (!frame.has_key) continue;
      if (!result.empty()) result += '.';
      result += printable(frame.key);
    }
    return result;
  }

  [[noreturn]] void fail(const YAML::Mark& mark, std::string_view problem) const {
    const std::string where = path();
    source_.fail(line_of(mark),
                 where.empty() ? std::string(problem) : fmt::format("{}: {}", where, problem));
  }

  // yaml-cpp gives "?" for a plain scalar or collection, "!" for a quoted scalar, but also "!" for
  // anything tagged with a lone exclamation mark; only the text itself tells these two apart.
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    const auto at = static_cast<std::size_t>(mark.pos);
    const bool exclaimed = mark.pos >= 0 && at < source_.text().size() && source_.text()[at] == '!';
    if (tag == "?" || tag.empty() || (tag == "!" && !exclaimed)) return;
    fail(mark,
         "tags ('!...') are not supported. Remove the tag; start a text with '!' by putting "
         "it in quotes");
  }

  // YAML lets a scalar go on in the next line, and yaml-cpp even ends an open quote at the end of
  // the file. Both are more often a forgotten quote, comma or ':' than meant.
  void check_one_line(const YAML::Mark& mark, bool quoted, const std::string& text) const {
    const auto at = std::min(static_cast<std::size_t>(mark.pos), source_.text().size());
    const std::string_view written = source_.text().substr(at);
    const std::string_view line = written.substr(0, written.find('\n'));
    if (!quoted && !line.starts_with(text)) {
      fail(mark,
           "a value without quotes goes on in the next line. Check the indentation and commas, "
           "or write a long text in quotes on one line");
    }
    if (quoted && !line.empty() && !ends_quote(line)) {
      fail(mark, "a quote is not closed on its line. Close it; for several lines use '|' or \\n");
    }
  }

  // Whether the quoted scalar that `line` begins with ends in it; true for a block scalar.
  static bool ends_quote(std::string_view line) {
    const char quote = line[0];
    if (quote != '"' && quote != '\'') return true;
    for (std::size_t i = 1; i < line.size(); ++i) {
      if (quote == '"' && line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        if (quote == '"' || i + 1 == line.size() || line[i + 1] != quote) return true;
        ++i;
      }
    }
    return false;
  }

  void set_key(const YAML::Mark& mark, const std::string& key) {
    Frame& frame = frames_.back();
    const int line = line_of(mark);
    if (key == "<<") {
      fail(mark, "merge keys ('<<') are not supported. Write the members out");
    }
    frame.key = key;
    frame.key_line = line;
    frame.has_key = true;
    const auto [first, is_new] = frame.lines_of_keys.emplace(key, line);
    if (is_new) return;
    fail(mark, fmt::format("the same key twice in one map (first in line {}). Keep one of them",
                           first->second));
  }

  void open(const YAML::Mark& mark, const std::string& tag, Value empty) {
    refuse_tag(mark, tag);
    if (expects_key())
      fail(mark,
           "a list or map cannot be a key. Put the key in quotes, and close every '{' and '['");
    if (frames_.size() >= kMaxDepth) {
      fail(mark, fmt::format("more than {} levels of lists and maps", kMaxDepth));
    }
    frames_.push_back({.value = std::move(empty), .line = line_of(mark)});
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    add(frame.line, std::move(frame.value));
  }

  void add(const YAML::Mark& mark, Value value) { add(line_of(mark), std::move(value)); }

  void add(int line, Value value) {
    if (frames_.empty()) {
      value.set_origin(source_.origin(line));
      root_ = std::move(value);
      return;
    }
    Frame& parent = frames_.back();
    if (List* list = parent.value.list()) {
      value.set_origin(source_.origin(line));
      list->push_back(std::move(value));
      return;
    }
    // A member stands where its key stands, though a nested map begins a line later.
    value.set_origin(source_.origin(parent.key_line));
    parent.value.map()->emplace_back(std::move(parent.key), std::move(value));
    parent.has_key = false;
  }

  const Source& source_;
  std::vector<Frame> frames_;
  Value root_;
  int documents_ = 0;
};

// What yaml-cpp would misread without a word: bytes that are no UTF-8, 0x04 (its end of file), a
// carriage return alone (it joins the two lines), and tabs that it counts as one column.
void check_bytes(const Source& source) {
  std::string_view rest = source.text();
  int line = 1;
  bool in_indent = true;
  while (!rest.empty()) {
    const std::size_t length = utf8_length(rest);
    const auto byte = static_cast<unsigned char>(rest[0]);
    if (length == 0) {
      source.fail(line,
                  fmt::format("the byte \\x{:02x} is not UTF-8. Save the file as UTF-8", byte));
    }
    const bool line_end = byte == '\n' || rest.starts_with("\r\n");
    if ((byte < 0x20 && byte != '\t' && !line_end) || byte == 0x7F) {
      source.fail(line, fmt::format("the control character \\x{:02x} is not allowed. Remove it, or "
                                    "write it as \"\\x{:02x}\" in double quotes",
                                    byte, byte));
    }
    if (in_indent && byte == '\t') {
      source.fail(line, "a tab in the indentation. Indent with spaces");
    }
    if (byte == '\n') ++line;
    in_indent = byte == '\n' || (in_indent && byte == ' ');
    rest.remove_prefix(length);
  }
}

// yaml-cpp's messages name its grammar; these name what the writer can look for.
std::string_view hint(std::string_view message) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kHints = {{
      {"illegal map value",
       "a ':' where no key can stand; check the indentation, and put a text "
       "with ': ' in it in quotes"},
      {"end of map not found", "check the indentation and what stands before this place"},
      {"end of sequence not found", "check the indentation and what stands before this place"},
      {"end of map flow not found", "a '{' without its '}', or a ',' is missing"},
      {"end of sequence flow not found", "a '[' without its ']', or a ',' is missing"},
      {"illegal EOF in scalar", "a quote is not closed"},
      {"unknown token", "put a text that starts with a special character in quotes"},
  }};
  for (const auto& [text, advice] : kHints) {
    if (message == text) return advice;
  }
  return "check the indentation, the brackets and the quotes";
}

Value build(const Source& source) {
  check_bytes(source);
  TreeBuilder builder(source);
  std::istringstream stream{std::string(source.text())};
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    source.fail(line_of(error.mark), fmt::format("not valid YAML at column {}: {} ({})",
                                                 error.mark.column < 0 ? 1 : error.mark.column + 1,
                                                 error.msg, hint(error.msg)));
  }
  return builder.take();
}

std::string read_file(const std::string& path) {
  const std::string name = printable(path);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail_input("{}: is a directory. Name the YAML file in it.", name);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fail_input("{}: cannot be opened: {}.", name, open_failure(path, errno));
  }
  // One byte more than allowed tells a file that is too large, be it a pipe without an end.
  std::string text(kMaxFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) {
    fail_input("{}: cannot be read: {}.", name, std::generic_category().message(errno));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFileBytes) {
    fail_input("{}: is larger than {}, too large for a config.", name,
               human_bytes(static_cast<double>(kMaxFileBytes)));
  }
  return text;
}

/// The top-level map; null where nothing is written.
Value parse_top(std::string_view text, const std::string& source_name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const Source source(text, Origin{printable(source_name), 0}, true);
  Value value = build(source);
  if (value.is_null() || value.is_map()) return value;
  const std::string* scalar = value.text();
  const bool no_space = scalar != nullptr && scalar->find(':') != std::string::npos;
  source.fail(value.origin().line,
              fmt::format("expected 'key: value' lines at the top level, seen {}{}",
                          value.describe(), no_space ? ". Put a space after each colon" : ""));
}

}  // namespace

Value parse_yaml(std::string_view text, const std::string& source) {
  Value value = parse_top(text, source);
  return value.is_null() ? Value(Map{}, Origin{printable(source), 1}) : value;
}

Value load_yaml(const std::string& path) {
  Value value = parse_top(read_file(path), path);
  if (value.is_null()) {
    fail_input(
        "{}: is empty, or has comments only. Write 'key: value' lines, or {{}} if everything is to "
        "have its default.",
        printable(path));
  }
  return value;
}

Value parse_yaml_value(std::string_view text, const Origin& origin) {
  // Inside brackets, flow style holds for the whole text, and a second value cannot go unseen. The
  // line break keeps a comment from swallowing the closing bracket.
  const std::string bracketed = fmt::format("[{}\n]", text);
  const Source source(bracketed, origin, false);
  Value list = build(source);
  if (!list.is_list()) source.fail(1, "not a value in YAML flow style. Check the brackets");
  if (list.list()->size() != 1) {
    source.fail(1, list.list()->empty()
                       ? std::string("the value is empty. Give one, or \"\" for an empty text")
                       : fmt::format("{} values where one is expected. Put a list in [ ], and a "
                                     "text with ',' in it in quotes",
                                     list.list()->size()));
  }
  return std::move(list.list()->front());
}

}  // namespace pslab::config
