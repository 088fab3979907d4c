// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/cone-back-project/mask.hpp"
#include <cmath>

namespace sino::cone_back_project {

void mask (const Job &job, const Cpu &cpu, Block &slices)
{
  if (!std::isfinite (job.radius))
    return;
  const auto &volume = job.volume;
  cpu.parallel (slices.rows ().size () * volume.lines, 16, [&] (int64_t begin, int64_t end) {
    for (auto i = begin; i < end; i++) {
      auto *line = slices.as<float> () + i * volume.columns;
      const double y = volume.first.y + volume.size * static_cast<double> (i % volume.lines);
      for (int64_t column = 0; column < volume.columns; column++) {
        const double x = volume.first.x + volume.size * static_cast<double> (column);
        if (x * x + y * y > job.radius * job.radius)
          line[column] = 0;
      }
    }
  });
}

} // namespace sino::cone_back_project
