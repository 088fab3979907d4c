// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that searches for the axis in rows of a scan, with all methods.
#pragma once
#include "filters/find-axis/decision.hpp"
#include "filters/find-axis/focus.hpp"
#include "filters/find-axis/turn.hpp"
#include "glue/task.hpp"

namespace sino::find_axis {

constexpr const char *sinograms_item = "sinograms of examined rows"; // name on the bill

// The rows to look at, and the methods.
struct Search {
  Turn turn;
  std::vector<Method> methods; // methods that use mirror images
  std::vector<int64_t> rows;   // detector rows, rising; a block may also have others
  std::vector<int64_t> slices; // rows whose slices may be reconstructed
  bool always = false;         // false: reconstructs slices only if the other methods leave doubt
  std::optional<FocusSearch> focus;
};

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

  void look (int64_t row, float *sinogram, int64_t angles, int64_t columns, float *rows) const;
};

} // namespace sino::find_axis
