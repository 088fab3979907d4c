// SPDX-License-Identifier: LGPL-3.0-or-later
// The worker that reduces a scan while it is read.
#pragma once
#include "filters/find-geometry/reduced.hpp"
#include "filters/find-geometry/search.hpp"
#include "glue/task.hpp"
#include <mutex>
#include <optional>
#include <string>

namespace sino::find_geometry {

struct Findings {
  std::mutex mutex;
  std::vector<float> values;  // of the reduced scan
  int64_t holes = 0;          // values that are no numbers
  std::string missed;         // reason why there are none
  std::optional<Found> found; // what the search found in them
};

class Looker final : public Worker
{
public:
  Looker (const Reduction &r, Findings &f) : reduction (r), findings (f) {}
  void run (std::span<Input *const> inputs, Output *) override;

private:
  const Reduction &reduction;
  Findings &findings;
};

} // namespace sino::find_geometry
