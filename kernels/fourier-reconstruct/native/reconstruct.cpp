// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <chrono>

namespace sino::fourier {

namespace {

// Adds the time that it lives.
class Spent
{
public:
  explicit Spent (double &s) : seconds (s) {}
  Spent (const Spent &) = delete;
  Spent &operator= (const Spent &) = delete;
  ~Spent () { seconds += std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count (); }

private:
  double &seconds;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now ();
};

} // namespace

Reconstructor::Reconstructor (const Stack &s)
    : stack (s), grid (grid_floats (s)), centres (centre_floats (s)), lines (line_floats (s))
{
}

size_t Reconstructor::bytes (const Stack &stack, int threads)
{
  return Pages::bytes (grid_floats (stack)) + Pages::bytes (centre_floats (stack)) +
         Pages::bytes (line_floats (stack)) +
         static_cast<size_t> (threads) * (Pages::bytes (term_floats (stack)) + Pages::bytes (work_floats (stack)));
}

// body (work, i) for i = 0 .. n - 1, each thread with work memory of its own.
template <class Body> void Reconstructor::each (const Cpu &cpu, int64_t n, int64_t grain, const Body &body)
{
  cpu.parallel (n, grain, [&] (int64_t begin, int64_t end) {
    std::unique_ptr<Work> work;
    {
      const std::lock_guard guard (mutex);
      if (!free.empty ()) {
        work = std::move (free.back ());
        free.pop_back ();
      }
    }
    if (!work)
      work.reset (new Work{Pages (term_floats (stack)), Pages (work_floats (stack)), {}});
    for (auto i = begin; i < end; i++)
      body (*work, i);
    const std::lock_guard guard (mutex);
    free.push_back (std::move (work));
  });
}

void Reconstructor::run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices)
{
  const Memory memory{grid.data (), centres.data (), lines.data (), &broken};
  broken = 0;
  for (int first = 0; first < 2; first++) // the even sectors, then the odd ones
    each (cpu, stack.sectors () / 2, 1, [&] (Work &work, int64_t i) {
      const int sector = static_cast<int> (2 * i) + first;
      for (int64_t batch = 0; batch < stack.batches (sector); batch++) {
        monitor.check ();
        const auto rays = stack.batch (sector, batch);
        {
          const Spent time (work.times.rays);
          transform_rays (stack, memory, bins, rays, work.terms.data (), work.work.data ());
        }
        const Spent time (work.times.spreading);
        spread_rays (stack, memory, sector, rays, work.terms.data ());
      }
    });
  each (cpu, stack.centre_size, 8, [&] (Work &work, int64_t i) {
    const Spent time (work.times.centres);
    add_centres (stack, memory, i);
  });
  each (cpu, stack.gridding.grid, 8, [&] (Work &work, int64_t i) {
    const Spent time (work.times.lines);
    transform_line (stack, memory, i, work.work.data ());
  });
  each (cpu, stack.row_groups (), 2, [&] (Work &work, int64_t i) {
    const Spent time (work.times.rows);
    store_rows (stack, memory, i, slices, work.work.data ());
  });
  spent = {};
  for (const auto &work : free) {
    spent.rays += work->times.rays;
    spent.spreading += work->times.spreading;
    spent.centres += work->times.centres;
    spent.lines += work->times.lines;
    spent.rows += work->times.rows;
  }
}

} // namespace sino::fourier
