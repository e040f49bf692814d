// What the processes of a run tell the one that watches it: records on a pipe, which all of them
// may share through a launcher. A record is "\x02NODE.WHAT\x03\n"; WHAT is a letter (Tell) and
// JSON. "\x02NODE!WHAT\x03\n" takes the place of a record that was not told to its end.
//
// A launcher passes records on in fragments, those of several processes mixed, but it names the
// process before each ("[1,NODE]<stdout>:"), so that they can be put together again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "run/json.hpp"

namespace pslab::run {

enum class Tell : char {
  kSay = 'S',          ///< a text for the user and the log
  kLoaded = 'L',       ///< the data are there: list of what the readers have to say
  kEpoch = 'E',        ///< an epoch event
  kBeat = 'H',         ///< still alive: see Beat
  kSucceeded = 'D',    ///< null; the last record
  kFailed = 'F',       ///< text; the last record
  kBadInput = 'B',     ///< text: the data were refused; the last record
  kInterrupted = 'I',  ///< null: was asked to stop; the last record
};

/// How one process of a run is, every half second.
struct Beat {
  std::string event;        ///< what it did last
  std::string waits;        ///< who of it waits for what; empty: nobody
  std::uint64_t steps = 0;  ///< grows while it works at all
  double idle = 0.0;        ///< seconds since any of its workers went on
  bool joined = false;      ///< all processes have met
};
Json to_json(const Beat& beat);
Beat to_beat(const Json& json);

class Teller {
 public:
  /// Records come from node `node` from now on. Ends the process when nobody listens any more.
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

/// A piece of a line that a launcher passed on.
struct Fragment {
  std::optional<NodeId> node;  ///< that printed it; none: the launcher itself
  std::string text;
};
std::vector<Fragment> fragments(const std::string& line);

class TellReader {
 public:
  /// Takes a line without its end. What is no record goes to `foreign`.
  std::vector<Told> take(const std::string& line, std::vector<std::string>& foreign);

 private:
  std::map<std::int64_t, std::string> begun_;  ///< not yet whole, by node; -1: not named
};

}  // namespace pslab::run
