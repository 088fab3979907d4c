// SPDX-License-Identifier: LGPL-3.0-or-later
#include "kernels/fourier-reconstruct/native/reconstruct.hpp"
#include "device/fresh-pages.hpp"
#include <chrono>
#include <utility>

namespace sino::fourier_reconstruct {

namespace {

constexpr char grid_item[] = "grids", centres_item[] = "centres of grids", lines_item[] = "lines of grids",
               terms_item[] = "terms of rays", work_item[] = "transforms";
constexpr size_t vector_floats = 16; // of the longest vectors

// Adds the time of its existence.
class Spent : NoCopy
{
public:
  explicit Spent (double &s) : seconds (s) {}
  ~Spent () { seconds += std::chrono::duration<double> (std::chrono::steady_clock::now () - begin).count (); }

private:
  double &seconds;
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now ();
};

} // namespace

// The ray stage is the longest, with half of the sectors as parallel parts: 1.5 times as many parts as threads keep the
// threads busy until the last part. Another stack fills gaps between stages. With two threads, a second stack would
// only compete for caches.
int stacks_at_once (int sectors, int threads)
{
  const int parts = sectors / 2;
  return threads <= few_threads ? 1 : 1 + divide_up (3 * threads, 2 * parts);
}

Reconstructor::Reconstructor (const StackPlan &s, Allotment &a) : stack (s), allotment (a) {}

void Reconstructor::memory (const StackPlan &stack, Bill &of_stack, Bill &of_thread)
{
  const auto floats = floats_of (stack);
  grid_memory (stack, of_stack);
  line_memory (stack, of_stack);
  add_pages (of_thread, terms_item, floats.terms * sizeof (float));
  add_pages (of_thread, work_item, floats.work * sizeof (float));
}

void Reconstructor::grid_memory (const StackPlan &stack, Bill &of_stack)
{
  const auto floats = floats_of (stack);
  add_pages (of_stack, grid_item, floats.grid * sizeof (float));
  add_pages (of_stack, centres_item, floats.centres * sizeof (float));
}

void Reconstructor::line_memory (const StackPlan &stack, Bill &of_stack)
{
  add_pages (of_stack, lines_item, floats_of (stack).lines * sizeof (float));
}

// Grid and centres come first: these are cleared.
size_t Reconstructor::floats_to_lend (const StackPlan &stack)
{
  const auto floats = floats_of (stack);
  return round_up (floats.grid, vector_floats) + round_up (floats.centres, vector_floats) + floats.lines;
}

void Reconstructor::lend (std::span<float> memory)
{
  lent = memory;
  const auto floats = floats_of (stack);
  float *const centres = memory.data () + round_up (floats.grid, vector_floats);
  grids.push_back (std::unique_ptr<Grid> (new Grid{.cells = memory.data (), .centres = centres, .fresh = false}));
  lines.push_back (
      std::make_unique<Lines> (Lines{.lines = centres + round_up (floats.centres, vector_floats), .fresh = false}));
}

void Reconstructor::clear_lent (const Cpu &cpu) const
{
  const auto count = lent.empty () ? size_t{0} : floats_to_lend (stack) - floats_of (stack).lines;
  cpu.parallel (static_cast<int64_t> (count), 1 << 16,
                [&] (int64_t begin, int64_t end) { std::fill_n (lent.data () + begin, end - begin, 0.0F); });
}

std::unique_ptr<Reconstructor::Grid> Reconstructor::take_grid ()
{
  const std::lock_guard guard (mutex);
  if (grids.empty ()) {
    Allotment::Piece cells = allotment.take (grid_item), centres = allotment.take (centres_item);
    return std::unique_ptr<Grid> (new Grid{.cells = cells.as<float> (),
                                           .centres = centres.as<float> (),
                                           .fresh = true,
                                           .own = {std::move (cells), std::move (centres)}});
  }
  auto grid = std::move (grids.back ());
  grids.pop_back ();
  return grid;
}

std::unique_ptr<Reconstructor::Lines> Reconstructor::take_lines ()
{
  const std::lock_guard guard (mutex);
  if (lines.empty ()) {
    auto fresh = std::make_unique<Lines> (Lines{.lines = nullptr, .fresh = true, .own = allotment.take (lines_item)});
    fresh->lines = fresh->own.as<float> ();
    return fresh;
  }
  auto some = std::move (lines.back ());
  lines.pop_back ();
  return some;
}

std::unique_ptr<Reconstructor::ThreadMemory> Reconstructor::take_desk ()
{
  const std::lock_guard guard (mutex);
  if (desks.empty ())
    return std::unique_ptr<ThreadMemory> (
        new ThreadMemory{allotment.take (terms_item), allotment.take (work_item), {}});
  auto desk = std::move (desks.back ());
  desks.pop_back ();
  return desk;
}

std::vector<std::span<std::byte>> Reconstructor::make_lines (int count)
{
  std::vector<std::unique_ptr<Lines>> made;
  std::vector<std::span<std::byte>> memory;
  for (int i = 0; i < count; i++)
    if (const auto &some = made.emplace_back (take_lines ()); std::exchange (some->fresh, false))
      memory.emplace_back (some->own.as<std::byte> (), some->own.size ());
  const std::lock_guard guard (mutex);
  std::ranges::move (made, std::back_inserter (lines));
  return memory;
}

// Loop over body (desk, i) for i = 0 .. n - 1; each thread has a desk of its own.
template <class Body> Loop Reconstructor::each (int64_t n, int64_t grain, Body body)
{
  return {n, grain, [this, body] (int64_t begin, int64_t end) {
            auto desk = take_desk ();
            for (auto i = begin; i < end; i++)
              body (*desk, i);
            const std::lock_guard guard (mutex);
            desks.push_back (std::move (desk));
          }};
}

// Data shared by the stages of a stack.
struct Reconstructor::Run {
  const Bins bins;
  std::vector<int64_t> spread; // number of batches of each sector that have been spread
  std::unique_ptr<Grid> grid = nullptr;
  std::unique_ptr<Lines> lines = nullptr;
  std::vector<float *> slices = {};
  std::shared_ptr<const void> kept = nullptr;
  Memory memory = {};
};

std::shared_ptr<Reconstructor::Run> Reconstructor::begin (const Bins &bins)
{
  return std::shared_ptr<Run> (
      new Run{.bins = bins, .spread = std::vector<int64_t> (static_cast<size_t> (stack.sectors ()))});
}

std::span<std::byte> Reconstructor::make_grid (Run &run)
{
  run.grid = take_grid ();
  run.memory = {.grid = run.grid->cells, .centres = run.grid->centres, .lines = nullptr, .broken = &run.grid->broken};
  if (!std::exchange (run.grid->fresh, false))
    return {};
  const auto &cells = run.grid->own[0];
  return {cells.as<std::byte> (), cells.size ()};
}

void Reconstructor::spread_batch (Run &run, int sector)
{
  auto desk = take_desk ();
  spread_batch (run, sector, *desk);
  const std::lock_guard guard (mutex);
  desks.push_back (std::move (desk));
}

void Reconstructor::spread_batch (Run &run, int sector, ThreadMemory &desk) const
{
  const auto rays = stack.batch (sector, run.spread[static_cast<size_t> (sector)]++);
  {
    const Spent time (desk.times.rays);
    transform_rays (stack, run.memory, run.bins, rays, desk.terms.as<float> (), desk.work.as<float> ());
  }
  const Spent time (desk.times.spreading);
  spread_rays (stack, run.memory, sector, rays, desk.terms.as<float> ());
}

std::vector<Loop> Reconstructor::stages (const Monitor &monitor, std::shared_ptr<Run> run, std::vector<float *> slices,
                                         std::shared_ptr<const void> kept)
{
  const auto fresh = run->grid ? std::span<std::byte> () : make_grid (*run);
  run->slices = std::move (slices);
  run->kept = std::move (kept);
  run->lines = take_lines ();
  run->memory.lines = run->lines->lines;
  std::vector<Loop> stages;
  const auto bring = [&] (std::span<std::byte> memory) {
    if (memory.empty ())
      return;
    const FreshPages pages (memory);
    stages.push_back ({pages.parts (), 1, [run, pages] (int64_t begin, int64_t end) { pages.bring (begin, end); }});
  };
  bring (fresh);
  if (std::exchange (run->lines->fresh, false))
    bring ({run->lines->own.as<std::byte> (), run->lines->own.size ()});
  for (int first = 0; first < 2; first++) // the even sectors, then the odd ones
    stages.push_back (each (stack.sectors () / 2, 1, [this, run, &monitor, first] (ThreadMemory &desk, int64_t i) {
      const int sector = static_cast<int> (2 * i) + first;
      while (run->spread[static_cast<size_t> (sector)] < stack.batches (sector)) {
        monitor.check ();
        spread_batch (*run, sector, desk);
      }
    }));
  stages.push_back (each (stack.centre_size, 8, [this, run] (ThreadMemory &desk, int64_t i) {
    const Spent time (desk.times.centres);
    add_centres (stack, run->memory, i);
  }));
  stages.push_back (each (stack.gridding.grid, 8, [this, run] (ThreadMemory &desk, int64_t i) {
    const Spent time (desk.times.lines);
    transform_line (stack, run->memory, i, desk.work.as<float> ());
  }));
  stages.push_back (each (stack.row_groups (), 2, [this, run] (ThreadMemory &desk, int64_t i) {
    const Spent time (desk.times.rows);
    store_rows (stack, run->memory, i, run->slices, desk.work.as<float> ());
  }));
  stages.push_back ({1, 1, [this, run] (int64_t, int64_t) {
                       run->grid->broken = 0;
                       const std::lock_guard guard (mutex);
                       grids.push_back (std::move (run->grid));
                       lines.push_back (std::move (run->lines));
                     }});
  return stages;
}

void Reconstructor::run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices)
{
  for (const auto &stage : stages (monitor, begin (bins), {slices.begin (), slices.end ()}))
    cpu.parallel (stage.n, stage.grain, stage.body);
}

StageTimes Reconstructor::times () const
{
  const std::lock_guard guard (mutex);
  StageTimes spent;
  for (const auto &desk : desks) {
    spent.rays += desk->times.rays;
    spent.spreading += desk->times.spreading;
    spent.centres += desk->times.centres;
    spent.lines += desk->times.lines;
    spent.rows += desk->times.rows;
  }
  return spent;
}

} // namespace sino::fourier_reconstruct
