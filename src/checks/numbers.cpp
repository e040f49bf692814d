#include "checks/numbers.hpp"

#include <stdexcept>

namespace pslab::checks {

namespace {

class Writer {
 public:
  template <typename Number>
  void put(Number number) {
    numbers_.push_back(static_cast<double>(number));
  }
  void put_order(std::uint64_t order) { put(order == kNever ? -1.0 : static_cast<double>(order)); }
  template <typename Number>
  void put_all(const std::vector<Number>& numbers) {
    put(numbers.size());
    for (const Number number : numbers) put(number);
  }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::vector<double> numbers_;
};

class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}
  double take() {
    if (numbers_.empty()) throw std::logic_error("a history that was handed over is too short");
    const double number = numbers_.front();
    numbers_ = numbers_.subspan(1);
    return number;
  }
  template <typename Number>
  void take(Number& number) {
    number = static_cast<Number>(take());
  }
  std::uint64_t take_order() {
    const double order = take();
    return order < 0.0 ? kNever : static_cast<std::uint64_t>(order);
  }
  template <typename Number>
  void take_all(std::vector<Number>& numbers) {
    numbers.resize(static_cast<std::size_t>(take()));
    for (auto&& number : numbers) number = static_cast<Number>(take());
  }

 private:
  std::span<const double> numbers_;
};

void put(Writer& out, const Event& event) {
  out.put(event.kind == Event::Kind::kPull);
  out.put(event.evaluating);
  out.put(event.key);
  out.put(event.own_before);
  out.put(event.own_after);
  out.put_order(event.began);
  out.put_order(event.ended);
  out.put(event.began_s);
  out.put(event.ended_s);
  out.put(event.seen);
  out.put(event.barriers);
  out.put(event.steps);
}

Event take_event(Reader& in) {
  Event event;
  event.kind = in.take() != 0.0 ? Event::Kind::kPull : Event::Kind::kPush;
  in.take(event.evaluating);
  in.take(event.key);
  in.take(event.own_before);
  in.take(event.own_after);
  event.began = in.take_order();
  event.ended = in.take_order();
  in.take(event.began_s);
  in.take(event.ended_s);
  in.take(event.seen);
  in.take(event.barriers);
  in.take(event.steps);
  return event;
}

}  // namespace

std::vector<double> to_numbers(const WorkerHistory& history, const NodeCopies* copies) {
  Writer out;
  out.put(history.events.size());
  for (const Event& event : history.events) put(out, event);
  out.put_all(history.seen);
  out.put_all(history.pushed);
  out.put_order(history.complete_until);
  out.put(history.pulls);
  out.put(history.pushes);
  out.put(history.dropped);
  out.put(copies != nullptr);
  if (copies != nullptr) {
    out.put_all(copies->keys);
    out.put_all(copies->replica);
    out.put_all(copies->seen);
  }
  return out.take();
}

void from_numbers(std::span<const double> numbers, WorkerHistory& history, NodeCopies& copies) {
  Reader in(numbers);
  history.events.clear();
  for (auto count = static_cast<std::size_t>(in.take()); count > 0; --count) {
    history.events.push_back(take_event(in));
  }
  in.take_all(history.seen);
  in.take_all(history.pushed);
  history.complete_until = in.take_order();
  in.take(history.pulls);
  in.take(history.pushes);
  in.take(history.dropped);
  if (in.take() == 0.0) return;
  in.take_all(copies.keys);
  in.take_all(copies.replica);
  in.take_all(copies.seen);
}

}  // namespace pslab::checks
