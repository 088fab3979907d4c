// SPDX-License-Identifier: LGPL-3.0-or-later
// Decides which device gets the next work item. Usually this is a device that is free. At the end, a slow device takes
// no item that faster ones would finish sooner, so that they need not wait for it.
#pragma once
#include "base/visibility.hpp"
#include <chrono>
#include <cstddef>
#include <deque>
#include <vector>

namespace sino {

struct Pass;
struct RunContext;

class SINO_VISIBLE Handout
{
public:
  using Time = std::chrono::steady_clock::time_point;

  // `expected`: time of an item on each replica, in any unit, corrected by measurements; 0 for one of them: no time is
  // known for any. `in_order`: a task takes the items of all replicas in order, so a slow replica delays the others.
  // `ranks`: number of processes that share the items; if there are several, they are asked before an item is taken.
  Handout (size_t items, std::vector<double> expected, bool in_order, int ranks = 1);

  size_t left () const { return items - next + returned.size (); }
  // Whether no item is left, and no begun item could still be returned.
  bool ended () const;

  // Whether the replica should take the next item. While items are left, at least one replica should take one, now or
  // after it has ended those that it has begun. The answer changes only when an item is taken or ended.
  bool may_take (size_t replica) const;
  size_t take (size_t replica, Time now);
  // wants_place (): the other processes must be asked before the next item is taken. give_place (): item `place` now
  // belongs to this process. know_place (): items before `place` are taken by other processes.
  bool wants_place () const { return ranks > 1 && returned.empty () && next < items && !has_place; }
  void give_place (size_t place);
  void know_place (size_t place);
  void end (size_t replica, Time now); // the oldest item that the replica has not ended
  // The replica takes no more items; others must take those that it has begun and not ended.
  void drop (size_t replica, const std::vector<size_t> &unfinished);

private:
  struct Share {
    double expected;
    double measured = 0; // seconds between the ends of its items; 0: none has ended
    std::deque<Time> begun;
    Time last_end;
    bool gone = false;
  };

  const size_t items;
  const bool in_order;
  const size_t ranks;
  bool has_place = false; // item `next` belongs to this process
  size_t next = 0;
  std::deque<size_t> returned;
  Time latest; // time when an item was last taken or ended
  std::vector<Share> replicas;

  double pace (const Share &share) const;
  double so_far (const Share &share) const;
  size_t most_begun (const Share &share) const;
};

// The handout of a pass, with the times on each device from the plan. If the plan knows no times, leaves out devices
// that are unlike the first and could delay it.
Handout hand_out (const RunContext &context, const Pass &pass);

} // namespace sino
