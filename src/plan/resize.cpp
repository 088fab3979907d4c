// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/resize.hpp"
#include "base/cancellation.hpp"
#include "plan/duration.hpp"
#include "plan/immediate.hpp"
#include "plan/in-flight.hpp"
#include "plan/sizing.hpp"

namespace sino {

namespace {

// Least gain for which sizes are changed. The model is not more exact than that, and sizes that suit most machines are
// not given up for a few milliseconds.
constexpr double least_share = 0.05, least_seconds = 0.05;

// Ratio of times that justifies more memory. A step that gains less may lead to one that gains enough.
constexpr double worth_memory = 0.97;

// The search stops in a direction when the time is longer than the best one by this factor.
constexpr double worse = 1.02;

// Times within this factor count as equal.
constexpr double as_good = 1.005;

// Largest number of work items that are halved: finding the rows of very many items takes too long.
constexpr size_t most_to_halve = 128;

class Pacer
{
public:
  Pacer (const PlanInput &i, const Pass &p, double r, const std::vector<PlannedStore> &s)
      : in (i), room (r), stores (s), model (i, p), plain (p)
  {
    plain.expected = model.duration (plain);
    plain.plain.rows = plain.sizes.item_rows;
    plain.plain.seconds = plain.expected.seconds;
    best = plain;
    for (const auto &stage : plain.stages) {
      if (stage.is_target ())
        rows = std::max (rows, stage.format->rows ());
      if (stage.format->kind () == Kind::projections)
        angles = std::max (angles, stage.format->angles ());
      const auto own = requests_of (in, stage);
      requests = std::max (requests, own);
      if (stage.is_target ())
        target_requests = std::max (target_requests, own);
    }
    // Blocks that leave while a stage works come fast at times, so that more requests are needed than on average.
    if (std::ranges::any_of (plain.stages, [&] (const Stage &stage) { return works_meanwhile (in, stage); }))
      fewest_requests = std::min (target_requests, 8);
  }

  Pass search ()
  {
    begin_with_fewest_requests ();
    if (requests > 1)
      better (plain, {0, plain.sizes.batch, requests});
    if (plain.items.size () > 1) {
      search_rows ();
      search_room ();
    }
    search_batch ();
    while (best.sizes.most_requests > fewest_requests &&
           as_good_with (std::max (best.sizes.most_requests / 2, fewest_requests))) {
    }
    const auto gain = judged (plain) - judged (best);
    return gain > std::max (least_share * judged (plain), least_seconds) ? best : plain;
  }

private:
  // Where frames are waited for, only what comes after them counts.
  static double judged (const Pass &pass)
  {
    return pass.expected.left > 0 ? pass.expected.left : pass.expected.seconds;
  }

  // Takes the fewest requests from the start, if nothing else has to become less for them.
  void begin_with_fewest_requests ()
  {
    Pass more = plain;
    if (fewest_requests <= plain.sizes.most_requests ||
        !size_as (in, more, {0, plain.sizes.batch, fewest_requests}, room, stores) ||
        more.sizes.most_at_once < plain.sizes.most_at_once || more.sizes.most_ahead < plain.sizes.most_ahead)
      return;
    more.expected = model.duration (more);
    best = plain = std::move (more);
  }

  void search_rows ()
  {
    for (auto n = plain.sizes.item_rows; n < rows;) {
      n = std::min (2 * n, rows);
      if (!better (plain, {whole_rows (in, plain, n), 0, requests}))
        break;
    }
    const auto least = whole_rows (in, plain, 1);
    for (auto n = plain.sizes.item_rows; n > least && plain.items.size () <= most_to_halve;) {
      n = whole_rows (in, plain, n / 2);
      if (!better (plain, {n, 0, requests}))
        break;
    }
  }

  // Where memory is too short for much larger blocks, fewer rows leave room for them.
  void search_room ()
  {
    Pass larger = plain;
    const auto batch = plain.sizes.batch;
    constexpr int64_t most = 16; // times as large
    if (room <= 0 || is_immediate (in.net, plain) || most * batch > angles || plain.items.size () > most_to_halve ||
        size_as (in, larger, {0, most * batch, requests}, room, stores))
      return;
    for (const int eighths : {7, 6, 5, 4})
      for (auto times = most; times > 1; times /= 2)
        if (const auto n = plain.sizes.item_rows * eighths / 8; n > 0)
          better (plain, {whole_rows (in, plain, n), times * batch, requests});
  }

  void search_batch ()
  {
    const auto usual = best.sizes.batch;
    for (auto batch = 2 * usual; batch / 2 < angles && better (best, {0, batch, requests}); batch *= 2) {
    }
    for (auto batch = usual / 2; batch > 0 && better (best, {0, batch, requests}); batch /= 2) {
    }
  }

  // Whether a pass fits with other sizes and the search should continue in that direction. Keeps the best sizes.
  bool better (Pass pass, const Sizes &sizes)
  {
    step_unless_cancelled ();
    if (!size_as (in, pass, sizes, room, stores))
      return false;
    pass.expected = model.duration (pass);
    const auto ratio = judged (pass) / judged (best);
    const bool more = pass.memory.host + pass.memory.device > best.memory.host + best.memory.device;
    if (ratio < (more ? worth_memory : 1))
      best = std::move (pass);
    return ratio < worse;
  }

  bool as_good_with (int fewer)
  {
    Pass pass = best;
    if (!size_as (in, pass, {0, best.sizes.batch, fewer}, room, stores))
      return false;
    pass.expected = model.duration (pass);
    if (judged (pass) > judged (best) * as_good)
      return false;
    best = std::move (pass);
    return true;
  }

  const PlanInput &in;
  const double room;
  const std::vector<PlannedStore> &stores;
  const PassModel model;
  Pass plain, best; // the pass sized without the model, and the fastest one
  int64_t rows = 1, angles = 1;
  // Most of any stage, most of those that take blocks, and fewest that the search tries if they fit.
  int requests = 1, target_requests = 1, fewest_requests = 1;
};

} // namespace

void resize_for_speed (const PlanInput &in, Pass &pass, double room, const std::vector<PlannedStore> &stores)
{
  pass = Pacer (in, pass, room, stores).search ();
}

} // namespace sino
