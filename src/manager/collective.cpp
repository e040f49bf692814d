#include "manager/collective.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/text.hpp"
#include "manager/node_core.hpp"

namespace pslab::manager {

namespace {
constexpr NodeId kHub = 0;
constexpr double kFirstProbeDelay = 10e-6;  // seconds; doubles up to the longest
constexpr double kLongestProbeDelay = 10e-3;
constexpr double kLostAfter =
    60.0;  // seconds without any change while updates seem to be under way
}  // namespace

Collective::Collective(NodeCore& node, std::uint32_t workers, Fold fold)
    : node_(node), workers_(workers), fold_(std::move(fold)), local_(workers) {}

void Collective::arrive(std::uint32_t worker, Gather mode, std::vector<double> numbers) {
  mode_ = mode;
  local_[worker] = std::move(numbers);
  if (++arrived_ < workers_) return;
  if (mode == Gather::kSettle && node_.hubs() != nullptr) node_.hubs()->settle();
  // Each worker's numbers, preceded by how many there are.
  std::vector<double> all;
  for (std::vector<double>& mine : local_) {
    all.push_back(static_cast<double>(mine.size()));
    all.insert(all.end(), mine.begin(), mine.end());
    mine.clear();
  }
  send(kHub, Step::kArrive, all);
}

void Collective::send(NodeId to, Step step, const std::vector<double>& numbers) {
  if (to == node_.node()) {
    handle(to, step, numbers);
    return;
  }
  MessageHeader header;
  header.kind = MessageKind::kCollective;
  header.origin = node_.node();
  header.worker = static_cast<std::uint32_t>(mode_);
  header.op = static_cast<std::uint32_t>(step);
  header.num_floats = static_cast<std::uint32_t>(numbers.size() * 2);
  Message message(header);
  if (!numbers.empty()) {
    std::memcpy(message.floats().data(), numbers.data(), numbers.size() * sizeof(double));
  }
  node_.transmit(to, std::move(message));
}

void Collective::broadcast(Step step, const std::vector<double>& numbers) {
  for (NodeId to = 0; to < node_.num_nodes(); ++to) {
    if (to != node_.node()) send(to, step, numbers);
  }
  send(node_.node(), step, numbers);
}

std::string Collective::waiting_text() const {
  constexpr std::size_t kMost = 8;
  std::string text;
  if (arrived_ > 0) {
    text = fmt::format("{} of {} on node {} {} at a barrier", arrived_, counted(workers_, "worker"),
                       node_.node(), arrived_ == 1 ? "waits" : "wait");
  }
  std::vector<std::string> missing;
  for (NodeId node = 0; node < missing_.size(); ++node) {
    if (missing_[node]) missing.push_back(fmt::format("{}", node));
  }
  if (missing.empty()) return text;
  const bool more = missing.size() > kMost;
  missing.resize(std::min(missing.size(), kMost));
  if (!text.empty()) text += ", and ";
  return text + fmt::format("the barrier still waits for {} {}{}",
                            missing.size() == 1 ? "node" : "nodes", join(missing, ", "),
                            more ? ", ..." : "");
}

void Collective::receive(Message message) {
  const auto floats = message.floats();
  std::vector<double> numbers(floats.size() / 2);
  if (!numbers.empty()) {
    std::memcpy(numbers.data(), floats.data(), numbers.size() * sizeof(double));
  }
  handle(message.header().origin, static_cast<Step>(message.header().op), std::move(numbers));
}

void Collective::handle(NodeId from, Step step, std::vector<double> numbers) {
  switch (step) {
    case Step::kArrive:
      return on_arrive(from, std::move(numbers));
    case Step::kProbe:
      return on_probe();
    case Step::kReport:
      return on_report(numbers);
    case Step::kSync:
      return node_.replicas().run_until(static_cast<std::uint32_t>(numbers[0]),
                                        &NodeCore::replicas_synced);
    case Step::kSynced:
      return on_synced();
    case Step::kRelease:
      return on_release(std::move(numbers));
  }
}

void Collective::on_arrive(NodeId from, std::vector<double> numbers) {
  all_.resize(std::size_t{node_.num_nodes()} * workers_);
  std::size_t next = 0;
  for (std::uint32_t worker = 0; worker < workers_; ++worker) {
    const auto count = static_cast<std::size_t>(numbers[next++]);
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(next);
    all_[from * workers_ + worker].assign(begin, begin + static_cast<std::ptrdiff_t>(count));
    next += count;
  }
  missing_.resize(node_.num_nodes(), true);
  missing_[from] = false;
  if (++answers_ < node_.num_nodes()) return;
  answers_ = 0;
  missing_.clear();
  if (mode_ == Gather::kSettle) {
    probe_delay_ = kFirstProbeDelay;
    changed_at_ = node_.runtime().now();
    probe();
  } else {
    release();
  }
}

void Collective::on_probe() {
  node_.replicas().pause();
  send(kHub, Step::kReport,
       {static_cast<double>(node_.pushes_in_flight()), static_cast<double>(node_.open_work()),
        static_cast<double>(node_.replicas().rounds_started())});
}

void Collective::on_report(const std::vector<double>& numbers) {
  // Pushes sent minus applied may be negative at one node; open work never is.
  in_flight_ += numbers[0];
  if (numbers[1] > 0) in_flight_ += 0x1.0p40;
  rounds_ = std::max(rounds_, numbers[2]);
  if (++answers_ < node_.num_nodes()) return;
  answers_ = 0;
  if (in_flight_ != 0.0) {
    probe_again();
  } else if (node_.replicas().size() == 0) {
    release();
  } else {
    broadcast(Step::kSync, {rounds_ + 1});
  }
}

void Collective::probe() {
  in_flight_ = 0.0;
  rounds_ = 0.0;
  broadcast(Step::kProbe, {});
}

void Collective::probe_again() {
  const double now = node_.runtime().now();
  if (in_flight_ != last_in_flight_) changed_at_ = now;
  last_in_flight_ = in_flight_;
  if (now - changed_at_ > kLostAfter) {
    fail_run(
        "updates were lost or applied twice: nothing has changed for {} s, but the nodes have sent "
        "{} "
        "pushed keys more than they have applied. This is a defect of pslab; please report it with "
        "the config and seed",
        kLostAfter, in_flight_);
  }
  node_.runtime().after(probe_delay_, [this] { probe(); });
  probe_delay_ = std::min(2.0 * probe_delay_, kLongestProbeDelay);
}

void Collective::replicas_synced() {
  send(kHub, Step::kSynced, {});
}

void Collective::on_synced() {
  if (++answers_ < node_.num_nodes()) return;
  answers_ = 0;
  release();
}

void Collective::release() {
  std::vector<double> numbers;
  if (mode_ == Gather::kExchange) numbers = fold_(all_);
  broadcast(Step::kRelease, numbers);
}

void Collective::on_release(std::vector<double> numbers) {
  if (mode_ == Gather::kStart) node_.replicas().resume();
  if (Hubs* hubs = node_.hubs(); hubs != nullptr) {
    if (mode_ == Gather::kStart) hubs->start();
    if (mode_ == Gather::kSettle) hubs->stop();
  }
  if (mode_ == Gather::kExchange) node_.setup().exchanged(numbers);
  result_ = std::make_shared<const std::vector<double>>(std::move(numbers));
  arrived_ = 0;
  node_.keep_counters();
  generation_.fetch_add(1, std::memory_order_release);
  node_.wake_workers();
}

}  // namespace pslab::manager
