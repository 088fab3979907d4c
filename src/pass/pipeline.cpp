// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/pipeline.hpp"
#include "base/cancellation.hpp"
#include "base/threads.hpp"
#include "pass/attend.hpp"
#include "pass/running-pass.hpp"
#include "pass/watchdog.hpp"
#include "plan/demand.hpp"
#include <chrono>
#include <thread>

namespace sino {

// Asks which work items other processes have taken. It reads the number before it takes an item: local knowledge may be
// old, and an item that was taken cannot be given back.
void RunningPass::ask_others (Monitor::Lock &lock, const RunningReplica &replica)
{
  const auto ask = [&] (auto question) {
    lock.unlock ();
    const auto place = question ();
    lock.lock ();
    return static_cast<size_t> (place);
  };
  asks_others = true;
  handout.know_place (ask ([this] { return context->cluster->taken (pass.number - 1); }));
  if (handout.may_take (replica.number))
    handout.give_place (ask ([this] { return context->cluster->next (pass.number - 1); }));
  asks_others = false;
  context->monitor.changed (handed_out);
}

Begun *RunningPass::begin (RunningReplica &replica, size_t n)
{
  auto lock = context->monitor.lock ();
  while (true) {
    context->monitor.wait (lock, handed_out, [&] {
      const bool over = goes_on ? handout.ended () : handout.left () == 0;
      return replica.dropped || n < replica.items.size () || over ||
             (!asks_others && handout.may_take (replica.number));
    });
    if (replica.dropped)
      throw Cancelled ();
    if (n < replica.items.size () || !handout.wants_place ())
      break;
    ask_others (lock, replica);
  }
  if (n == replica.items.size () && handout.left () > 0) {
    const auto place = handout.take (replica.number, StageClock::Clock::now ());
    replica.items.emplace_back (open[place], place, pass.stages.size ());
    context->monitor.changed (handed_out);
  }
  return n < replica.items.size () ? &replica.items[n] : nullptr;
}

void RunningPass::end (RunningReplica &replica, Begun &item)
{
  const auto lock = context->monitor.lock ();
  if (--item.left > 0 || replica.dropped)
    return;
  item.rows = {};
  handout.end (replica.number, StageClock::Clock::now ());
  if (pass.number > 0) // surveys do not count as work
    context->meters.devices[replica.number].add (item.item->rows);
  context->monitor.changed (handed_out);
}

void RunningPass::work (RunningReplica &replica, size_t s)
{
  guard (replica, s, [&] { take_items (replica, s); });
  // Called in this thread because it may hang: the run can leave this thread behind, but not the one that destroys
  // workers.
  guard (replica, s, [&] { naming (node_of (s), [&] { replica.stages[s].worker->end (); }); });
}

bool RunningPass::drop (RunningReplica &replica, size_t s, const std::string &why)
{
  {
    const auto lock = context->monitor.lock ();
    if (replica.dropped)
      return true; // an error that follows from the first failure
    const auto left = std::ranges::count_if (replicas, [] (const RunningReplica &each) { return !each.dropped; });
    if (!goes_on || left < 2 || context->monitor.cancelled ())
      return false;
    std::vector<size_t> unfinished;
    for (const auto &item : replica.items)
      if (item.left > 0)
        unfinished.push_back (item.place);
    handout.drop (replica.number, unfinished);
    replica.dropped = true;
    context->monitor.changed (handed_out);
  }
  replica.monitor.cancel ();
  context->leave_out (replica.number, pass.stages[s].node, why);
  return true;
}

void RunningPass::take_items (RunningReplica &replica, size_t s)
{
  auto &monitor = context->monitor;
  auto &at_work = replica.stages[s];
  for (size_t n = 0; auto *current = begin (replica, n); n++) {
    if (at_work.turn) {
      auto lock = monitor.lock ();
      monitor.wait (lock, at_work.turn->passed, [&] { return at_work.turn->next == current->place; });
    }
    work_on (replica, s, *current);
    if (at_work.turn) {
      const auto lock = monitor.lock ();
      at_work.turn->next++;
      monitor.changed (at_work.turn->passed);
    }
    end (replica, *current);
  }
}

void RunningPass::work_on (RunningReplica &replica, size_t s, Begun &current)
{
  const auto &net = context->net;
  const auto &own = replica.pass;
  const auto &stage = own.stages[s];
  auto &at_work = replica.stages[s];
  const auto &node = net.node (stage.node);
  std::call_once (current.counted, [&] {
    current.rows = demanded_rows (net, pass, *current.item);
    current.seen = seen_rows (net, pass, *current.item);
  });
  const auto &rows = current.rows;
  const auto blocks = [&] (size_t of) {
    const auto all = blocks_of (*own.stages[of].format, rows[of], own.sizes.batch, own.row_step);
    return with_any (all, current.seen[of]);
  };
  std::vector<Input *> inputs;
  for (size_t port = 0; port < stage.producers.size (); port++) {
    inputs.push_back (at_work.inputs[port].get ());
    if (stage.producers[port] < 0)
      continue;
    const auto p = static_cast<size_t> (stage.producers[port]);
    at_work.inputs[port]->begin (blocks (p), rows_needed (net, stage, port, rows[s]));
  }
  if (at_work.output)
    at_work.output->begin (blocks (s));
  at_work.clock->begin (current.item->rows);
  naming (node, [&] {
    at_work.worker->run (inputs, at_work.output.get ());
    for (const auto &input : at_work.inputs)
      if (input)
        input->check_complete ();
    if (at_work.output)
      at_work.output->check_complete ();
  });
  at_work.clock->end ();
  const auto updates = node.task->updates_per_row ();
  if (!at_work.output || stage.role != Stage::Role::task || updates == 0)
    return;
  const auto slices = static_cast<double> (at_work.output->rows_pushed ());
  context->meters.updates += updates * slices;
  if (stage.format->kind () == Kind::slices)
    context->meters.voxels +=
        slices * static_cast<double> (stage.format->extent (Axis::y) * stage.format->extent (Axis::x));
}

void RunningPass::start_threads (const std::shared_ptr<RunningPass> &self)
{
  for (auto &replica : replicas)
    for (size_t s = 0; s < replica.stages.size (); s++) {
      auto &stage = replica.stages[s];
      {
        const auto lock = context->monitor.lock ();
        threads++;
      }
      try {
        stage.thread = start_thread ([self, &replica, &stage, s] {
          const WorkingFor scope (self->context->monitor);
          self->work (replica, s);
          const auto lock = self->context->monitor.lock ();
          stage.ended = true;
          self->threads--;
          self->context->monitor.changed ();
        });
      } catch (...) {
        const auto lock = context->monitor.lock ();
        threads--;
        throw;
      }
    }
}

// Threads in a call that does not return keep all that they touch alive; the run ends without them.
void RunningPass::leave_behind ()
{
  std::vector<std::string> stuck;
  {
    const auto lock = context->monitor.lock ();
    for (const auto &replica : replicas)
      for (size_t s = 0; s < replica.stages.size (); s++)
        if (const auto &stage = replica.stages[s]; !stage.ended && stage.thread.joinable ())
          stuck.push_back (title_of (s));
  }
  if (stuck.empty () && context->waking ())
    stuck.emplace_back (unlock_of_a_task);
  if (stuck.empty ())
    return; // the last thread has returned just now
  for (auto &replica : replicas)
    for (auto &stage : replica.stages)
      if (stage.thread.joinable ())
        stage.thread.detach ();
  context->patience.fail (join (stuck), context->failure ());
}

// Must allocate no memory, for lack of it may be the failure. Threads that do not end soon keep what they touch alive.
void RunningPass::give_up () noexcept
{
  context->cancel ();
  const auto all_ended = [this] {
    const auto lock = context->monitor.lock ();
    return threads == 0;
  };
  const bool waits = std::ranges::any_of (replicas, [] (const RunningReplica &replica) {
    return std::ranges::any_of (replica.stages, [] (const RunningStage &stage) { return stage.thread.joinable (); });
  });
  for (int tenths = 0; waits && tenths < 100 && !all_ended (); tenths++)
    std::this_thread::sleep_for (std::chrono::milliseconds (100));
  for (auto &replica : replicas)
    for (auto &stage : replica.stages)
      if (stage.thread.joinable ()) {
        if (stage.ended)
          stage.thread.join ();
        else
          stage.thread.detach ();
      }
}

static void run_threads (const std::shared_ptr<RunningPass> &running, const std::function<void ()> &watch)
{
  const auto &context = running->context;
  context->guard ([&running] { running->start_threads (running); });
  Watchdog watchdog (*running);
  const auto guarded_watch = [&] {
    try {
      wake_if_cancelled (context);
      watchdog.look ();
      if (watch)
        watch ();
    } catch (...) {
      context->fail_with (std::current_exception ());
    }
  };
  while (!context->patience.wait (
      context->monitor, [&] { return running->threads == 0 && !context->waking (); }, guarded_watch))
    running->leave_behind ();
  end_waking (context);
  for (auto &replica : running->replicas)
    for (auto &stage : replica.stages)
      if (stage.thread.joinable ())
        stage.thread.join ();
}

static void run_to_end (const std::shared_ptr<RunContext> &context, const Pass &pass,
                        const std::function<void ()> &watch)
{
  // Workers open files and load drivers while they are made.
  const auto made = std::make_shared<std::shared_ptr<RunningPass>> ();
  attend (context, [made, context, &pass] { *made = std::make_shared<RunningPass> (context, pass); });
  const auto running = std::move (*made);
  try {
    run_threads (running, watch);
  } catch (...) {
    running->give_up ();
    throw;
  }
}

void run_pass (const std::shared_ptr<RunContext> &context, const Pass &pass, const std::function<void ()> &watch)
{
  run_to_end (context, pass, watch);
  if (const auto failure = context->failure ())
    std::rethrow_exception (failure);
  context->monitor.check ();
}

} // namespace sino
