// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/cone-back-project/plain.hpp"
#include "filters/cone-back-project/mask.hpp"
#include "filters/cone-back-project/native.hpp"
#include "filters/cone/sums.hpp"

namespace sino::cone_back_project {

std::unique_ptr<Worker> plain_worker (const Replica &replica, const Job &job)
{
  const auto add = [&job, &cpu = replica.cpu, &monitor = replica.monitor] (const Block &in, Block &out) {
    const auto lines = job.volume.lines;
    cpu.parallel (out.rows ().size () * lines, 1, [&] (int64_t begin, int64_t end) {
      for (int64_t angle = 0; angle < in.angles ().size (); angle++) {
        monitor.check ();
        const auto &projection = job.projections[static_cast<size_t> (in.angles ().begin + angle)];
        const Values values{in.as<float> () + in.offset (angle, 0), in.rows (), job.columns};
        for (auto i = begin; i < end; i++)
          if (const auto z = out.rows ().at (i / lines); projection.slices.place (z) >= 0)
            add_line (job.volume, i % lines, z, projection, values, out.as<float> () + i * job.volume.columns);
      }
    });
  };
  return std::make_unique<cone::Sums> (
      [add] (const Block &in, std::span<Block> slices) {
        for (auto &out : slices)
          add (in, out);
      },
      [&job, &cpu = replica.cpu] (std::span<Block> slices) {
        for (auto &out : slices)
          mask (job, cpu, out);
      });
}

} // namespace sino::cone_back_project
