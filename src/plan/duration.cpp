// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/duration.hpp"
#include "device/devices.hpp"
#include "glue/timed.hpp"
#include "plan/cost.hpp"
#include "plan/demand.hpp"
#include "plan/in-flight.hpp"
#include "plan/rates.hpp"
#include <array>
#include <cmath>
#include <unistd.h>

namespace sino {

namespace {

// Resources that work at the same time. `alone`: each stage has its own thread and works on one block after the other.
// The others are shared: the seconds of all stages that use them are added up.
enum Resource { alone, device, upload, download, processors, resources };

constexpr const char *names[resources] = {"", "the device", "transfers to the device", "transfers from the device",
                                          "the processors"};

using Seconds = std::array<double, resources>;

void add (Seconds &sum, Resource resource, double seconds)
{
  sum[resource] = resource == alone ? std::max (sum[resource], seconds) : sum[resource] + seconds;
}

double cache_bytes ()
{
  static const double bytes = [] {
    const auto known = static_cast<double> (sysconf (_SC_LEVEL3_CACHE_SIZE));
    return known > 0 ? known : 8e6;
  }();
  return bytes;
}

const Stage &giver_of (const Pass &pass, const Stage &stage)
{
  return stage.is_target () ? pass.stage (stage.producers[0]) : stage;
}

double count_of (const Pass &pass)
{
  return static_cast<double> (pass.items.size ());
}

// Number of blocks that a stage gives, or a target takes, in the whole pass.
double blocks_of (const Pass &pass, const Stage &stage)
{
  return static_cast<double> (giver_of (pass, stage).sizes.blocks) * count_of (pass);
}

} // namespace

double pieces_read (const Pass &pass, size_t source)
{
  const auto &stage = pass.stages[source];
  const auto &format = *stage.format;
  if (format.kind () != Kind::projections)
    return std::max (pass.cost.streams[source].moved / format.bytes () * static_cast<double> (format.rows ()), 1.0);
  return stage.sizes.item_rows == format.rows () ? blocks_of (pass, stage)
                                                 : static_cast<double> (format.angles ()) * count_of (pass);
}

families::RatioFile ratio_file (const PlanInput &in, const Pass &pass, const Stage &stage)
{
  const auto &device = in.device ();
  if (in.ranks > 1 || stage.is_target () || !families::keeps_time_ratios (device) || !on_device (in.net, stage, device))
    return {};
  const auto &node = in.net.node (stage.node);
  return naming (node, [&] () -> families::RatioFile {
    const auto *kernels = node.task->kernels ();
    // Choosing a kernel tries it, so only where it will run.
    if (!kernels || !facet<Timed> (*node.task).timed_by_kernels () || !kernels->runs_on (device))
      return {};
    return families::ratio_file (as_opencl (device), *kernels, lanes_taken (in.net, pass, stage));
  });
}

PassModel::PassModel (const PlanInput &i, const Pass &pass) : in (i), own_memory (i.device ().own_memory () > 0)
{
  for (const auto &stage : pass.stages) {
    auto &fact = facts.emplace_back ();
    for (const int producer : stage.producers)
      if (producer >= 0) {
        const auto &before = facts[static_cast<size_t> (producer)];
        fact.level = std::max (fact.level, before.level + before.gathers);
      }
    levels = std::max (levels, fact.level + 1);
    if (stage.role == Stage::Role::load || stage.role == Stage::Role::save) {
      fact.place = Place::storage;
      continue;
    }
    const auto &node = in.net.node (stage.node);
    naming (node, [&] {
      fact.serial = node.task->serial ();
      fact.gathers = node.gathers ();
      fact.early = fact.gathers && !facet<Holds> (*node.task).fills_late (in.device ());
      if (stage.role == Stage::Role::survey)
        return;
      fact.all_rows = node.task->seconds (in.device (), in.threads);
      if (on_device (in.net, stage, in.device ())) {
        fact.place = Place::device;
        fact.late = fact.gathers && own_memory ? facet<Holds> (*node.task).share_late (in.device ()) : 0;
        const auto path = ratio_file (in, pass, stage).path;
        fact.keeps = !path.empty ();
        fact.ratio = fact.keeps ? families::kept_time_ratio (path) : 0;
      } else if (node.is_source ()
                     ? !node.task->files ().empty ()
                     : node.is_sink () && fact.all_rows == 0 && !facet<Writes> (*node.task).outputs ().empty ())
        fact.place = Place::storage;
    });
  }
}

double PassModel::predicted (const Pass &pass, size_t s) const
{
  const auto &stage = pass.stages[s];
  const auto &fact = facts[s];
  const auto [moved, read] = pass.cost.streams[s];
  if (fact.place == Place::storage) {
    const auto r =
        static_cast<double> (std::clamp<int64_t> (giver_of (pass, stage).sizes.pool - 1, 1, stage.sizes.requests));
    constexpr double piece = Rates::piece_work + Rates::piece_wait;
    if (!stage.is_target ())
      return std::max ((pieces_read (pass, s) * piece + read / Rates::read_one) / r, read / Rates::read_most);
    return std::max ((blocks_of (pass, stage) * piece + moved / Rates::write_one) / r, moved / Rates::write_most);
  }
  if (fact.all_rows > 0)
    return fact.all_rows * moved / stage.format->bytes ();
  if (stage.is_target ())
    return moved / Rates::memory;
  if (fact.place == Place::device && own_memory)
    return moved / Rates::device_values;
  return moved / (Rates::values * in.threads);
}

double PassModel::of_processors (const Pass &pass, size_t s) const
{
  const auto &stage = pass.stages[s];
  const auto [moved, read] = pass.cost.streams[s];
  const auto threads = static_cast<double> (in.threads);
  switch (facts[s].place) {
  case Place::storage:
    return stage.is_target () ? moved / Rates::write_one / threads
                              : (pieces_read (pass, s) * Rates::piece_work + read / Rates::read_one) / threads;
  case Place::device:
    return own_memory ? 0 : by_itself (pass, s); // a device without memory of its own is one of the processors
  case Place::processors:
    break;
  }
  // A block larger than the cache is read from memory, and the result is written back there.
  double late = 0;
  for (const int producer : stage.producers) {
    if (producer < 0 || facts[static_cast<size_t> (producer)].gathers)
      continue;
    const auto &given = pass.stage (producer);
    const auto at_once = static_cast<double> (given.sizes.block + stage.sizes.block);
    late += std::max (1 - cache_bytes () / at_once, 0.0) * pass.cost.streams[static_cast<size_t> (producer)].moved;
  }
  return by_itself (pass, s) + late / (Rates::memory * threads);
}

double PassModel::seconds (const Pass &pass, size_t s) const
{
  const auto &stage = pass.stages[s];
  const bool far = facts[s].place == Place::device && own_memory;
  return by_itself (pass, s) + blocks_of (pass, stage) * (far ? Rates::device_block : Rates::block) +
         count_of (pass) * (far ? Rates::device_item : Rates::item);
}

// Seconds in which memory is touched for the first time. One thread does it for memory that devices share.
double PassModel::fresh (const Pass &pass) const
{
  double pinned = 0;
  for (const auto &stage : pass.stages)
    if (own_memory && (stage.sizes.memory == Device::Memory::shared || stage.sizes.memory == Device::Memory::sent))
      pinned += static_cast<double> (stage.sizes.block) * static_cast<double> (stage.sizes.pool);
  return (pinned + (pass.memory.host - pinned) / in.threads) * Rates::touch;
}

// Seconds of the first work item: what is busy longest on each level of stages, one level after the other.
template <class OfItem> static double seconds_of_first (const std::vector<Seconds> &of_level, const OfItem &of_item)
{
  double first = 0;
  for (const auto &level : of_level) {
    double most = 0;
    for (int r = 0; r < resources; r++)
      most = std::max (most, of_item (static_cast<Resource> (r), level[static_cast<size_t> (r)]));
    first += most;
  }
  return first;
}

// Seconds of a single work item after its last projection has come: those of all stages behind the first one that
// gathers, without what was done ahead.
double PassModel::left_after_frames (const Pass &pass) const
{
  std::vector<Seconds> of_level (static_cast<size_t> (levels), Seconds{});
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    double done = 0;
    if (stage.sizes.ahead > 0)
      done = facet<WorksAhead> (*in.net.node (stage.node).task).seconds_ahead (in.device (), in.threads) *
             factor (facts[s]) * static_cast<double> (stage.sizes.ahead) /
             static_cast<double> (pass.stage (stage.producers[0]).format->rows ());
    auto &level = of_level[static_cast<size_t> (facts[s].level)];
    add (level, alone, seconds (pass, s) - done);
    add (level, processors, of_processors (pass, s) - done);
  }
  of_level[0] = {};
  return seconds_of_first (of_level, [] (Resource, double seconds) { return seconds; });
}

