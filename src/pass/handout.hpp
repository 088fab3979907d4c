// SPDX-License-Identifier: LGPL-3.0-or-later
// Which device gets the next work item. Devices take items as they become free. One that is slow leaves the last ones
// to the others where they end them sooner, so that nobody waits for it at the end.
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

  // `expected`: how long an item takes on each replica, in any unit, corrected by what is measured; 0 for one: nothing
  // is known of any. `in_order`: a task takes the items of all replicas in their order, so that a slow one holds the
  // others up. `ranks`: so many processes take items, and where there are several, each item is
  // asked for.
  Handout (size_t items, std::vector<double> expected, bool in_order, int ranks = 1);

  size_t left () const { return items - next + returned.size (); }
  // Whether none is left, and none is begun that could be returned.
  bool ended () const;

  // Whether the replica should take the next item. While any are left, there is one that should, or that will when it
  // has ended what it has begun; the answer changes only when an item is taken or ended.
  bool may_take (size_t replica) const;
  size_t take (size_t replica, Time now);
  // Whether the next one is to be asked for before it is taken; that this one is ours; and that those before it are
  // taken, as far as others were asked.
  bool wants_place () const { return ranks > 1 && returned.empty () && next < items && !has_place; }
  void give_place (size_t place);
  void know_place (size_t place);
  void end (size_t replica, Time now); // the oldest item that the replica has not ended
  // The replica takes no more; others have to take what it has begun and not ended.
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
  bool has_place = false; // `next` is ours
  size_t next = 0;
  std::deque<size_t> returned;
  Time latest; // when something was taken or ended
  std::vector<Share> replicas;

  double pace (const Share &share) const;
  double so_far (const Share &share) const;
  size_t most_begun (const Share &share) const;
};

// For a pass: how long work takes on each device, as far as the plan knows. Where it knows nothing, devices are left
// out that are unlike the first and could hold it up.
Handout hand_out (const RunContext &context, const Pass &pass);

} // namespace sino
