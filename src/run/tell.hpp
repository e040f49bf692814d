// What the processes of a run tell the one that watches it: lines on a pipe, which all of them may
// share. A line is "@NODE.WHAT" or a part of one ("@NODE+" with more to come), short enough to pass
// through a pipe whole. "@NODE!WHAT" takes the place of one whose parts have not all come. WHAT is
// a letter (Tell) and JSON.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/types.hpp"
#include "run/json.hpp"

namespace pslab::run {

enum class Tell : char {
  kSay = 'S',          ///< a text for the user and the log
  kLoaded = 'L',       ///< the data are there: list of what the readers have to say
  kEpoch = 'E',        ///< an epoch event
  kBeat = 'H',         ///< still alive: see Beat
  kSucceeded = 'D',    ///< null; the last line
  kFailed = 'F',       ///< text; the last line
  kBadInput = 'B',     ///< text: the data were refused; the last line
  kInterrupted = 'I',  ///< null: was asked to stop; the last line
};

/// How one process of a run is, every half second.
struct Beat {
  std::string event;        ///< what it did last
  std::string waits;        ///< who of it waits for what; empty: nobody
  std::uint64_t steps = 0;  ///< grows while it works at all
  double idle = 0.0;        ///< seconds since any of its workers went on
};
Json to_json(const Beat& beat);
Beat to_beat(const Json& json);

class Teller {
 public:
  /// Lines come from node `node` from now on. Ends the process when nobody listens any more.
  Teller(int descriptor, NodeId node) : descriptor_(descriptor), node_(node) {}
  void tell(Tell what, const Json& content) const;
  /// As tell(kInterrupted, null), from a signal handler.
  void tell_interrupted() const;

 private:
  void write_all(const char* bytes, std::size_t size) const;
  int descriptor_;
  NodeId node_;
};

struct Told {
  NodeId node = 0;
  Tell what = Tell::kSay;
  std::string text;  ///< JSON, as it was sent
};

class TellReader {
 public:
  /// Takes a line without its end. Empty: it was only a part, or no line of this kind at all
  /// (`foreign` is true then).
  std::optional<Told> take(const std::string& line, bool& foreign);

 private:
  std::map<NodeId, std::string> parts_;
};

}  // namespace pslab::run
