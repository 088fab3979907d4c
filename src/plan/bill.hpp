// SPDX-License-Identifier: LGPL-3.0-or-later
// What a plan takes of memory, item by item: the planner adds up what is listed here, and workers take from it.
#pragma once
#include "plan/plan.hpp"

namespace sino {

// What the worker of a stage takes on a device, once the pass is sized.
Bill worker_bill (const PlanInput &in, const Pass &pass, size_t stage, const Device &device);

// What the task of a node holds once, for all passes and workers.
Bill shared_bill (const NetNode &node);

struct PassItem {
  int stage; // -1: of the pass itself
  BillItem item;
  bool own;   // in memory that the device has besides the host's
  bool there; // where the device works in it, be that the host's
};

// What one replica of a pass takes.
void each_item (const PlanInput &in, const Pass &pass, const Device &device,
                const std::function<void (const PassItem &)> &visit);

// What a stage takes on each of the pass's devices; -1: the pass itself.
struct DeviceItem {
  const Device *device;
  PassItem taken;
};
std::vector<DeviceItem> items_of_stage (const PlanInput &in, const Pass &pass, int stage);

// Adds up what a pass takes whose stages are sized, on the devices of `input`.
void add_up (const PlanInput &input, Pass &pass);

// What is taken before the passes and for all of them; node -1: by the process itself.
struct RunItem {
  int node;
  BillItem item;
};
std::vector<RunItem> items_of_run (const PlanInput &in, const Plan &plan);

// Lines that name what is taken and its bytes: before the passes and for all of them, and by a stage of a pass (-1: by
// the pass itself). Those of all passes and of the largest one add up to the plan's peak.
std::string bill_of_run (const PlanInput &in, const Plan &plan);
std::string bill_of_stage (const PlanInput &in, const Pass &pass, int stage);

} // namespace sino
