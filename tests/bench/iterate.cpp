// SPDX-License-Identifier: LGPL-3.0-or-later
// Milliseconds per slice of T x and of iterations, the best of several runs:
//   bench-iterate [columns] [threads] [runs] [instruction set]
// By the wall clock, and by the CPU's time over the threads, which holds on a busy machine too.
#include "device/cpu.hpp"
#include "tests/support/iterated-stack.hpp"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <hwy/targets.h>

using namespace sino;

namespace {

struct Seconds {
  double wall, cpu;
};

Seconds best (int runs, int threads, const auto &work)
{
  Seconds least{1e9, 1e9};
  for (int i = 0; i < runs; i++) {
    const auto begin = std::chrono::steady_clock::now ();
    const auto cpu = std::clock ();
    work ();
    const auto spent = static_cast<double> (std::clock () - cpu) / CLOCKS_PER_SEC / threads;
    least.wall =
        std::min (least.wall, std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count ());
    least.cpu = std::min (least.cpu, spent);
  }
  return least;
}

void measure (const iterate::Plan &plan, int threads, int runs)
{
  test::IteratedStack stack (plan);
  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  const auto parts = [&] (int64_t count, const auto &body) {
    cpu.parallel (count, 8, [&] (int64_t begin, int64_t end) {
      static thread_local const auto work = test::IteratedStack::allocate (stack.floats.work);
      for (auto i = begin; i < end; i++)
        body (i, work.get ());
    });
  };
  for (size_t i = 0; i < stack.floats.image; i++)
    stack.memory.x[i] = stack.memory.data[i] = static_cast<float> (i * 2654435761U >> 8 & 0xffff) / 65536.0F;
  iterate::TvSteps steps;
  std::ranges::fill (steps.lambda, 1.0F);
  std::ranges::fill (steps.sigma, 1.0F);
  std::ranges::fill (steps.positive, 0.1F);
  const auto print = [&] (const char *name, Seconds seconds) {
    const auto share = 1e3 / iterate::stack_lanes ();
    std::printf ("%-8s %5d %7d  %-14s %8.2f %8.2f\n", iterate::stack_instruction_set (), static_cast<int> (plan.n),
                 threads, name, seconds.wall * share, seconds.cpu * share);
  };
  print ("T x", best (runs, threads, [&] { stack.apply (parts); }));
  stack.begin_tv (parts);
  print ("TV iteration", best (runs, threads, [&] { stack.tv (parts, steps, [] {}); }));
  stack.begin_cgls (parts);
  print ("CGLS iteration", best (runs, threads, [&] { stack.cgls (parts); }));
}

} // namespace

int main (int argc, char **argv)
{
  const auto size = fourier_reconstruct::good_length (argc > 1 ? std::atoi (argv[1]) : 1024);
  const int threads = argc > 2 ? std::atoi (argv[2]) : 2, runs = argc > 3 ? std::atoi (argv[3]) : 5;
  if (size == 0) {
    std::fprintf (stderr, "slices are at most %d columns wide\n", static_cast<int> (fourier_reconstruct::longest_fft));
    return 1;
  }
  iterate::Plan plan (size);
  std::ranges::fill (plan.kernel, 1 / static_cast<float> (4 * size * size));
  std::ranges::fill (plan.metric, 0.1F / static_cast<float> (size * size));
  plan.set_circle (0.5 * static_cast<double> (size), 0.5);
  std::printf ("%-8s %5s %7s  %-14s %8s %8s\n", "set", "size", "threads", "ms per slice", "wall", "CPU");
  for (const auto target : hwy::SupportedAndGeneratedTargets ()) {
    hwy::SetSupportedTargetsForTest (target);
    if (iterate::stack_lanes () > 0 && (argc < 5 || std::strcmp (iterate::stack_instruction_set (), argv[4]) == 0))
      measure (plan, threads, runs);
  }
}
