// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/layouts.hpp"
#include "base/error.hpp"
#include <numeric>

namespace sino {

int input_lanes (const Net &net, const NetNode &node, const std::vector<Layout> &layouts)
{
  if (!node.task->takes_lanes ())
    return 1;
  int lanes = 0;
  for (const int producer : node.producers) {
    if (producer < 0 || net.node (producer).format->kind () != Kind::sinograms)
      continue;
    const int here = layouts[static_cast<size_t> (producer)].lanes;
    if (lanes != 0 && lanes != here)
      fail (SINO_ERROR_BAD_FORMAT,
            "%s: its inputs have %d and %d lanes: give their 'interleave' nodes the same lanes=", node.title.c_str (),
            lanes, here);
    lanes = here;
  }
  return std::max (lanes, 1);
}

std::vector<Layout> settle_layouts (const Net &net, const Device &device, int most)
{
  const auto count = net.nodes.size ();
  std::vector<int> wanted (count, 1);
  for (size_t n = count; n-- > 0;)
    for (const auto &[consumer, port] : net.nodes[n].consumers) {
      const auto &taker = net.node (consumer);
      const auto lanes = naming (taker, [&] {
        const int best = taker.task->wanted_lanes (device, wanted[static_cast<size_t> (consumer)]);
        return best > most ? std::max (taker.task->fewest_lanes (device, best), most) : best;
      });
      wanted[n] = std::max (wanted[n], lanes);
    }
  std::vector<Layout> layouts (count);
  for (size_t n = 0; n < count; n++) {
    const auto &node = net.nodes[n];
    const int input = input_lanes (net, node, layouts);
    if (node.is_sink () || node.format->kind () != Kind::sinograms)
      continue;
    layouts[n].lanes = naming (node, [&] { return node.task->output_lanes (input, wanted[n]); });
  }
  return layouts;
}

// Whether two devices give the same bits and can share a plan.
static bool alike (const Device &a, const Device &b)
{
  return a.kind == b.kind && a.name == b.name && a.own_memory () == b.own_memory () &&
         a.largest_block () == b.largest_block ();
}

std::vector<DeviceGroup> group_devices (const PlanInput &in)
{
  std::vector<Devices> lists;
  for (const auto &device : in.devices) {
    const auto found = std::ranges::find_if (lists, [&] (const auto &list) { return alike (*list[0], *device); });
    (found == lists.end () ? lists.emplace_back () : *found).push_back (device);
  }
  std::vector<DeviceGroup> groups;
  for (auto &list : lists) {
    auto layouts = settle_layouts (in.net, *list[0], in.most_lanes);
    groups.push_back ({std::make_shared<const Devices> (std::move (list)), std::move (layouts)});
  }
  return groups;
}

static void lay_out_for (Pass &pass, const DeviceGroup &group)
{
  pass.devices = group.devices;
  for (auto &stage : pass.stages) {
    stage.layout = group.layouts[static_cast<size_t> (stage.node)];
    if (!stage.is_target ())
      pass.row_step = std::max<int64_t> (pass.row_step, stage.layout.lanes);
  }
}

void lay_out (Pass &pass, const std::vector<DeviceGroup> &groups)
{
  for (size_t g = 1; g < groups.size (); g++) {
    auto other = pass;
    other.beside.clear ();
    other.leads = false;
    lay_out_for (other, groups[g]);
    pass.beside.push_back (std::move (other));
  }
  lay_out_for (pass, groups[0]);
  pass.each ([&pass] (const Pass &p) { pass.cut_step = std::lcm (pass.cut_step, p.row_step); });
}

} // namespace sino
