// SPDX-License-Identifier: LGPL-3.0-or-later
// Works that one thread does in turn: where one of them would wait at the monitor, the thread goes on with another.
#pragma once
#include "base/fiber.hpp"
#include "base/monitor.hpp"
#include <deque>

namespace sino {

class SINO_VISIBLE Team
{
public:
  explicit Team (Monitor &monitor);
  ~Team ();
  Team (const Team &) = delete;
  Team &operator= (const Team &) = delete;

  // One more, before run (). It must not throw, and must end soon once the monitor is cancelled.
  void add (std::function<void ()> work);

  // Does all of them to their ends.
  void run ();

  // The strand, counted from 0, that the thread is in; the lock is held.
  size_t at_work () const { return working; }

private:
  friend class Monitor;

  Monitor &monitor;
  std::deque<Strand> strands;
  Strand *first = nullptr, *last = nullptr; // strands that can go on, in the order in which they were woken
  std::condition_variable woken;
  size_t left = 0, cleared = 0; // strands that have not ended; those that have, counted from the first
  size_t working = 0;

  void append (Strand &strand) noexcept;
  Strand *next ();
};

} // namespace sino