Duration PassModel::duration (const Pass &pass) const
{
  const double n = count_of (pass), ranks = std::min<double> (in.ranks, n),
               replicas = std::min (static_cast<double> (in.devices.size ()) * ranks, n);
  const double rounds = std::ceil (n / replicas);
  std::vector<Seconds> of_level (static_cast<size_t> (levels), Seconds{});
  Seconds all{};
  const auto load = [&] (int level, Resource resource, double seconds) {
    add (of_level[static_cast<size_t> (level)], resource, seconds);
    add (all, resource, seconds);
  };
  // Seconds per work item: of one replica, and of what all replicas of a process share when each has one work item.
  const auto of_item = [&] (Resource r, double seconds) {
    return r == processors ? seconds * replicas / (n * ranks) : seconds / n;
  };
  const auto of_pass = [&] (Resource r, double seconds) {
    return seconds * (r == processors ? std::ceil (n / ranks) : rounds) / n;
  };

  Duration result;
  double first_blocks = 0, longest_block = 0, longest = -1;
  int longest_stage = -1;
  bool waits = false;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    const auto &fact = facts[s];
    const auto time = seconds (pass, s);
    result.stages.push_back ({time, fact.ratio, fact.keeps ? predicted (pass, s) : 0});
    // Work that is done while the output leaves lies between the stages that take it.
    const auto load_stage = [&] (Resource resource, double seconds) {
      const double late = fact.late * seconds;
      add (of_level[static_cast<size_t> (fact.level)], resource, seconds - late);
      if (late > 0 && fact.level + 1 < levels)
        add (of_level[static_cast<size_t> (fact.level) + 1], resource, late);
      add (all, resource, seconds);
    };
    load_stage (alone, fact.serial ? time * replicas : time);
    if (time > longest) {
      longest = time;
      longest_stage = static_cast<int> (s);
    }
    load (fact.level, processors,
          of_processors (pass, s) + (blocks_of (pass, stage) * Rates::block + n * Rates::item) / in.threads);
    if (own_memory) {
      if (fact.place == Place::device)
        load_stage (device, time);
      load (fact.level + fact.gathers, upload, bytes_sent (in.net, pass, s, in.device ()) / Rates::bus);
      load (fact.level + fact.gathers, download, bytes_back (in.net, pass, s, in.device ()) / Rates::bus);
    }
    const double block = time / std::max (blocks_of (pass, stage), 1.0);
    first_blocks += block;
    longest_block = std::max (longest_block, block);
    waits = waits || (fact.early && !stage.is_target () && pass.sizes.depth < 2) ||
            (fact.late > 0 && stage.sizes.pool < stage.sizes.blocks);
  }

  const double first = seconds_of_first (of_level, of_item);
  double slowest = 0;
  for (int r = 0; r < resources; r++) {
    const auto resource = static_cast<Resource> (r);
    slowest = std::max (slowest, of_item (resource, all[static_cast<size_t> (r)]));
    if (const auto time = of_pass (resource, all[static_cast<size_t> (r)]); time > result.busy) {
      result.busy = time;
      result.shared = names[r];
    }
  }
  result.busiest = longest_stage;
  result.longest = longest;
  if (waits) // nothing of the next work item begins before this one is done
    result.busy = std::max (result.busy, first * (rounds - 1) + slowest);
  result.ends = first - slowest + first_blocks - longest_block;
  result.fresh = fresh (pass);
  if (pass.items.size () == 1 && waits_for_frames (in.net, pass))
    result.left = left_after_frames (pass);
  result.seconds = result.busy + result.ends + result.fresh;
  return result;
}

} // namespace sino
