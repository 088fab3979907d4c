// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/native.hpp"
#include "kernels/live/add.hpp"
#include <algorithm>
#include <utility>

namespace sino::live {

namespace {

constexpr char sums_item[] = "pictures", row_item[] = "a blended row";

class NativeSums final : public Sums
{
public:
  explicit NativeSums (Allotment &memory) : piece (memory.take (sums_item)) {}

  void begin (const Plane &p) override
  {
    plane = p;
    std::fill_n (values (), plane.stride () * plane.height, 0.0f);
  }
  void read (float scale, float *to) override
  {
    for (int64_t line = 0; line < plane.height; line++) {
      const auto *from = values () + line * plane.stride ();
      std::transform (from, from + plane.width, to + line * plane.width, [scale] (float sum) { return sum * scale; });
    }
  }
  float *values () const { return piece.as<float> (); }

private:
  Allotment::Piece piece;
  Plane plane{};
};

class NativeEasel final : public Easel
{
public:
  NativeEasel (const Keeping &keeping, std::shared_ptr<const ramp_filter::RowFilter> filter, const Cpu &c,
               Allotment &memory)
      : cpu (c), allotment (memory), resident (keeping, std::move (filter), c, memory)
  {
  }

  void take (const Block &in, Interval some) override { resident.take (in, some); }
  std::unique_ptr<Sums> sums () override { return std::make_unique<NativeSums> (allotment); }
  double updates_of_step () const override { return 15e6 * cpu.threads (); }
  float unit () const override { return resident.projections ().unit; }
  bool overflown () const override { return resident.overflows () > 0; }

  void add (std::span<const Change> changes) override
  {
    std::vector<std::pair<const Change *, int64_t>> tiles; // and their first lines
    for (const auto &change : changes)
      for (int64_t line = 0; line < change.plane->height; line += tile_lines)
        tiles.emplace_back (&change, line);
    cpu.parallel (std::ssize (tiles), 1, [&] (int64_t begin, int64_t end) {
      const auto row = allotment.take (row_item);
      for (auto i = begin; i < end; i++) {
        const auto &[change, line] = tiles[static_cast<size_t> (i)];
        const auto &plane = *change->plane;
        const auto last = std::min (line + tile_lines, plane.height);
        auto *values = static_cast<NativeSums *> (change->sums)->values ();
        live::add (resident.projections (), change->sights, plane, line, last, row.as<float> (), values);
        add_cone (resident.projections (), change->cones, plane, change->turns, line, last, values);
      }
    });
  }

private:
  const Cpu &cpu;
  Allotment &allotment;
  Resident resident;
};

} // namespace

void native_memory (const Keeping &keeping, int64_t half, size_t most_values, size_t pictures, int threads, Bill &bill)
{
  Resident::memory (keeping, half, threads, bill);
  add_pages (bill, sums_item, most_values * sizeof (float), pictures);
  add_pages (bill, row_item, static_cast<size_t> (keeping.projections.stride ()) * sizeof (float),
             static_cast<size_t> (threads));
}

std::unique_ptr<Easel> native_easel (const Keeping &keeping, std::shared_ptr<const ramp_filter::RowFilter> filter,
                                     const Cpu &cpu, Allotment &memory)
{
  return std::make_unique<NativeEasel> (keeping, std::move (filter), cpu, memory);
}

} // namespace sino::live
