// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that looks at rows of a scan, by all methods.
#pragma once
#include "filters/find-axis/decision.hpp"
#include "filters/find-axis/focus.hpp"
#include "filters/find-axis/turn.hpp"
#include "glue/task.hpp"

namespace sino::find_axis {

constexpr const char *sinograms_item = "sinograms of rows that are looked at"; // of the bill

// What is looked at, and how.
struct Search {
  Turn turn;
  std::vector<Method> methods; // of mirror images
  std::vector<int64_t> rows;   // of the detector, in their order; others may come along
  std::vector<int64_t> slices; // those of which slices may be made
  bool always = false;         // or only where the others leave room for doubt
  std::optional<FocusSearch> focus;
};

// Looks at some rows of a work item.
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

  void look (int64_t row, float *sinogram, int64_t angles, int64_t columns, float *rows) const;
};

} // namespace sino::find_axis
