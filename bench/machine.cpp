// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/machine.hpp"
#include "device/cpu.hpp"
#include "stream/block.hpp"
#include <algorithm>
#include <cstring>
#include <ctime>

namespace sino::bench {

namespace {

using peaks::Operation;

double thread_seconds ()
{
  timespec time;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double> (time.tv_sec) + 1e-9 * static_cast<double> (time.tv_nsec);
}

// Rate of `part`, which returns its amount of work, in all threads together: the best of several tries of a few
// milliseconds. Uses CPU time of the threads, so that the result is also valid on a busy machine.
template <class Part> double rate (const Cpu &cpu, Part part)
{
  constexpr double long_enough = 0.010;
  const auto at_work = std::min (cpu.threads (), usable_cpus ());
  double best = 0;
  int64_t parts = 4 * cpu.threads ();
  for (int tries = 0; tries < 3;) {
    std::atomic<double> done{0}, seconds{0};
    cpu.parallel (parts, 1, [&] (int64_t begin, int64_t end) {
      const auto since = thread_seconds ();
      for (auto i = begin; i < end; i++)
        done += part (i);
      seconds += thread_seconds () - since;
    });
    if (done == 0)
      return 0;
    if (seconds < long_enough * at_work) {
      parts *= 2;
      continue;
    }
    best = std::max (best, at_work * done / seconds);
    tries++;
  }
  return best;
}

std::atomic<uint32_t> read_values; // keeps the compiler from removing the reads

// Memory larger than all caches, and the rates of reading and copying it.
class Memory
{
public:
  explicit Memory (int threads) : parts (std::max (128, 32 * threads)) // more than any CPU's share of a cache
  {
    const Dim byte{Axis::column, part_bytes}, row{Axis::row, parts}, one{Axis::angle, 1};
    block = make_block (std::make_shared<const Format> (projections (Element::u8, one, row, byte)), {},
                        {{0, parts}, {0, 1}});
  }
  double read (const Cpu &cpu)
  {
    return rate (cpu, [&] (int64_t i) {
      read_values += peaks::read_through (at (i), part_bytes);
      return static_cast<double> (part_bytes);
    });
  }
  double copy (const Cpu &cpu)
  {
    return rate (cpu, [&] (int64_t i) {
      std::memcpy (at (parts / 2 + i % (parts / 2)), at (i % (parts / 2)), part_bytes);
      return 2.0 * part_bytes;
    });
  }

private:
  static constexpr int64_t part_bytes = 1 << 20;
  const int64_t parts;
  Block block;

  std::byte *at (int64_t i) { return block.data () + i % parts * part_bytes; }
};

double operation_rate (const Cpu &cpu, size_t i, int vector)
{
  return rate (
      cpu, [&] (int64_t) { return static_cast<double> (peaks::repeat (static_cast<Operation> (i), vector, 1 << 16)); });
}

double l2_rate (const Cpu &cpu)
{
  constexpr int64_t near = 128 << 10; // more than an L1 cache
  const Dim byte{Axis::column, near}, one{Axis::angle, 1}, row{Axis::row, 1};
  const Block cached =
      make_block (std::make_shared<const Format> (projections (Element::u8, one, row, byte)), {}, {{0, 1}, {0, 1}});
  return rate (cpu, [&] (int64_t) {
    read_values += peaks::read_through (cached.data (), near);
    return static_cast<double> (near);
  });
}

} // namespace

Peaks measure_peaks (int threads)
{
  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  Peaks peaks{.threads = threads, .l2 = 0, .memory = 0, .copy = 0};
  for (size_t i = 0; i < peaks::operations; i++)
    peaks.operations[i] = operation_rate (cpu, i, peaks::vector_bytes ());
  peaks.l2 = l2_rate (cpu);
  Memory memory (threads);
  peaks.memory = memory.read (cpu);
  peaks.copy = memory.copy (cpu);
  return peaks;
}

double measure_copy (int threads)
{
  const Monitor monitor;
  return Memory (threads).copy (Cpu (threads, monitor));
}

Roof roof_of (const back_project::Cost &cost, int threads)
{
  const Monitor monitor;
  const Cpu cpu (threads, monitor);
  Roof roof;
  const auto bound = [&] (double needed, const char *name) { // `needed`: seconds of this resource per update
    if (needed > 0 && (roof.gups == 0 || 1e-9 / needed < roof.gups))
      roof = {1e-9 / needed, name};
  };
  const auto seconds = [&] (Operation operation) {
    const auto i = static_cast<size_t> (operation);
    return cost.operations[i] > 0 ? cost.operations[i] / operation_rate (cpu, i, cost.vector) : 0;
  };
  for (const auto operation :
       {Operation::multiply_add, Operation::arithmetic, Operation::pair_product, Operation::permute, Operation::gather})
    bound (seconds (operation), peaks::name_of (operation));
  // Both kinds of loads use the same ports.
  bound (seconds (Operation::load) + seconds (Operation::small_load), peaks::name_of (Operation::load));
  bound (cost.l2 / l2_rate (cpu), "L2 bandwidth");
  bound (cost.memory / Memory (threads).read (cpu), "memory bandwidth");
  return roof;
}

} // namespace sino::bench
