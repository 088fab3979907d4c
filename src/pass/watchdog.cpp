// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/watchdog.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino {

namespace {

using Doing = StageClock::Doing;

bool waits_for_program (const RunningPass &running)
{
  return std::ranges::any_of (running.pass.stages, [&] (const Stage &stage) {
    return stage.role == Stage::Role::task &&
           facet<Embedded> (*running.context->net.node (stage.node).task).waits_outside ();
  });
}

std::string title_in (const RunningPass &running, const RunningReplica &replica, size_t s)
{
  return running.title_of (s) + (running.replicas.size () > 1 ? " on " + replica.device.id : "");
}

// Calls visit (replica, stage) for all stages.
template <class Visit> void each_stage (const RunningPass &running, Visit visit)
{
  for (const auto &replica : running.replicas)
    for (size_t s = 0; s < replica.stages.size (); s++)
      visit (replica, s);
}

// The tasks that work now, and for how long.
std::string at_work (const RunningPass &running)
{
  std::vector<std::string> list;
  each_stage (running, [&] (const RunningReplica &replica, size_t s) {
    if (const auto &clock = *replica.stages[s].clock; clock.doing () == Doing::work)
      list.push_back (
          text ("%s has worked for %.3g s", title_in (running, replica, s).c_str (), clock.seconds_at_it ()));
  });
  return list.empty () ? "all tasks wait for each other" : join (list);
}

// Numbers of blocks on the edges.
std::string blocks (const RunningPass &running)
{
  std::vector<std::string> list;
  each_stage (running, [&] (const RunningReplica &replica, size_t s) {
    const auto &own = replica.stages[s];
    if (!own.output)
      return;
    for (const auto &[consumer, port] : replica.pass.stages[s].consumers) {
      const auto &taker = replica.stages[static_cast<size_t> (consumer)];
      const auto &memory = own.output->memory ();
      const auto lock = replica.monitor.lock ();
      list.push_back (
          text ("%s to %s: %" G_GINT64_FORMAT " queued, %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " in flight%s",
                title_in (running, replica, s).c_str (), running.title_of (static_cast<size_t> (consumer)).c_str (),
                taker.channels[static_cast<size_t> (port)]->queued (), memory.under_way (), memory.room (),
                own.clock->doing () == Doing::wait_for_room      ? ", which it waits for"
                : taker.clock->doing () == Doing::wait_for_block ? ", the taker waits"
                                                                 : ""));
    }
  });
  return list.empty () ? "none" : join (list);
}

} // namespace

Watchdog::Watchdog (const RunningPass &r) : running (r), sleeps (waits_for_program (r)), quiet (*r.context) {}

void Watchdog::look ()
{
  if (!sleeps && quiet.too_long ())
    fail (SINO_ERROR_FAILED,
          "there was no progress for %.3g s: %s; blocks: %s; if a task may take so long, give the watchdog more time, "
          "or 0 for no limit",
          quiet.seconds (), at_work (running).c_str (), blocks (running).c_str ());
}

} // namespace sino
