// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/seeker.hpp"
#include "base/threads.hpp"
#include "filters/find-axis/search.hpp"
#include <algorithm>
#include <cmath>

namespace sino::live {

static constexpr double settled_within = 0.25; // columns, between two searches
static constexpr double worth_a_move = 0.1;    // columns, before the last search
static constexpr int rests = 4;                // times as long as a search took

Seeker::Seeker (const Seeking &s, Board &b, const Replica &replica)
    : seeking (s), board (b), cpu (replica.cpu), monitor (replica.monitor), messages (replica.messages),
      failed (replica.failed), kept (replica.memory.take (kept_item)), sinogram (replica.memory.take (sinogram_item)),
      binned (replica.memory.take (binned_item))
{
  thread = start_thread ([this] {
    try {
      work ();
    } catch (const Cancelled &) {
    } catch (...) {
      failed (std::current_exception ());
    }
    const std::lock_guard held (mutex);
    done = true;
    changed.notify_all ();
  });
}

Seeker::~Seeker ()
{
  {
    const std::lock_guard held (mutex);
    stopped = true;
    early.cancel ();
    changed.notify_all ();
  }
  thread.join ();
}

void Seeker::take (const Block &in, Interval some)
{
  const auto columns = seeking.columns, all = std::ssize (seeking.angles), end = std::min (some.end, all);
  for (auto projection = some.begin; projection < end; projection++)
    for (size_t i = 0; i < seeking.rows.size (); i++)
      std::copy_n (in.as<float> () + in.offset (in.angles ().place (projection), seeking.rows[i]), columns,
                   kept.as<float> () + (static_cast<int64_t> (i) * all + projection) * columns);
  const std::lock_guard held (mutex);
  come = end;
  if (is_last (come))
    early.cancel ();
  changed.notify_all ();
}

void Seeker::finish (const Monitor &run)
{
  constexpr auto look = std::chrono::milliseconds (20); // whether the run was cancelled
  std::unique_lock held (mutex);
  ends = true;
  changed.notify_all ();
  while (!changed.wait_for (held, look, [this] { return done; }))
    run.step ();
}

// --- the thread ---

// Waits for projections after which it seeks again, and returns how many; 0: no more come.
int64_t Seeker::wait_for_moment (int64_t after, Clock::time_point rest)
{
  std::unique_lock held (mutex);
  const auto newest = [&] {
    const auto next = std::ranges::upper_bound (seeking.moments, come);
    return next == seeking.moments.begin () ? 0 : *std::prev (next);
  };
  const auto over = [this] { return stopped || ends || is_last (come); };
  changed.wait_until (held, rest, over);
  changed.wait (held, [&] { return over () || newest () > after; });
  return !stopped && newest () > after ? newest () : 0;
}

void Seeker::work ()
{
  const Cpu alone (1, early), last_alone (1, monitor);
  auto rest = Clock::now ();
  for (int64_t sought = 0; (sought = wait_for_moment (sought, rest)) > 0;) {
    const auto begin = Clock::now ();
    if (is_last (sought))
      return seek (sought, seeking.whole ? cpu : last_alone, monitor);
    try {
      seek (sought, alone, early);
    } catch (const Cancelled &) { // all projections have come
    }
    rest = Clock::now () + rests * (Clock::now () - begin);
  }
}

void Seeker::seek (int64_t projections, const Cpu &with, const Monitor &until)
{
  auto found = estimate (projections, with, until);
  if (found)
    tell (std::move (*found), is_last (projections));
  else if (is_last (projections))
    messages.add ("the axis was not found, because the examined rows show too little of the object");
}

std::optional<Seeker::Estimate> Seeker::estimate (int64_t projections, const Cpu &with, const Monitor &until) const
{
  const auto columns = seeking.columns, all = std::ssize (seeking.angles);
  find_axis::Search search;
  find_axis::prepare (search, {seeking.angles.data (), static_cast<size_t> (projections)}, columns,
                      find_axis::Way::automatic);
  search.rows = seeking.rows;
  for (size_t i = std::min<size_t> (seeking.rows.size () / 2, 1); i < seeking.rows.size (); i += 3)
    search.slices.push_back (seeking.rows[i]);
  find_axis::Findings findings;
  for (size_t i = 0; i < seeking.rows.size (); i++) {
    std::copy_n (kept.as<float> () + static_cast<int64_t> (i) * all * columns, projections * columns,
                 sinogram.as<float> ());
    find_axis::look (search, {seeking.rows[i], sinogram.as<float> (), projections, columns}, binned.as (), with, until,
                     findings);
  }
  const auto decision = find_axis::decide (find_axis::heard (search, findings, columns, seeking.height));
  if (!decision)
    return {};
  return Estimate{.axis = {.column = decision->best.axis,
                           .deviation = decision->best.error,
                           .projections = projections,
                           .settled = false},
                  .doubt = decision->doubt ()};
}

// The first axis, the one that has settled, and the last one are worth a message.
void Seeker::tell (Estimate found, bool final)
{
  auto &axis = found.axis;
  axis.settled = last && found.doubt.empty () && std::abs (axis.column - last->column) <= settled_within;
  const bool moved = !last || std::abs (axis.column - board.axis ()) > worth_a_move;
  last = axis;
  board.found (axis);
  if (seeking.applies && found.doubt.empty () && (moved || final))
    board.apply_axis (axis.column);
  const bool settles = axis.settled && !told_settled;
  if (!told || settles || final)
    messages.add (text ("the axis is at column %.2f +- %.2f, from %" G_GINT64_FORMAT " projections", axis.column,
                        axis.deviation, axis.projections) +
                      (axis.settled ? "; it has settled" : "") +
                      (found.doubt.empty () ? "" : "; this is in doubt: " + found.doubt),
                  final && !found.doubt.empty () ? Messages::Level::warning : Messages::Level::info);
  told = true;
  told_settled = told_settled || axis.settled;
}

} // namespace sino::live
