// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/handout.hpp"
#include "pass/context.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

Handout::Handout (size_t i, std::vector<double> expected, bool o, int r)
    : items (i), in_order (o), ranks (static_cast<size_t> (r))
{
  const bool known = std::ranges::find (expected, 0) == expected.end ();
  for (const double seconds : expected)
    replicas.push_back ({known ? seconds : 1, 0, {}, {}, false});
}

// Largest number of work items that a replica may have begun. A single replica never has to wait for items. With
// several replicas, each may begin enough items to overlap reading, kernels, computing and writing. Before its speed is
// measured, it may begin fewer, because others should take the items if it is slow. Replicas of other processes count
// as well.
size_t Handout::most_begun (const Share &share) const
{
  return replicas.size () == 1 && ranks == 1 ? 64 : in_order || share.measured > 0 ? 4 : 2;
}

// Time per item. For a replica that has ended no item, the expected time, scaled by the measured times of the others.
// If items are in order, the time between ends depends on the other replicas, so the expected time is used.
double Handout::pace (const Share &share) const
{
  if (in_order)
    return share.expected;
  if (share.measured > 0)
    return std::max (share.measured, so_far (share));
  double measured = 0, expected = 0;
  for (const auto &other : replicas)
    if (other.measured > 0) {
      measured += other.measured;
      expected += other.expected;
    }
  return expected > 0 ? std::max (share.expected * measured / expected, so_far (share)) : share.expected;
}

// Seconds that the replica has spent on its oldest item, at the time when any item was last taken or ended.
double Handout::so_far (const Share &share) const
{
  if (share.begun.empty ())
    return 0;
  return std::chrono::duration<double> (latest - std::max (share.last_end, share.begun.front ())).count ();
}

bool Handout::may_take (size_t replica) const
{
  const auto &own = replicas[replica];
  if (own.gone || left () == 0 || own.begun.size () >= most_begun (own))
    return false;
  // The devices of other processes are unknown: a replica begins another item as long as all could have as many.
  if (ranks > 1 && returned.empty () && !has_place && own.begun.size () * replicas.size () * ranks > left ())
    return false;
  // Time until this replica would end the item, and number of items that the others could end by then.
  const double until = static_cast<double> (own.begun.size () + 1) * pace (own);
  double others = 0;
  for (const auto &other : replicas)
    if (&other != &own && !other.gone)
      others += std::max (std::ceil (until / pace (other)) - 1 - static_cast<double> (other.begun.size ()), 0.0);
  // If items are in order, the others can begin only a limited number before they have to wait.
  const auto ahead = in_order ? std::min (left (), most_begun (own) * (replicas.size () - 1)) : left ();
  return others < static_cast<double> (std::max<size_t> (ahead, 1));
}

size_t Handout::take (size_t replica, Time now)
{
  replicas[replica].begun.push_back (now);
  latest = now;
  if (returned.empty ()) {
    has_place = false;
    return next++;
  }
  const auto item = returned.front ();
  returned.pop_front ();
  return item;
}

void Handout::know_place (size_t place)
{
  next = std::min (std::max (place, next), items);
}

void Handout::give_place (size_t place)
{
  know_place (place);
  has_place = next < items;
}

bool Handout::ended () const
{
  return left () == 0 && std::ranges::all_of (replicas, [] (const Share &share) { return share.begun.empty (); });
}

void Handout::drop (size_t replica, const std::vector<size_t> &unfinished)
{
  replicas[replica].gone = true;
  replicas[replica].begun.clear ();
  returned.insert (returned.end (), unfinished.begin (), unfinished.end ());
}

void Handout::end (size_t replica, Time now)
{
  auto &own = replicas[replica];
  const auto since = std::max (own.last_end, own.begun.front ());
  // Average with the earlier value: a single item may have waited for files, and the first one builds programs.
  const auto seconds = std::max (std::chrono::duration<double> (now - since).count (), 1e-9);
  own.measured = own.measured > 0 ? (own.measured + seconds) / 2 : seconds;
  own.begun.pop_front ();
  own.last_end = latest = now;
}

static constexpr double left_out = 1e9; // factor that makes a replica so slow that it gets no items

Handout hand_out (const RunContext &context, const Pass &pass)
{
  std::vector<double> expected;
  const auto seconds = [&] (size_t s, const Device &device) {
    const auto &stage = pass.stages[s];
    const auto &node = context.net.node (stage.node);
    return stage.role == Stage::Role::task && !stage.is_target ()
               ? node.task->seconds (device, context.cpu->threads ()) * pass.on (device).expected.ratio (s)
               : 0;
  };
  for (const auto &device : context.devices) {
    expected.push_back (0);
    for (size_t s = 0; s < pass.stages.size (); s++)
      expected.back () = std::max (expected.back (), seconds (s, *device));
  }
  const bool in_order = std::ranges::any_of (pass.stages, [&] (const Stage &stage) {
    return stage.role == Stage::Role::task && context.net.node (stage.node).task->serial ();
  });
  if (in_order && std::ranges::find (expected, 0) != expected.end ())
    for (size_t d = 0; d < expected.size (); d++)
      expected[d] = pass.on (*context.devices[d]).leads ? 1 : left_out;
  const auto finished = std::ranges::count_if (pass.items, &Item::finished);
  return {pass.items.size () - static_cast<size_t> (finished), std::move (expected), in_order,
          context.cluster && pass.number > 0 ? context.cluster->place ().ranks : 1};
}

} // namespace sino
