// The only file that calls MPI: plain C API, MPI_THREAD_SERIALIZED.
//
// A transfer is one message, or several that were joined (tag kJoined): their sizes are in their
// headers. Sending never blocks: requests are kept with their bytes until MPI is done with them.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "base/error.hpp"
#include "real/transport.hpp"

namespace pslab::real {
namespace {

constexpr int kSingle = 1;
constexpr int kJoined = 2;

void must(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(result, text, &length);
  fail_run("MPI cannot {}: {}", what, std::string_view(text, static_cast<std::size_t>(length)));
}

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(NodeId nodes) {
    int granted = 0;
    must(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &granted), "start");
    must(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "set its error handler");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (granted < MPI_THREAD_SERIALIZED) {
      fail_run("this MPI library does not let several threads take turns (MPI_THREAD_SERIALIZED)");
    }
    if (static_cast<NodeId>(size_) != nodes) {
      fail_run("the run needs {} processes, one per node (cluster.nodes), but {} were started",
               nodes, size_);
    }
  }

  NodeId node() const override { return static_cast<NodeId>(rank_); }
  NodeId num_nodes() const override { return static_cast<NodeId>(size_); }

  void send(NodeId to, std::vector<Message>& messages) override {
    if (messages.size() == 1) {
      start(to, std::move(messages.front()), kSingle);
    } else {
      std::size_t total = 0;
      for (const Message& message : messages) total += message.size();
      Message joined = Message::of_size(total);
      std::byte* next = joined.bytes().data();
      for (Message& message : messages) {
        std::memcpy(next, message.bytes().data(), message.size());
        next += message.size();
      }
      start(to, std::move(joined), kJoined);
    }
    messages.clear();
  }

  bool poll(std::size_t most, Receiver& receiver) override {
    if (!under_way_.empty()) drop_sent();
    std::size_t taken = 0;
    for (; taken < most; ++taken) {
      int found = 0;
      MPI_Message handle{};
      MPI_Status status{};
      must(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &handle, &status),
           "look for messages");
      if (found == 0) break;
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Message message = Message::of_size(static_cast<std::size_t>(size));
      must(MPI_Mrecv(message.bytes().data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE),
           "receive");
      if (status.MPI_TAG == kSingle) {
        receiver.receive(std::move(message));
      } else {
        take_apart(message, receiver);
      }
    }
    return taken > 0;
  }

  bool all_sent() override {
    drop_sent();
    return under_way_.empty();
  }

  void begin_barrier() override { must(MPI_Ibarrier(MPI_COMM_WORLD, &barrier_), "synchronise"); }
  bool barrier_done() override {
    int done = 0;
    must(MPI_Test(&barrier_, &done, MPI_STATUS_IGNORE), "synchronise");
    return done != 0;
  }

  void close() override { MPI_Finalize(); }

 private:
  void start(NodeId to, Message message, int tag) {
    if (message.size() > kLargest) {
      fail_run("a message of {} bytes is larger than the {} that MPI sends at once", message.size(),
               kLargest);
    }
    MPI_Request request{};
    must(MPI_Isend(message.bytes().data(), static_cast<int>(message.size()), MPI_BYTE,
                   static_cast<int>(to), tag, MPI_COMM_WORLD, &request),
         "send");
    int done = 0;
    must(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "send");
    if (done != 0) return;
    under_way_.push_back(request);
    bytes_.push_back(std::move(message));
  }

  void drop_sent() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < under_way_.size(); ++i) {
      int done = 0;
      must(MPI_Test(&under_way_[i], &done, MPI_STATUS_IGNORE), "send");
      if (done != 0) continue;
      if (kept != i) {
        under_way_[kept] = under_way_[i];
        bytes_[kept] = std::move(bytes_[i]);
      }
      ++kept;
    }
    under_way_.resize(kept);
    bytes_.resize(kept);
  }

  void take_apart(const Message& joined, Receiver& receiver) {
    parts_.clear();
    std::span<const std::byte> rest = joined.bytes();
    while (!rest.empty()) {
      MessageHeader header;
      std::memcpy(&header, rest.data(), sizeof(header));
      Message message(header);
      std::memcpy(message.bytes().data(), rest.data(), message.size());
      rest = rest.subspan(message.size());
      receiver.expect(message);
      parts_.push_back(std::move(message));
    }
    for (Message& message : parts_) receiver.receive(std::move(message));
  }

  static constexpr std::size_t kLargest = 0x7FFFFFFF;

  int rank_ = 0;
  int size_ = 0;
  std::vector<MPI_Request> under_way_;
  std::vector<Message> bytes_;  ///< of these
  std::vector<Message> parts_;  ///< of a joined transfer, while they are received
  MPI_Request barrier_ = MPI_REQUEST_NULL;
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(NodeId nodes) {
  return std::make_unique<MpiTransport>(nodes);
}

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view version(text, static_cast<std::size_t>(length));
  return std::string(version.substr(0, version.find(',')));
}

}  // namespace pslab::real
