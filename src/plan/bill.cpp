// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/bill.hpp"
#include "glue/several.hpp"
#include "plan/demand.hpp"

namespace sino {

namespace {

using Memory = Device::Memory;

// Memory that a stage takes beside its blocks, mainly the stacks of its threads. The base includes it for as many
// stages as most graphs have.
constexpr size_t stage_bytes = 32 * 1024;
constexpr size_t counted_stages = 64;

// Whether a worker on the device works directly in the output blocks of a stage.
bool reached (const PlanInput &in, const Pass &pass, const Stage &stage, const Device &device)
{
  const auto memory = memory_of (in.net, pass, stage, device);
  return memory == Memory::own || (memory != Memory::host && device.own_memory () <= 0);
}

// Sizes that the worker of a stage has to handle. A worker that serves all devices has the largest sizes of any of
// them.
struct Met {
  int64_t item_rows = 0, input_rows = 0, output_blocks = 0;
  size_t output_block = 0;
  std::vector<size_t> blocks; // per input

  Met (const Pass &pass, size_t s, bool for_all) : blocks (pass.stages[s].producers.size ())
  {
    add (pass, s);
    if (for_all)
      for (const auto &other : pass.beside)
        add (other, s);
  }

private:
  void add (const Pass &pass, size_t s)
  {
    const auto &stage = pass.stages[s];
    item_rows = std::max (item_rows, stage.sizes.item_rows);
    output_blocks = std::max (output_blocks, stage.sizes.blocks);
    output_block = std::max (output_block, stage.sizes.block);
    for (size_t port = 0; port < blocks.size (); port++)
      if (stage.producers[port] >= 0)
        blocks[port] = std::max (blocks[port], pass.stage (stage.producers[port]).sizes.block);
    if (!blocks.empty () && stage.producers[0] >= 0)
      input_rows = std::max (input_rows, pass.stage (stage.producers[0]).sizes.item_rows);
  }
};

} // namespace

void allow (const NetNode &node, const Stage &stage, const Device &device)
{
  allow_at_once (*node.task, device, stage.sizes.at_once);
  facet<WorksAhead> (*node.task).allow_ahead (stage.sizes.ahead);
  facet<Estimates> (*node.task).let_estimate (stage.estimates != nullptr);
}

Bill worker_bill (const PlanInput &in, const Pass &pass, size_t s, const Device &device)
{
  const auto &stage = pass.stages[s];
  const auto &node = in.net.node (stage.node);
  const Met met (pass, s, node.task->serial ());
  std::vector<Layout> layouts;
  bool inputs_reached = true;
  for (const int producer : stage.producers) {
    layouts.push_back (producer < 0 ? Layout{} : layout_taken (in.net, stage, pass.stage (producer).layout));
    inputs_reached = inputs_reached && (producer < 0 || reached (in, pass, pass.stage (producer), device));
  }
  Bill bill;
  naming (node, [&] {
    const Sizing sizing{device,
                        in.threads,
                        met.item_rows,
                        met.blocks,
                        layouts,
                        met.output_block,
                        met.output_blocks,
                        met.input_rows,
                        inputs_reached,
                        stage.is_target () || reached (in, pass, stage, device),
                        stage.sizes.item_step};
    allow (node, stage, device);
    if (stage.role == Stage::Role::survey)
      facet<Surveys> (*node.task).survey_memory (sizing, bill);
    else
      node.task->memory (sizing, bill);
  });
  return bill;
}

Bill shared_bill (const NetNode &node)
{
  Bill bill;
  naming (node, [&] { node.task->shared_memory (bill); });
  if (node.samples > 0)
    add_bytes (bill, "slices kept for verification",
               static_cast<size_t> (node.format->line ()) * size_of (node.format->element),
               static_cast<size_t> (node.samples));
  return bill;
}

void each_item (const PlanInput &in, const Pass &pass, const Device &device,
                const std::function<void (const PassItem &)> &visit)
{
  const bool has_own = device.own_memory () > 0;
  const auto take = [&] (int stage, const BillItem &item, bool there = false) {
    if (item.all () > 0)
      visit ({.stage = stage, .item = item, .own = there && has_own, .there = there});
  };
  if (pass.stages.size () > counted_stages)
    take (-1, {"stacks of stages", stage_bytes, pass.stages.size () - counted_stages});
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    const int number = static_cast<int> (s);
    if (!stage.is_target ()) {
      take (number, {"blocks", stage.sizes.block, static_cast<size_t> (stage.sizes.pool)},
            reached (in, pass, stage, device));
      // Each end of the stream lists the blocks that it expects of a work item; the lists grow by doubling.
      const auto list = 2 * static_cast<size_t> (stage.sizes.blocks) * sizeof (Region);
      take (number, {"lists of blocks", list, 1 + stage.consumers.size ()});
    }
    for (size_t port = 0; port < stage.producers.size (); port++)
      if (stage.sizes.copied[port])
        take (number, {"copies of blocks", pass.stage (stage.producers[port]).sizes.block,
                       static_cast<size_t> (copies_at_once (stage))});
    if (stage.role == Stage::Role::load || stage.role == Stage::Role::save)
      continue;
    const bool elsewhere =
        in.net.node (stage.node).task->serial () && !(pass.leads && &device == pass.devices->front ().get ());
    if (!elsewhere) // otherwise the worker of the first replica does its work
      for (const auto &item : worker_bill (in, pass, s, device))
        take (number, item, item.where == BillItem::Where::device);
  }
}

PassMemory peak_memory (const PlanInput &in, const Pass &pass)
{
  PassMemory memory;
  for (const auto &device : in.devices) {
    double there = 0;
    each_item (in, pass, *device, [&] (const PassItem &taken) {
      const auto bytes = static_cast<double> (taken.item.all ());
      memory.host += taken.own ? 0 : bytes;
      there += taken.there ? bytes : 0;
    });
    memory.device = std::max (memory.device, there);
    memory.device_excess = std::max (memory.device_excess, there - device->room ());
  }
  return memory;
}

std::vector<RunItem> items_of_run (const PlanInput &in, const Plan &plan)
{
  const double allowance = allowance_of (in.devices);
  std::vector<RunItem> items{{-1, {"this process before the run", static_cast<size_t> (plan.base - allowance)}},
                             {-1, {"set aside for stacks of threads and libraries", static_cast<size_t> (allowance)}}};
  for (size_t n = 0; n < in.net.nodes.size (); n++)
    for (const auto &item : shared_bill (in.net.nodes[n]))
      if (item.all () > 0)
        items.push_back ({static_cast<int> (n), item});
  for (const auto &store : plan.stores)
    if (store.in_memory)
      items.push_back ({store.node, {"its output, materialised", static_cast<size_t> (store.bytes)}});
  return items;
}

std::vector<DeviceItem> items_of_stage (const PlanInput &in, const Pass &pass, int stage)
{
  std::vector<DeviceItem> items;
  for (const auto &device : *pass.devices)
    each_item (in, pass, *device, [&] (const PassItem &taken) {
      if (taken.stage == stage)
        items.push_back ({device.get (), taken});
    });
  return items;
}

} // namespace sino
