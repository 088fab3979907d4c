// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/slice/trials.hpp"

namespace sino::slice {

using namespace fourier_reconstruct;

namespace {

// Rays with the axis alternately at both ends, so that the padding of rows suits all axes between.
std::vector<Ray> reaching (std::span<const Ray> rays, double least, double most)
{
  std::vector<Ray> list (rays.begin (), rays.end ());
  for (size_t i = 0; i < list.size (); i++)
    list[i].origin = (i % 2 ? most : least) - 0.5;
  return list;
}

Job job_of (Job job, std::span<const Ray> rays)
{
  job.rays = rays;
  return job;
}

} // namespace

Trials::Trials (const Job &job, double least, double most, const Cpu &c, const Monitor &m, Allotment &memory)
    : rays (reaching (job.rays, least, most)), stack (job_of (job, rays)), cpu (c), monitor (m),
      reconstructor (stack, memory)
{
  stack.gridding.set_filter (job.filter, [&] (int64_t n, const auto &body) { cpu.parallel (n, 64, body); });
}

void Trials::memory (const Job &job, double least, double most, int threads, Bill &bill)
{
  const auto rays = reaching (job.rays, least, most);
  const StackPlan stack (job_of (job, rays));
  Bill of_thread;
  Reconstructor::memory (stack, bill, of_thread); // stacks are made one at a time
  add_bytes (bill, "tables of a stack", stack.resident () + rays.size () * sizeof (Ray));
  add_for_each (bill, of_thread, static_cast<size_t> (threads));
}

void Trials::make (double axis, const Bins &bins, std::span<float *const> slices)
{
  for (auto &ray : rays)
    ray.origin = axis - 0.5;
  reconstructor.run (cpu, monitor, bins, slices);
}

} // namespace sino::slice
