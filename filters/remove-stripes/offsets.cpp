// SPDX-License-Identifier: LGPL-3.0-or-later
// Where the object is curved, noise biases medians across columns in the same direction at all angles. Therefore
// medians are taken of means of neighbouring angles: a mean has less noise, and an offset stays in it.
#include "filters/remove-stripes/offsets.hpp"
#include "kernels/remove-stripes/columns.hpp"
#include "kernels/remove-stripes/detect.hpp"
#include "kernels/remove-stripes/differences.hpp"
#include "kernels/remove-stripes/medians.hpp"
#include "kernels/remove-stripes/sums.hpp"
#include <cmath>

namespace sino::remove_stripes {

namespace {
constexpr char means_item[] = "means of angles of a group", smooth_item[] = "medians across their columns",
               scratch_item[] = "differences and medians of a thread";
constexpr int64_t least_means = 128; // if there are fewer angles, means have one angle each
} // namespace

Offsets::Offsets (int64_t angles, int64_t c, int s) : means (means_of (angles)), columns (c), size (s) {}

int64_t Offsets::means_of (int64_t angles)
{
  return angles / std::max<int64_t> (angles / least_means, 1);
}

void Offsets::memory (int64_t lanes, int64_t threads, int64_t groups, Bill &bill) const
{
  const auto group = static_cast<size_t> (lanes * means * columns) * sizeof (int32_t);
  add_pages (bill, means_item, group, static_cast<size_t> (groups));
  add_pages (bill, smooth_item, group, static_cast<size_t> (groups));
  add_pages (bill, scratch_item, std::max (differences_scratch (means), medians_scratch (size)),
             static_cast<size_t> (threads));
}

// State of the search for the offsets of a group.
struct Offsets::Work {
  const Cpu &cpu;
  Allotment &memory;
  const Shape shape; // shape of the array of means
  const int64_t lanes, size;
  int32_t *const strips, *const smooth;
  std::vector<double> offsets = std::vector<double> (static_cast<size_t> (shape.columns)), errors = offsets;

  // Calls body (begin, end, scratch) for the columns before `last`, also of lanes that hold no sinogram.
  template <class Body> void columns (int64_t last, Body body) const
  {
    cpu.parallel (last, 32, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (scratch_item);
      body (begin, end, scratch.as<> ());
    });
  }

  void lower_by_medians ()
  {
    cpu.parallel (shape.strips () * lanes, 1, [&] (int64_t begin, int64_t end) {
      const auto scratch = memory.take (scratch_item);
      for (auto i = begin; i < end; i++)
        medians_across (shape, i / lanes, i % lanes, size, strips, scratch.as<> (), smooth);
    });
    std::vector<float> above (offsets.size ());
    columns (shape.columns, [&] (int64_t begin, int64_t end, void *scratch) {
      median_differences (shape, strips, begin, smooth, begin, end - begin, scratch, above.data () + begin,
                          errors.data () + begin);
      for (auto c = begin; c < end; c++)
        if (const auto by = above[static_cast<size_t> (c)]; c % shape.lanes < lanes && std::isfinite (by)) {
          offsets[static_cast<size_t> (c)] += static_cast<double> (by);
          lower_column (shape, strips, c, by);
        }
    });
  }

  // Adds small steps between columns, which medians preserve and means detect.
  void add_roughness ()
  {
    std::vector<float> steps (offsets.size ());
    columns (shape.columns - shape.lanes, [&] (int64_t begin, int64_t end, void *scratch) {
      median_differences (shape, strips, begin + shape.lanes, strips, begin, end - begin, scratch,
                          steps.data () + begin, nullptr);
    });
    const std::vector<double> numbers (steps.begin (), steps.end ());
    cpu.parallel (lanes, 1, [&] (int64_t begin, int64_t end) {
      for (auto lane = begin; lane < end; lane++) {
        auto own = of_lane (shape, lane, numbers);
        own.pop_back (); // the last column has no next one
        const auto rough = roughness (own);
        for (int64_t c = 0; c < std::ssize (rough); c++)
          offsets[static_cast<size_t> (c * shape.lanes + lane)] += rough[static_cast<size_t> (c)];
      }
    });
  }
};

void Offsets::remove (const Cpu &cpu, Allotment &memory, const Shape &group, int64_t lanes,
                      std::span<const Bridge> bridges, const float *in, float *out) const
{
  const auto strips = memory.take (means_item), smooth = memory.take (smooth_item);
  Work work{.cpu = cpu,
            .memory = memory,
            .shape = {means, group.columns, group.lanes},
            .lanes = lanes,
            .size = size,
            .strips = strips.as<int32_t> (),
            .smooth = smooth.as<int32_t> ()};
  cpu.parallel (means, 4, [&] (int64_t begin, int64_t end) {
    means_of_angles (group, in, bridges, work.shape, begin, end, work.strips);
  });
  for (int time = 0; time < times; time++)
    work.lower_by_medians ();
  work.add_roughness ();
  std::vector<float> by;
  for (size_t c = 0; c < work.offsets.size (); c++)
    by.push_back (static_cast<float> (beyond_error (work.offsets[c], work.errors[c])));
  cpu.parallel (group.angles, 8, [&] (int64_t begin, int64_t end) {
    for (auto a = begin; a < end; a++)
      lower_line (in + a * group.columns, bridges, by, out + a * group.columns);
  });
}

} // namespace sino::remove_stripes
