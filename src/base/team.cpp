// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/team.hpp"
#include <utility>

namespace sino {

static thread_local Strand *running = nullptr;

Strand::Strand (Team &t, size_t n, std::function<void ()> work) : team (t), number (n), fiber (std::move (work)) {}

Strand *Strand::current ()
{
  return running;
}

void Monitor::sleep (Lock &held, Bell &bell, Strand &strand)
{
  strand.next = std::exchange (bell.waiting, &strand);
  held.unlock ();
  Fiber::leave ();
  held.lock ();
}

void Monitor::changed (Bell &bell) noexcept
{
  beat ();
  // Teams see by themselves that a run was cancelled, and what waited may be gone by now.
  for (auto *strand = std::exchange (bell.waiting, nullptr); strand && !cancelled ();) {
    auto &woken = *std::exchange (strand, strand->next);
    woken.team.append (woken);
  }
  if (sleepers > 0)
    condition.notify_all ();
}

void Monitor::cancel () noexcept
{
  {
    const std::lock_guard guard (mutex);
    flag.store (true, std::memory_order_relaxed);
    for (auto *team : teams)
      team->woken.notify_all ();
  }
  condition.notify_all ();
}

Team::Team (Monitor &m) : monitor (m)
{
  const auto lock = monitor.lock ();
  monitor.teams.push_back (this);
}

Team::~Team ()
{
  const auto lock = monitor.lock ();
  std::erase (monitor.teams, this);
}

void Team::add (std::function<void ()> work)
{
  append (strands.emplace_back (*this, strands.size (), std::move (work)));
  left++;
}

void Team::append (Strand &strand) noexcept
{
  strand.next = nullptr;
  (first ? last->next : first) = &strand;
  last = &strand;
  woken.notify_one ();
}

void Team::run ()
{
  while (auto *strand = next ()) {
    running = strand;
    strand->fiber.resume ();
    running = nullptr;
    left -= strand->fiber.ended ();
  }
}

Strand *Team::next ()
{
  auto lock = monitor.lock ();
  woken.wait (lock, [this] { return first || left == 0 || monitor.cancelled (); });
  Strand *strand = first;
  if (monitor.cancelled ()) { // whatever each waits for
    while (cleared < strands.size () && strands[cleared].fiber.ended ())
      cleared++;
    strand = cleared < strands.size () ? &strands[cleared] : nullptr;
  } else if (first)
    first = first->next;
  if (strand)
    working = strand->number;
  return strand;
}

} // namespace sino
