#include "manager/node_core.hpp"

#include <stdexcept>

#include "base/error.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {

/// A dense index of the whole key space on every node is worth its memory while all of them
/// together stay within a quarter of the values.
bool dense_index(const KeySpace& keys, NodeId nodes_in_process) {
  return std::uint64_t{nodes_in_process} * keys.size() * 4 <= keys.total_floats();
}

}  // namespace

NodeCore::NodeCore(const Setup& setup, NodeRuntime& runtime)
    : setup_(setup),
      runtime_(runtime),
      self_(runtime.node()),
      num_nodes_(runtime.num_nodes()),
      locks_(runtime.threads()),
      collective_(*this, setup.workers_per_node, setup.fold) {
  if (num_nodes_ >= 0xFFFF) fail_input("{} nodes: at most 65534 are supported", num_nodes_);
  build();
}

NodeCore::~NodeCore() = default;

void NodeCore::build() {
  const Plan& plan = setup_.plan;
  const bool threads = runtime_.threads();
  life_ = std::make_shared<const int>(0);
  store_.emplace(setup_.keys, threads || dense_index(setup_.keys, runtime_.nodes_in_process()),
                 threads);
  directory_.emplace(HomeMap(plan, setup_.keys.size(), num_nodes_, self_), setup_.keys.size(),
                     plan.location_caches);
  transfers_.emplace();
  replicas_.emplace(*this, setup_.keys, plan.replicated, plan.all_reduce);
  initialise_values();
  if (plan.clocks || plan.intents) {
    // Its users are the workers, and the handlers.
    copies_ = std::make_unique<Copies>(setup_.keys, setup_.workers_per_node + 1, threads);
  }
  if (plan.intents) hubs_ = std::make_unique<Hubs>(*this, *copies_, *plan.intents);
  if (plan.clocks) clocks_ = std::make_unique<ClockSync>(*this, *copies_, *plan.clocks);
  for (std::uint32_t i = 0; i < setup_.workers_per_node; ++i) {
    workers_.push_back(std::make_unique<WorkerCore>(*this, i));
  }
}

void NodeCore::restart() {
  workers_.clear();
  clocks_.reset();
  hubs_.reset();
  copies_.reset();
  build();
}

void NodeCore::after(double seconds, std::function<void()> action) {
  runtime_.after(seconds, [life = std::weak_ptr<const int>(life_), action = std::move(action)] {
    if (!life.expired()) action();
  });
}

void NodeCore::initialise_values() {
  std::vector<float> value;
  for (std::uint32_t number = 0; number < replicas_->size(); ++number) {
    const Key key = replicas_->key(number);
    value.assign(setup_.keys.length(key), 0.0F);
    setup_.initial_value(key, value);
    replicas_->initialise(number, value);
    store_->set(key, Holding(Held::kReplica, number));
  }
  const std::span<const std::uint16_t> owners = setup_.start->owners;
  const HomeMap& homes = directory_->homes();
  const Key count = homes.count();
  for (Key rank = 0; rank < count; ++rank) {
    const Key key = homes.key_at(rank);
    if (store_->find(key).held() == Held::kReplica) continue;
    if (owners.empty() || owners[key] == self_) {
      initialise_owned(key);
    } else {
      directory_->set_owner(key, owners[key]);
    }
  }
  for (Key key = 0; key < owners.size(); ++key) {
    if (owners[key] == self_ && store_->find(key).held() > Held::kReplica) initialise_owned(key);
  }
}

void NodeCore::initialise_owned(Key key) {
  const Holding owned = store_->allocate(key);
  setup_.initial_value(key, {store_->value(key, owned), setup_.keys.length(key)});
  store_->set(key, owned);
}

