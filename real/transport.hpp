// Moves messages between the processes of a run. Used by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "api/message.hpp"
#include "api/runtime.hpp"
#include "base/types.hpp"

namespace pslab::real {

class Transport {
 public:
  virtual ~Transport() = default;
  virtual NodeId node() const = 0;
  virtual NodeId num_nodes() const = 0;
  /// Starts to send; returns at once. The messages arrive in order, after all sent there before.
  /// With several, they travel as one.
  virtual void send(NodeId to, std::vector<Message>& messages) = 0;
  /// Takes in at most `most` transfers that have come in, for each message calling
  /// receiver.receive(), and drops what has been sent. Whether anything came in.
  virtual bool poll(std::size_t most, Receiver& receiver) = 0;
  /// Whether nothing that was sent is still on its way out.
  virtual bool all_sent() = 0;
  /// Starts to wait for all other processes / whether all of them have come as far. For the two
  /// ends of a run.
  virtual void begin_barrier() = 0;
  virtual bool barrier_done() = 0;
  /// Ends it: no call may follow.
  virtual void close() = 0;
};

/// Joins the other processes that the launcher has started. Throws RunError when there are not
/// `nodes` of them.
std::unique_ptr<Transport> make_mpi_transport(NodeId nodes);
std::string mpi_version();

}  // namespace pslab::real
