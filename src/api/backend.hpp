// Where a run is executed: inside a simulation, or on real processes. Backends register themselves;
// the run layer hands them a Program.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/cluster.hpp"
#include "api/runtime.hpp"

namespace pslab {

/// What a backend executes.
class Program {
 public:
  virtual ~Program() = default;
  /// Once per node of this process, before any worker runs.
  virtual Receiver& start_node(NodeRuntime& runtime) = 0;
  /// The whole life of a worker, on a thread or actor of its own. Throws RunError.
  virtual void run_worker(NodeId node, std::uint32_t local_index) = 0;
  /// What the run's clock shows when it begins: more than 0 for a run that goes on from a
  /// checkpoint, where all workers call WorkerRuntime::meet_at first. Failures of nodes that are to
  /// be injected have happened then. Seconds.
  virtual double begins_at() const { return 0.0; }
  /// Who waits for what, for the message of a run that does not go on.
  virtual std::string waiting_text() const = 0;
  /// The process is about to be killed, for this reason: by an injected fault.
  virtual void dying(const std::string& /*why*/) {}
};

/// How the processes of a run are started.
struct Launch {
  std::vector<std::pair<std::string, std::string>> environment;  ///< variables to set, and values
  std::vector<std::string> command;  ///< empty: the run needs no processes but the calling one
  std::vector<std::string> folders;  ///< to make before and to remove after
  std::vector<std::string> notes;    ///< what the user should know about it
  std::string advice;                ///< what to look at when no process comes up
};

/// How a run must be watched from outside. Seconds; 0: it need not be.
struct Watch {
  double answer_within = 0.0;  ///< a process that is silent for longer is lost, and the run with it
  double stall_limit = 0.0;    ///< the run has failed when no worker went on for longer
};

/// What the process of a run can say of itself while it is executed, from any thread.
struct Health {
  std::uint64_t steps = 0;    ///< grows as long as it works at all
  double idle_seconds = 0.0;  ///< since any of its workers went on; 0 while one does
};

class Backend {
 public:
  virtual ~Backend() = default;
  /// The processes must execute `program`, each once, on a cluster of which each is a node.
  /// `name`: one that no other run on this machine has now, for files; empty: only to be shown.
  virtual Launch launch(const ClusterSpec& /*cluster*/, const std::vector<std::string>& /*program*/,
                        const std::string& /*name*/) const {
    return {};
  }
  /// Throws InputError when the processes cannot be started from here, as far as that is known
  /// without trying.
  virtual void check_launch(const ClusterSpec& /*cluster*/) const {}
  virtual Watch watch() const { return {}; }
  /// Whether a worker may read a value while another one of its node adds to it.
  virtual bool torn_reads() const { return false; }
  /// In each process of a run, before join(): the node that it will be; nullopt: it is not known.
  virtual std::optional<NodeId> node_to_be(const ClusterSpec& /*cluster*/) const {
    return std::nullopt;
  }
  /// In each process of a run, before it loads data. Returns the node that it is; throws RunError
  /// when there are not as many processes as nodes.
  virtual NodeId join(const ClusterSpec& /*cluster*/) { return 0; }
  virtual Health health() const { return {}; }
  /// Returns when all workers have; throws RunError when the run failed (whatever the reason: a
  /// worker threw, nothing goes on any more, a node died, `stop` became true).
  virtual void execute(const ClusterSpec& cluster, Program& program,
                       const std::atomic<bool>& stop) = 0;
  /// Of the library underneath, for env.json: "SimGrid 3.32".
  virtual std::string version() const { return {}; }
};

}  // namespace pslab
