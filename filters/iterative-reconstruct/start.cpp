// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/start.hpp"

namespace sino::iterative_reconstruct {

using namespace fourier_reconstruct;

Start::Start (const Problem &problem, kernels::VectorSet vectors, const Cpu &c, const Monitor &m, Allotment &memory)
    : cpu (c), monitor (m), stack (gridding_job (problem), vectors), reconstructor (stack, memory),
      responses (responses_of (problem, stack.gridding, c))
{
}

void Start::lend (std::span<float> memory)
{
  if (memory.size () >= Reconstructor::floats_to_lend (stack))
    reconstructor.lend (memory);
}

void Start::memory (const Problem &problem, kernels::VectorSet vectors, size_t lent, int threads, Bill &bill)
{
  const StackPlan stack (gridding_job (problem), vectors);
  Bill of_stack, of_thread;
  Reconstructor::memory (stack, of_stack, of_thread);
  if (lent < Reconstructor::floats_to_lend (stack))
    add_for_each (bill, of_stack, 1);
  add_for_each (bill, of_thread, static_cast<size_t> (threads));
  const auto count = static_cast<size_t> (stack.gridding.padded / 2 + 1);
  add_bytes (bill, "tables of rays", stack.resident () + count * (problem.rays.size () + 1) * sizeof (float));
}

void Start::run (std::vector<float> &response, const Bins &bins, std::span<float *const> images)
{
  std::swap (stack.gridding.response, response);
  reconstructor.run (cpu, monitor, bins, images);
  std::swap (stack.gridding.response, response);
}

void Start::adjoint (const Bins &bins, std::span<float *const> images)
{
  run (responses.of_adjoint, bins, images);
}

void Start::filtered (const Bins &bins, std::span<float *const> images)
{
  run (responses.of_filter, bins, images);
}

} // namespace sino::iterative_reconstruct
