// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include <chrono>

namespace sino::fourier_reconstruct {

namespace {

constexpr char grid_item[] = "grids", centres_item[] = "centres of grids", lines_item[] = "lines of grids",
               terms_item[] = "terms of rays", work_item[] = "transforms";

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

Reconstructor::Reconstructor (const Stack &s, Allotment &a)
    : stack (s), allotment (a), grid (a.take (grid_item)), centres (a.take (centres_item)), lines (a.take (lines_item))
{
}

void Reconstructor::memory (const Stack &stack, Bill &all, Bill &of_thread)
{
  add_pages (all, grid_item, grid_floats (stack) * sizeof (float));
  add_pages (all, centres_item, centre_floats (stack) * sizeof (float));
  add_pages (all, lines_item, line_floats (stack) * sizeof (float));
  add_pages (of_thread, terms_item, term_floats (stack) * sizeof (float));
  add_pages (of_thread, work_item, work_floats (stack) * sizeof (float));
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
      work.reset (new Work{allotment.take (terms_item), allotment.take (work_item), {}});
    for (auto i = begin; i < end; i++)
      body (*work, i);
    const std::lock_guard guard (mutex);
    free.push_back (std::move (work));
  });
}

void Reconstructor::run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices)
{
  const Memory memory{grid.as<float> (), centres.as<float> (), lines.as<float> (), &broken};
  broken = 0;
  for (int first = 0; first < 2; first++) // the even sectors, then the odd ones
    each (cpu, stack.sectors () / 2, 1, [&] (Work &work, int64_t i) {
      const int sector = static_cast<int> (2 * i) + first;
      for (int64_t batch = 0; batch < stack.batches (sector); batch++) {
        monitor.check ();
        const auto rays = stack.batch (sector, batch);
        {
          const Spent time (work.times.rays);
          transform_rays (stack, memory, bins, rays, work.terms.as<float> (), work.work.as<float> ());
        }
        const Spent time (work.times.spreading);
        spread_rays (stack, memory, sector, rays, work.terms.as<float> ());
      }
    });
  each (cpu, stack.centre_size, 8, [&] (Work &work, int64_t i) {
    const Spent time (work.times.centres);
    add_centres (stack, memory, i);
  });
  each (cpu, stack.gridding.grid, 8, [&] (Work &work, int64_t i) {
    const Spent time (work.times.lines);
    transform_line (stack, memory, i, work.work.as<float> ());
  });
  each (cpu, stack.row_groups (), 2, [&] (Work &work, int64_t i) {
    const Spent time (work.times.rows);
    store_rows (stack, memory, i, slices, work.work.as<float> ());
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

} // namespace sino::fourier_reconstruct
