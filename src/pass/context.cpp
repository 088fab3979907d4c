// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/context.hpp"
#include "base/threads.hpp"

namespace sino {

void RunContext::fail_with (std::exception_ptr what) noexcept
{
  {
    const std::lock_guard guard (mutex);
    if (!first)
      first = std::move (what);
  }
  cancel ();
}

void RunContext::cancel () noexcept
{
  monitor.cancel ();
  const std::lock_guard guard (mutex);
  for (auto &each : device_monitors)
    each.cancel ();
}

Monitor &RunContext::add_monitor ()
{
  const std::lock_guard guard (mutex);
  auto &added = device_monitors.emplace_back ();
  added.confinement = monitor.confinement;
  if (monitor.cancelled ())
    added.cancel ();
  return added;
}

int64_t RunContext::beats () const
{
  const std::lock_guard guard (mutex);
  auto sum = monitor.beats ();
  for (const auto &each : device_monitors)
    sum += each.beats ();
  return sum;
}

void RunContext::leave_out (size_t device, int node, const std::string &why)
{
  {
    const std::lock_guard guard (mutex);
    meters.devices[device].failure = why;
  }
  meters.node (node).messages.add (
      text ("%s is no longer used in this run, and other devices process its work items: %s",
            devices[device]->id.c_str (), why.c_str ()));
}

std::string RunContext::failure_of (size_t device) const
{
  const std::lock_guard guard (mutex);
  return meters.devices[device].failure;
}

Samples *RunContext::samples_of (int node) const
{
  const auto found = samples.find (net.node (node).name);
  return found == samples.end () ? nullptr : found->second.get ();
}

std::exception_ptr RunContext::failure () const
{
  const std::lock_guard guard (mutex);
  return first;
}

void RunContext::set_place (const std::string &where)
{
  {
    const std::lock_guard guard (mutex);
    place_ = where;
  }
  monitor.beat ();
  monitor.check ();
}

std::string RunContext::place () const
{
  const std::lock_guard guard (mutex);
  return place_;
}

static void unlock_all (const std::shared_ptr<RunContext> &context)
{
  const auto unlock = [&context] (const auto &node) {
    context->guard ([&] { naming (node, [&node] { facet<Embedded> (*node.task).unlock (); }); });
  };
  for (const auto &source : context->gathering)
    unlock (source);
  if (context->net_complete)
    for (const auto &node : context->net.nodes)
      unlock (node);
}

void wake_if_cancelled (const std::shared_ptr<RunContext> &context)
{
  if (context->woken || !context->monitor.cancelled ())
    return;
  context->woken = true;
  context->is_waking = true;
  const auto wake = [context] {
    unlock_all (context);
    const auto lock = context->monitor.lock ();
    context->is_waking = false;
    context->monitor.changed ();
  };
  try {
    context->waker = start_thread (wake);
  } catch (...) { // no more threads can be made
    wake ();
  }
}

void end_waking (const std::shared_ptr<RunContext> &context)
{
  if (!context->waker.joinable ())
    return;
  if (context->waking ())
    context->waker.detach (); // the thread is stuck in a call and is left behind
  else
    context->waker.join (); // the thread has nothing more to do for the run
}

RunContext::~RunContext ()
{
  if (waker.joinable ())
    waker.detach ();
}

} // namespace sino
