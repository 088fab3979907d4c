// SPDX-License-Identifier: LGPL-3.0-or-later
// Chooses the layout of streams in memory, for each kind of device in a run.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Lanes of every node's output. Lanes can change the last bits of results, so they depend only on the graph and the
// kind of device, never on memory. Exception: if tasks say that fewer lanes give the same bits, at most `most` are
// used.
std::vector<Layout> settle_layouts (const Net &net, const Device &device, int most);

// Devices of a run that are alike, and the layout of every node's output there.
struct DeviceGroup {
  std::shared_ptr<const Devices> devices;
  std::vector<Layout> layouts;
};

// The first group has the run's first device.
std::vector<DeviceGroup> group_devices (const PlanInput &input);

// Lanes in which a node gets its sinograms; all its inputs must have the same.
int input_lanes (const Net &net, const NetNode &node, const std::vector<Layout> &layouts);

// Gives a pass the layouts of the first group, and adds a pass beside it for each other group.
void lay_out (Pass &pass, const std::vector<DeviceGroup> &groups);

} // namespace sino
