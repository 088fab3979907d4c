// SPDX-License-Identifier: LGPL-3.0-or-later
// The memory that a plan takes, item by item. The planner adds up these items, and workers allocate by them.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// Tells the task of a stage what its workers on a device may do. Task::memory () and Task::start () depend on it.
void allow (const NetNode &node, const Stage &stage, const Device &device);

// Memory that the worker of a stage takes on a device. The pass must be sized.
Bill worker_bill (const PlanInput &in, const Pass &pass, size_t stage, const Device &device);

// Memory that the task of a node holds once, for all passes and workers.
Bill shared_bill (const NetNode &node);

struct PassItem {
  int stage; // -1: the pass itself
  BillItem item;
  bool own;   // whether it is in the device's own memory
  bool there; // whether it is in memory that the device works in, which may be the host's
};

// Memory that one replica of a pass takes.
void each_item (const PlanInput &in, const Pass &pass, const Device &device,
                const std::function<void (const PassItem &)> &visit);

// Memory that a stage takes on each device of the pass; stage -1: the pass itself.
struct DeviceItem {
  const Device *device;
  PassItem taken;
};
std::vector<DeviceItem> items_of_stage (const PlanInput &in, const Pass &pass, int stage);

// Adds up the memory of a pass on the devices of `input`. The stages must be sized.
PassMemory peak_memory (const PlanInput &input, const Pass &pass);

// Memory that is taken before the passes and kept for all of them; node -1: by the process itself.
struct RunItem {
  int node;
  BillItem item;
};
std::vector<RunItem> items_of_run (const PlanInput &in, const Plan &plan);

} // namespace sino