void NodeCore::receive(Message message) {
  switch (message.header().kind) {
    case MessageKind::kPull:
      on_pull(message);
      break;
    case MessageKind::kPullReply:
      on_pull_reply(message);
      break;
    case MessageKind::kPush:
      on_push(message);
      break;
    case MessageKind::kPushAck:
      on_push_ack(message);
      break;
    case MessageKind::kLocalize:
      on_localize(message);
      break;
    case MessageKind::kHandOver:
      on_hand_over(message);
      break;
    case MessageKind::kTransfer:
      on_transfer(message);
      break;
    case MessageKind::kReplicaDelta:
      replicas_->receive(std::move(message));
      break;
    case MessageKind::kCollective:
      collective_.receive(std::move(message));
      break;
    default:
      receive_for_copies(std::move(message));
  }
  flush();
}

void NodeCore::receive_for_copies(Message message) {
  switch (message.header().kind) {
    case MessageKind::kFlush:
      clocks_->on_flush(message, outbox_);
      break;
    case MessageKind::kRefresh:
      clocks_->on_refresh(std::move(message), outbox_);
      break;
    case MessageKind::kFresh:
      clocks_->on_fresh(message);
      break;
    case MessageKind::kChanges:
      clocks_ != nullptr ? clocks_->on_changes(message) : hubs_->on_changes(message);
      break;
    case MessageKind::kShare:
      hubs_->on_share(message, outbox_);
      break;
    case MessageKind::kGrant:
      hubs_->on_grant(message, outbox_);
      break;
    case MessageKind::kSums:
      hubs_->on_sums(message, outbox_);
      break;
    case MessageKind::kOffer:
      hubs_->on_offer(message, outbox_);
      break;
    case MessageKind::kAccept:
      hubs_->on_accept(message, outbox_);
      break;
    case MessageKind::kKeep:
      hubs_->on_keep(message);
      break;
    default:
      fail_run("node {}: a message of unknown kind", self_);
  }
}

void NodeCore::prefetch(Key key) {
  const Holding holding = store_->find(key);
  if (holding.held() > Held::kReplica) return;
  constexpr std::size_t kCacheLine = 64 / sizeof(float);
  const float* at = value(key, holding);
  const std::size_t length = setup_.keys.length(key);
  for (std::size_t i = 0; i < length; i += kCacheLine) __builtin_prefetch(at + i);
}

void NodeCore::expect(const Message& message) {
  const MessageKind kind = message.header().kind;
  if (kind != MessageKind::kPull && kind != MessageKind::kPush && kind != MessageKind::kHandOver) {
    return;
  }
  constexpr std::size_t kMost = 8;
  for (const MessageKey& key : message.keys().first(std::min(kMost, message.keys().size()))) {
    prefetch(key.key);
  }
}

void NodeCore::complete(NodeId to, Message& message) {
  message.header().sender = self_;
  const MessageKind kind = message.header().kind;
  if (kind != MessageKind::kCollective) message.represent(setup_.keys.represents());
  if (to != self_) {
    counters_.messages[static_cast<std::size_t>(kind)] += 1;
    counters_.bytes[static_cast<std::size_t>(kind)] += message.size();
  }
}

void NodeCore::transmit(NodeId to, Message message) {
  complete(to, message);
  runtime_.send(to, std::move(message), 0.0);
}

double NodeCore::transmit_for_worker(NodeId to, Message message, double seconds) {
  complete(to, message);
  const CostTable& costs = runtime_.costs();
  seconds += costs.send_message + static_cast<double>(message.size()) * costs.message_byte;
  runtime_.send(to, std::move(message), seconds);
  return seconds;
}

void NodeCore::flush() {
  outbox_.flush([this](NodeId to, Message message) { transmit(to, std::move(message)); });
}

std::size_t NodeCore::open_work() const {
  std::size_t open = transfers_->num_open() + (hubs_ == nullptr ? 0 : hubs_->open_work());
  for (const auto& worker : workers_) open += worker->open_operations();
  return open;
}

void NodeCore::wake_workers() {
  for (const auto& worker : workers_) worker->wake();
}

void NodeCore::broken(const char* what, Key key) const {
  fail_run(
      "node {}: internal error in the management protocol: {} (key {}, home {}). This is a defect "
      "of pslab; "
      "please report it with the config and seed",
      self_, what, key, directory_->home(key));
}

}  // namespace pslab::manager
