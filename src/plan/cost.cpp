// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/cost.hpp"
#include "plan/demand.hpp"

namespace sino {

namespace {

constexpr double memory_weight = 0.3, scratch_weight = 1.5; // weights of bytes kept between passes

double store_weight (const std::vector<PlannedStore> &stores, int node)
{
  const auto found = std::ranges::find_if (stores, [node] (const PlannedStore &s) { return s.node == node; });
  return found != stores.end () && found->in_memory ? memory_weight : scratch_weight;
}

double bytes_of (const Stage &stage, const Rows &rows)
{
  return stage.format->bytes () / static_cast<double> (stage.format->rows ()) * static_cast<double> (rows.size ());
}

// Cost of a task's output; `read`: bytes that a source reads from storage.
double cost_of (const NetNode &node, double bytes, double read)
{
  return node.is_source () ? std::max (read, 0.5 * bytes) : 0.5 * bytes; // computing the output costs as well
}

} // namespace

PassCost weigh (const PlanInput &in, const Pass &pass, const std::vector<PlannedStore> &stores)
{
  PassCost cost;
  cost.streams.resize (pass.stages.size ());
  double collected = 0;
  for (const auto &item : pass.items) {
    const auto rows = demanded_rows (in.net, pass, item);
    for (size_t s = 0; s < pass.stages.size (); s++) {
      const auto &stage = pass.stages[s];
      const auto &node = in.net.node (stage.node);
      const double bytes = bytes_of (stage, rows[s]);
      cost.streams[s].moved += bytes;
      if (stage.role != Stage::Role::task)
        cost.total += store_weight (stores, stage.node) * bytes;
      else if (!stage.is_target ()) {
        const double read = node.is_source () ? bytes_read (node, rows[s]) : 0;
        cost.streams[s].read += read;
        cost.read += read;
        cost.total += cost_of (node, bytes, read);
      }
      if (stage.role == Stage::Role::task && node.gathers ())
        collected += bytes;
    }
  }
  double all = 0, once = 0;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    if (stage.role != Stage::Role::task || stage.is_target ())
      continue;
    const double moved = cost.streams[s].moved, least = std::min (moved, stage.format->bytes ());
    if (in.net.node (stage.node).is_source ())
      cost.needed += least;
    all += moved;
    once += least;
  }
  cost.repeats = once > 0 ? all / once : 1;
  if (pass.items.size () == 1)
    cost.total += 0.25 * collected; // nothing overlaps with a stage that waits for the whole scan
  return cost;
}

double cost_of_output (const Net &net, const Stage &stage, const Rows &rows)
{
  const auto &node = net.node (stage.node);
  return cost_of (node, bytes_of (stage, rows), node.is_source () ? bytes_read (node, rows) : 0);
}

// Number of consumers of a stage that compute on the device (`there`), or that do not.
static int64_t takers (const Net &net, const Pass &pass, const Stage &stage, const Device &device, bool there)
{
  return std::ranges::count_if (stage.consumers, [&] (const auto &consumer) {
    return on_device (net, pass.stage (consumer.first), device) == there;
  });
}

// If one consumer needs a stream in the host's memory, it lies there for all consumers.
double bytes_sent (const Net &net, const Pass &pass, size_t s, const Device &device)
{
  const auto &stage = pass.stages[s];
  if (stage.sizes.memory == Device::Memory::own)
    return 0;
  return pass.cost.streams[s].moved * static_cast<double> (takers (net, pass, stage, device, true));
}

double bytes_back (const Net &net, const Pass &pass, size_t s, const Device &device)
{
  const auto &stage = pass.stages[s];
  const bool comes = on_device (net, stage, device) && stage.sizes.memory != Device::Memory::own && !stage.is_target ();
  return comes ? pass.cost.streams[s].moved : 0;
}

double bytes_written (const Net &net, const Pass &pass)
{
  double bytes = 0;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    const auto &node = net.node (stage.node);
    if (stage.role == Stage::Role::task && stage.is_target () &&
        !naming (node, [&] { return facet<Writes> (*node.task).outputs (); }).empty ())
      bytes += pass.cost.streams[s].moved;
  }
  return bytes;
}

double least_store_cost (const Net &net, int node)
{
  return memory_weight * net.node (node).format->bytes ();
}

} // namespace sino
