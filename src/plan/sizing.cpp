// SPDX-License-Identifier: LGPL-3.0-or-later
// Work items, batches and pools of a pass under a memory limit.
#include "plan/sizing.hpp"
#include "plan/bill.hpp"
#include "plan/cost.hpp"
#include "plan/demand.hpp"
#include "plan/immediate.hpp"
#include "plan/in-flight.hpp"
#include <cmath>
#include <numeric>
#include <set>

namespace sino {

namespace {

constexpr double MiB = 1024.0 * 1024.0;
constexpr double batch_bytes = 4 * MiB; // a block of projections: large enough to hide the overhead of a block
constexpr double own_batch_bytes =
    64 * MiB; // the same on a device with own memory: small kernels are inefficient there
constexpr double collected_bytes = 64 * MiB; // a work item: enough for long reads, small enough to overlap
constexpr int64_t fewest_items = 4;          // work items per device, so that successive ones overlap
constexpr int64_t most_items = 65536;        // keeps the list of them small

int64_t rows_together (const PlanInput &in, const Pass &pass)
{
  int64_t rows = 1;
  pass.each ([&] (const Pass &own) {
    for (const auto &stage : own.stages)
      if (stage.role == Stage::Role::task)
        rows = std::max (rows, facet<Holds> (*in.net.node (stage.node).task).rows_together (*own.devices->front ()));
  });
  return rows;
}

void add_items (Pass &pass, const Rows &rows)
{
  for (auto begin = rows.begin; begin < rows.end; begin += pass.sizes.item_rows)
    pass.items.push_back (
        {static_cast<int> (pass.items.size ()), {begin, std::min (begin + pass.sizes.item_rows, rows.end)}});
}

// The rows that all targets of a pass with several items share.
int64_t target_rows (const Pass &pass)
{
  int64_t rows = 1;
  for (const auto &stage : pass.stages)
    if (stage.is_target ())
      rows = std::max (rows, stage.format->rows ());
  return rows;
}

int64_t count_devices (const PlanInput &in, const Pass &pass)
{
  int64_t all = 0;
  pass.each ([&] (const Pass &own) { all += std::ssize (*own.devices) * in.ranks; });
  return all;
}

// Rows of equal work items of at most `item_rows` rows, which is a multiple of `whole`. Where there are few for each
// device, it takes a somewhat larger number of them that leaves no device without work in the last round. Devices that
// are unlike do not work in rounds.
int64_t even_rows (int64_t rows, int64_t item_rows, int64_t whole, int64_t devices)
{
  constexpr int64_t few = 16; // for each device: of more, one more or less does not matter
  const auto number = divide_up (rows, item_rows);
  const auto rows_of = [=] (int64_t n) { return round_up (divide_up (rows, n), whole); };
  if (number > devices)
    for (auto n = number; n < std::min (few * devices, 2 * number); n++)
      if (divide_up (rows, rows_of (n)) % devices == 0)
        return rows_of (n);
  return rows_of (number);
}

// Cuts the pass into work items of about `item_rows` rows. They have equal sizes if that keeps rows together that are
// computed together.
void cut_evenly (const PlanInput &in, Pass &pass, int64_t item_rows)
{
  const auto rows = target_rows (pass), together = rows_together (in, pass);
  const auto whole = std::lcm (pass.cut_step, item_rows % together == 0 ? together : 1);
  const auto even = even_rows (rows, item_rows, whole, pass.beside.empty () ? count_devices (in, pass) : 1);
  pass.sizes.item_rows = std::min (item_rows, even);
  pass.items.clear ();
  add_items (pass, {0, rows});
}

// Whether a pass can have several work items: all its targets must have the same number of rows.
bool targets_alike (const Pass &pass)
{
  const auto rows = target_rows (pass);
  return std::ranges::all_of (pass.stages,
                              [&] (const Stage &s) { return !s.is_target () || s.format->rows () == rows; });
}

// Work items that have the most rows or blocks of any stream, lie at the borders of the scan, next to these, or in its
// middle. Records properties that all work items have in common.
std::vector<Item> telling_items (const PlanInput &in, Pass &pass)
{
  const auto last = pass.items.size () - 1;
  std::set<size_t> telling{0, std::min<size_t> (1, last), last / 2, last - std::min<size_t> (last, 1), last};
  std::vector<std::pair<int64_t, size_t>> most (pass.stages.size ()), most_blocks = most;
  for (auto &stage : pass.stages)
    stage.sizes.item_step = 0;
  for (const auto &item : pass.items) {
    const auto rows = demanded_rows (in.net, pass, item);
    const auto seen = seen_rows (in.net, pass, item);
    for (size_t s = 0; s < rows.size (); s++) {
      if (rows[s].size () > most[s].first)
        most[s] = {rows[s].size (), static_cast<size_t> (item.index)};
      // Where a survey skips rows, items of equal size may differ in blocks. Only streams without batches are skipped.
      if (!seen[s].empty ())
        if (const auto n = count_blocks (pass, pass.stages[s], rows[s], seen[s]).number; n > most_blocks[s].first)
          most_blocks[s] = {n, static_cast<size_t> (item.index)};
      auto &step = pass.stages[s].sizes.item_step;
      step = std::gcd (step, rows[s].begin);
    }
  }
  for (const auto *list : {&most, &most_blocks})
    for (const auto &[number, index] : *list)
      telling.insert (index);
  std::vector<Item> items;
  for (const auto index : telling)
    items.push_back (pass.items[index]);
  return items;
}

// Largest number of blocks that a stage processes at a time, if memory allows.
int most_at_once (const PlanInput &in, const Pass &pass)
{
  int most = 1;
  for (const auto &stage : pass.stages)
    most = std::max (most, blocks_at_once (in, stage));
  return most;
}

int64_t most_ahead (const PlanInput &in, const Pass &pass)
{
  int64_t most = 0;
  for (const auto &stage : pass.stages)
    most = std::max (most, rows_ahead (in, pass, stage));
  return most;
}

// Computes the peak memory of a pass, with pools of `depth` work items or blocks.
void measure (const PlanInput &in, Pass &pass, int depth)
{
  pass.sizes.depth = depth;
  for (auto &stage : pass.stages)
    stage.sizes = {.item_step = stage.sizes.item_step,
                   .at_once = std::min (blocks_at_once (in, stage), pass.sizes.most_at_once),
                   .ahead = std::min (rows_ahead (in, pass, stage), pass.sizes.most_ahead),
                   .requests = std::min (requests_of (in, stage), pass.sizes.most_requests),
                   .copied = std::vector<char> (stage.producers.size ())};
  for (const auto &item : pass.sizes.telling) {
    const auto rows = demanded_rows (in.net, pass, item);
    const auto seen = seen_rows (in.net, pass, item);
    for (size_t s = 0; s < rows.size (); s++) {
      const auto &stage = pass.stages[s];
      auto &sizes = pass.stages[s].sizes;
      sizes.item_rows = std::max (sizes.item_rows, rows[s].size ());
      if (stage.is_target ())
        continue;
      const auto [number, largest] = count_blocks (pass, stage, rows[s], seen[s]);
      sizes.blocks = std::max (sizes.blocks, number);
      sizes.block = std::max (sizes.block, page_rounded (block_bytes (*stage.format, stage.layout, largest)));
      for (const auto &[consumer, port] : stage.consumers) {
        auto &taker = pass.stage (consumer);
        const auto p = static_cast<size_t> (port);
        if (layout_taken (in.net, taker, stage.layout).lanes != stage.layout.lanes ||
            !(rows_needed (in.net, taker, p, rows[static_cast<size_t> (consumer)]) == rows[s]))
          taker.sizes.copied[p] = true;
      }
    }
  }

  for (auto &stage : pass.stages) {
    if (stage.is_target ())
      continue;
    stage.sizes.pool = pool_of (in, pass, stage, depth);
    if (stage.held)
      stage.sizes.pool = std::max (stage.sizes.pool, stage.sizes.blocks + 1);
    stage.sizes.memory = memory_of (in.net, pass, stage, in.device ());
  }
  pass.memory = peak_memory (in, pass);
}

// Most projections in a block, where stages work on them while others come.
int64_t most_batch (const Pass &pass)
{
  int64_t angles = 0;
  if (pass.sizes.most_ahead > 0)
    for (const auto &stage : pass.stages)
      angles = std::max (angles, stage.format->angles ());
  constexpr int64_t blocks = 64;
  return angles > 0 ? divide_up (angles, blocks) : std::numeric_limits<int64_t>::max ();
}

// Number of projections in a block of about batch_bytes or own_batch_bytes.
int64_t usual_batch (const PlanInput &in, const Pass &pass)
{
  if (is_immediate (in.net, pass))
    return 1;
  double widest = 1;
  int64_t angles = 1, most = std::numeric_limits<int64_t>::max ();
  const auto rows = demanded_rows (in.net, pass, pass.items[pass.items.size () / 2]);
  for (size_t s = 0; s < pass.stages.size (); s++)
    if (const auto &stage = pass.stages[s]; stage.format->kind () == Kind::projections && !stage.is_target ()) {
      widest = std::max (widest, static_cast<double> (rows[s].size () * stage.format->line ()) * 4);
      angles = std::max (angles, stage.format->angles ());
      if (const auto &node = in.net.node (stage.node); stage.role == Stage::Role::task && node.is_source ())
        most = std::min (most, facet<Reads> (*node.task).most_angles (*stage.format));
    }
  const double bytes = in.device ().own_memory () > 0 ? own_batch_bytes : batch_bytes;
  return std::clamp<int64_t> (static_cast<int64_t> (bytes / widest), 1, std::min ({angles, most, most_batch (pass)}));
}

// Whether tasks that must see projections as soon as they come do so, as far as sizes allow.
bool prompt (const PlanInput &in, const Pass &pass)
{
  constexpr int64_t few = 16;
  return !is_immediate (in.net, pass) ||
         (pass.sizes.batch == 1 && (pass.sizes.depth == 1 || blocks_ahead (in.net, pass) <= few));
}

bool fits (const PlanInput &in, const Pass &pass, double room)
{
  return pass.memory.host <= room && pass.memory.device_excess <= 0 && prompt (in, pass);
}

// Reduces the number of blocks under way until the pass fits; false if it does not fit with one.
bool fit_at_once (const PlanInput &in, Pass &pass, double room)
{
  for (pass.sizes.most_at_once = most_at_once (in, pass);; pass.sizes.most_at_once /= 2) {
    measure (in, pass, 2);
    if (fits (in, pass, room))
      return true;
    if (pass.sizes.most_at_once <= 1)
      return false;
  }
}

// The same with as much work done ahead as fits. `batch`: projections of a block, 0: the usual number.
bool fit_ahead (const PlanInput &in, Pass &pass, int64_t batch, double room)
{
  for (pass.sizes.most_ahead = most_ahead (in, pass);; pass.sizes.most_ahead /= 2) {
    pass.sizes.batch = batch > 0 ? std::min (batch, most_batch (pass)) : usual_batch (in, pass);
    if (fit_at_once (in, pass, room))
      return true;
    if (pass.sizes.most_ahead == 0)
      return false;
  }
}

} // namespace

// Tries blocks of the usual size with most work done ahead, then less of that, then fewer of them under way, then
// smaller blocks, until the pass fits.
bool size_items (const PlanInput &in, Pass &pass, double room)
{
  pass.sizes.telling = telling_items (in, pass);
  if (fit_ahead (in, pass, 0, room))
    return true;
  const auto wanted = pass.sizes.batch;
  pass.sizes.most_at_once = 1;
  PassMemory least{.host = INFINITY, .device_excess = INFINITY};
  for (const int depth : {2, 1})
    for (pass.sizes.batch = wanted;; pass.sizes.batch = std::max<int64_t> (pass.sizes.batch / 4, 1)) {
      measure (in, pass, depth);
      if (fits (in, pass, room))
        return true;
      least.host = std::min (least.host, pass.memory.host);
      least.device_excess = std::min (least.device_excess, pass.memory.device_excess);
      if (pass.sizes.batch == 1)
        break;
    }
  pass.memory = least;
  return false;
}

int64_t whole_rows (const PlanInput &in, const Pass &pass, int64_t rows)
{
  auto whole = rows_together (in, pass);
  while (whole > std::max<int64_t> (rows, 1))
    whole = (whole + 1) / 2;
  return round_up (rows / whole * whole, pass.cut_step);
}

bool size_as (const PlanInput &in, Pass &pass, const Sizes &sizes, double room, const std::vector<PlannedStore> &stores)
{
  if (sizes.item_rows > 0) {
    cut_evenly (in, pass, sizes.item_rows);
    pass.sizes.telling = telling_items (in, pass);
  }
  for (pass.sizes.most_requests = sizes.requests;; pass.sizes.most_requests /= 2) {
    if (fit_ahead (in, pass, sizes.batch, room))
      break;
    if (pass.sizes.most_requests <= 1)
      return false;
  }
  if (sizes.item_rows > 0)
    pass.cost = weigh (in, pass, stores);
  return true;
}

// Rows of a work item whose collected streams are neither small nor large, with some work items for each device.
static int64_t comfortable_rows (const PlanInput &in, const Pass &pass, int64_t rows, int64_t all_devices)
{
  double row_bytes = 1;
  for (const auto &stage : pass.stages)
    if (!stage.is_target () && (stage.held || gathers (in.net, stage)))
      row_bytes += stage.format->bytes () / static_cast<double> (stage.format->rows ());
  const auto few = std::min (static_cast<int64_t> (collected_bytes / row_bytes), rows / (fewest_items * all_devices));
  return std::min (std::max (few, rows_together (in, pass)), divide_up (rows, in.ranks));
}

bool size_pass (const PlanInput &in, Pass &pass, double room, const std::vector<PlannedStore> &stores)
{
  const int64_t rows = target_rows (pass);
  const auto try_rows = [&] (int64_t item_rows) {
    cut_evenly (in, pass, item_rows);
    const bool fits = size_items (in, pass, room);
    if (fits)
      pass.cost = weigh (in, pass, stores);
    return fits;
  };
  const bool only_saves =
      std::ranges::all_of (pass.stages, [] (const Stage &s) { return !s.is_target () || s.role == Stage::Role::save; });
  if (pass.whole || only_saves) {
    if (try_rows (rows))
      return true;
    if (pass.whole || !targets_alike (pass))
      return false;
  }

  // Searches from the usual size down to one that fits. Then searches upwards if larger work items avoid reading or
  // computing rows several times.
  const auto rounded = [&] (int64_t n) { return whole_rows (in, pass, n); };
  const int64_t step = rounded (divide_up (rows, most_items));
  const auto all_devices = count_devices (in, pass), most_rows = divide_up (rows, in.ranks); // some for each process
  int64_t item_rows = std::min (rounded (comfortable_rows (in, pass, rows, all_devices)), rows);
  while (!try_rows (item_rows)) {
    if (item_rows <= step)
      return false;
    item_rows = std::max (rounded (item_rows / 2), step);
  }
  Pass best = pass;
  const auto keep_better = [&] {
    if (pass.cost.total < best.cost.total)
      best = pass;
  };
  const auto repeats = [&best] { return best.cost.read > 1.2 * best.cost.needed || best.cost.repeats > 1.2; };
  for (; repeats () && item_rows < rows; keep_better ()) {
    const auto twice = std::min (rounded (item_rows * 2), rows);
    if (in.ranks > 1 && twice > most_rows)
      break;
    item_rows = twice;
    if (try_rows (item_rows))
      continue;
    if (!std::isfinite (in.device ().room ()))
      break;
    // Finds the most rows that fit on a device: fewer and larger work items, the same number for each device.
    auto good = divide_up (std::ssize (best.items), all_devices),
         bad = divide_up (rows, item_rows) / all_devices; // work items of each device
    while (good - bad > 1) {
      const auto some = (good + bad) / 2;
      const bool fit = try_rows (rounded (divide_up (rows, some * all_devices)));
      if (fit)
        keep_better ();
      (fit ? good : bad) = some;
    }
    break;
  }
  pass = best;
  return true;
}

bool size_survey (const PlanInput &in, Pass &pass, const std::vector<Rows> &bands, double room)
{
  for (const auto &band : bands)
    pass.sizes.item_rows = std::max (pass.sizes.item_rows, band.size ());
  for (;; pass.sizes.item_rows = std::max<int64_t> (pass.sizes.item_rows / 2, 1)) {
    pass.items.clear ();
    for (const auto &band : bands)
      add_items (pass, band);
    if (size_items (in, pass, room))
      return true;
    if (pass.sizes.item_rows <= 1)
      return false;
  }
}

} // namespace sino
