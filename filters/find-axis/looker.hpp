// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that searches for the axis in rows of a scan, with all methods.
#pragma once
#include "filters/find-axis/search.hpp"
#include "glue/task.hpp"

namespace sino::find_axis {

constexpr const char *sinograms_item = "sinograms of examined rows"; // name on the bill

// Searches in the rows of a work item.
class Looker final : public Worker
{
public:
  Looker (const Replica &replica, const Search &s, Findings &f)
      : cpu (replica.cpu), monitor (replica.monitor), memory (replica.memory), search (s), findings (f)
  {
  }

  void run (std::span<Input *const> inputs, Output *) override;

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Allotment &memory;
  const Search &search;
  Findings &findings;
};

} // namespace sino::find_axis
