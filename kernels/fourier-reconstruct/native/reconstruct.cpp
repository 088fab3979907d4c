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
  add_pages (of_stack, grid_item, floats.grid * sizeof (float));
  add_pages (of_stack, centres_item, floats.centres * sizeof (float));
  add_pages (of_stack, lines_item, floats.lines * sizeof (float));
  add_pages (of_thread, terms_item, floats.terms * sizeof (float));
  add_pages (of_thread, work_item, floats.work * sizeof (float));
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
  float *const centres = memory.data () + round_up (floats.grid, vector_floats), *const lines =
                                                                                     centres + round_up (floats.centres,
                                                                                                         vector_floats);
  places.push_back (std::unique_ptr<StackMemory> (
      new StackMemory{.grid = memory.data (), .centres = centres, .lines = lines, .fresh = false}));
}

void Reconstructor::clear_lent (const Cpu &cpu) const
{
  const auto count = lent.empty () ? size_t{0} : floats_to_lend (stack) - floats_of (stack).lines;
  cpu.parallel (static_cast<int64_t> (count), 1 << 16,
                [&] (int64_t begin, int64_t end) { std::fill_n (lent.data () + begin, end - begin, 0.0F); });
}

std::unique_ptr<Reconstructor::StackMemory> Reconstructor::take_place ()
{
  const std::lock_guard guard (mutex);
  if (places.empty ()) {
    Allotment::Piece grid = allotment.take (grid_item), centres = allotment.take (centres_item),
                     lines = allotment.take (lines_item);
    return std::unique_ptr<StackMemory> (
        new StackMemory{.grid = grid.as<float> (),
                        .centres = centres.as<float> (),
                        .lines = lines.as<float> (),
                        .fresh = true,
                        .own = {std::move (grid), std::move (centres), std::move (lines)}});
  }
  auto place = std::move (places.back ());
  places.pop_back ();
  return place;
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
  std::unique_ptr<StackMemory> place;
  const Bins bins;
  const std::vector<float *> slices;
  const std::shared_ptr<const void> kept;
  const Memory memory{.grid = place->grid, .centres = place->centres, .lines = place->lines, .broken = &place->broken};
};

std::vector<Loop> Reconstructor::stages (const Monitor &monitor, const Bins &bins, std::vector<float *> slices,
                                         std::shared_ptr<const void> kept)
{
  const std::shared_ptr<Run> run (
      new Run{.place = take_place (), .bins = bins, .slices = std::move (slices), .kept = std::move (kept)});
  std::vector<Loop> stages;
  if (std::exchange (run->place->fresh, false))
    for (const auto *piece : {&run->place->own[0], &run->place->own[2]}) {
      const FreshPages pages ({piece->as<std::byte> (), piece->size ()});
      stages.push_back ({pages.parts (), 1, [run, pages] (int64_t begin, int64_t end) { pages.bring (begin, end); }});
    }
  for (int first = 0; first < 2; first++) // the even sectors, then the odd ones
    stages.push_back (each (stack.sectors () / 2, 1, [this, run, &monitor, first] (ThreadMemory &desk, int64_t i) {
      const int sector = static_cast<int> (2 * i) + first;
      for (int64_t batch = 0; batch < stack.batches (sector); batch++) {
        monitor.check ();
        const auto rays = stack.batch (sector, batch);
        {
          const Spent time (desk.times.rays);
          transform_rays (stack, run->memory, run->bins, rays, desk.terms.as<float> (), desk.work.as<float> ());
        }
        const Spent time (desk.times.spreading);
        spread_rays (stack, run->memory, sector, rays, desk.terms.as<float> ());
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
                       run->place->broken = 0;
                       const std::lock_guard guard (mutex);
                       places.push_back (std::move (run->place));
                     }});
  return stages;
}

void Reconstructor::run (const Cpu &cpu, const Monitor &monitor, const Bins &bins, std::span<float *const> slices)
{
  for (const auto &stage : stages (monitor, bins, {slices.begin (), slices.end ()}))
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
