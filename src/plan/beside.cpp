// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/beside.hpp"
#include "plan/bill.hpp"
#include "plan/cost.hpp"
#include "plan/duration.hpp"
#include "plan/resize.hpp"
#include "plan/sizing.hpp"

namespace sino {

namespace {

// Sizes the passes beside `pass` for its work items. They share what it leaves of `room`.
bool follow (const PlanInput &in, Pass &pass, double room)
{
  bool fit = true;
  double taken = pass.memory.host;
  for (auto &other : pass.beside) {
    other.items = pass.items;
    other.sizes.item_rows = pass.sizes.item_rows;
    other.sizes.most_requests = pass.sizes.most_requests;
    fit = size_items (in.on (other), other, room - taken) && fit;
    taken += other.memory.host;
  }
  // The worker of a serial task serves all devices, so its buffers fit the largest blocks of any.
  pass.memory = peak_memory (in.on (pass), pass);
  return fit && pass.all_memory () <= room;
}

// Gives the first devices all of the memory. If that leaves too little for the others, gives them less step by step:
// work items become smaller, and all devices need less. In the end the first devices get the least that they can work
// with.
template <class Size> bool share (const PlanInput &in, Pass &pass, double room, Size size_first)
{
  if (pass.beside.empty ())
    return size_first (in.on (pass), pass, room);
  const Pass unsized = pass;
  double some = room;
  for (bool last = false;;) {
    pass = unsized;
    const bool fits = size_first (in.on (pass), pass, some);
    const auto taken = pass.memory.host;
    if (follow (in, pass, room) && fits)
      return true;
    if (last || (!fits && some == room)) {
      pass.memory.host = std::max (pass.memory.host, taken);
      return false;
    }
    last = !fits;
    some = fits ? std::min (some, taken) / 2 : taken;
  }
}

} // namespace

bool size_on_all (const PlanInput &input, Pass &pass, double room, const std::vector<PlannedStore> &stores)
{
  return share (input, pass, room, [&stores] (const PlanInput &in, Pass &first, double some) {
    return size_pass (in, first, some, stores);
  });
}

bool size_survey_on_all (const PlanInput &input, Pass &pass, const std::vector<Rows> &bands, double room)
{
  return share (input, pass, room, [&bands] (const PlanInput &in, Pass &first, double some) {
    return size_survey (in, first, bands, some);
  });
}

// Gives the first devices memory in proportion to their part of all that is used, and less if the others then find no
// room.
void pace_on_all (const PlanInput &in, Pass &pass, double room, const std::vector<PlannedStore> &stores)
{
  if (pass.beside.empty ())
    return resize_for_speed (in.on (pass), pass, room, stores);
  const Pass before = pass;
  const double least = pass.memory.host;
  bool fit = false;
  for (double some = room * least / pass.all_memory (); !fit; some /= 2) {
    pass = before;
    resize_for_speed (in.on (pass), pass, std::max (some, least), stores);
    if (some <= least)
      break;
    fit = follow (in, pass, room);
  }
  if (!fit && !follow (in, pass, room)) {
    pass = before;
    resize_for_speed (in.on (pass), pass, 0, stores); // computes the expected duration with the present sizes
  }
  for (auto &other : pass.beside) {
    const auto own = in.on (other);
    other.cost = weigh (own, other, stores);
    other.expected = PassModel (own, other).duration (other);
    other.plain.rows = other.sizes.item_rows;
    other.plain.seconds = other.expected.seconds;
  }
}

} // namespace sino
