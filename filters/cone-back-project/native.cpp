// SPDX-License-Identifier: LGPL-3.0-or-later
// Packs views when they come. When a group of views is complete, threads add it to tiles of the work item.
#include "filters/cone-back-project/native.hpp"
#include "filters/cone-back-project/mask.hpp"
#include "kernels/cone-back-project/native/pack.hpp"
#include "kernels/cone-back-project/native/tile.hpp"
#include "kernels/cone-back-project/plain.hpp"
#include <cmath>
#include <cstring>

namespace sino::cone_back_project {

namespace {

constexpr char views_item[] = "packed views", sums_item[] = "sums of a tile";

// The part of a slab that belongs to the work item.
struct Slab {
  int64_t number;
  Interval slices; // slices of the work item in this slab, as numbers in the volume
  Packing packing;
  std::byte *bins;
  std::vector<float> units;    // unit of the packed integers of each view in the group
  std::vector<float *> wanted; // memory of each slice of the whole slab; null: not in the work item
};

std::vector<Slab> slabs_of (const Job &job, Manner manner, Interval slices)
{
  std::vector<Slab> slabs;
  for (auto n = slices.begin / slab_size; n * slab_size < slices.end; n++)
    slabs.push_back ({n, slab_slices (job, n).meet (slices), packing_of (job, manner, n), nullptr, {}, {}});
  return slabs;
}

class NativeWorker final : public Worker
{
public:
  NativeWorker (const Replica &replica, const Job &j, Manner m)
      : cpu (replica.cpu), monitor (replica.monitor), memory (replica.memory), job (j), manner (m)
  {
  }

  // All blocks of a work item stay open until the last projection has come.
  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    const auto packed = memory.take (views_item);
    open (blocks, packed);
    while (const Block in = inputs[0]->pop ()) {
      const auto angles = in.angles ();
      for (auto first = angles.begin; first < angles.end;) {
        const auto group = first / group_size * group_size, end = std::min (angles.end, group + group_size);
        pack_views (in, {first, end});
        if (end == group + group_size || end == std::ssize (job.projections))
          add ({group, end});
        first = end;
      }
    }
    for (auto &block : blocks) {
      mask (job, cpu, block);
      output->push (std::move (block));
    }
  }

private:
  const Cpu &cpu;
  const Monitor &monitor;
  Allotment &memory;
  const Job &job;
  const Manner manner;
  std::vector<Slab> slabs;

  void open (std::vector<Block> &blocks, const Allotment::Piece &packed)
  {
    slabs = slabs_of (job, manner, {blocks.front ().rows ().begin, blocks.back ().rows ().end});
    auto *bins = packed.as ();
    for (auto &slab : slabs) {
      slab.bins = bins;
      bins += slab.packing.bytes;
      slab.units.resize (group_size);
      slab.wanted.resize (slab_size);
    }
    // Sets all memory to zero, because packed values need zeros around them.
    constexpr int64_t page = 1 << 16;
    const auto all = bins - packed.as ();
    cpu.parallel (divide_up (all, page), 16, [&] (int64_t begin, int64_t end) {
      std::memset (packed.as () + begin * page, 0, static_cast<size_t> (std::min (end * page, all) - begin * page));
    });
    const auto pixels = job.volume.columns * job.volume.lines;
    for (auto &block : blocks) {
      cpu.parallel (block.rows ().size (), 1, [&] (int64_t begin, int64_t end) {
        std::fill (block.as<float> () + begin * pixels, block.as<float> () + end * pixels, 0.0F);
      });
      for (int64_t i = 0; i < block.rows ().size (); i++) {
        const auto slice = block.rows ().at (i);
        auto &slab = slabs[static_cast<size_t> (slice / slab_size - slabs[0].number)];
        slab.wanted[static_cast<size_t> (slice % slab_size)] = block.as<float> () + i * pixels;
      }
    }
  }

  static Values values_of (const Block &in, int64_t view)
  {
    return {in.as<float> () + in.offset (view - in.angles ().begin, 0), in.rows (), in.format ().line ()};
  }

  void pack_views (const Block &in, Interval views)
  {
    constexpr int64_t some = 64; // columns per piece of work
    const auto parts = divide_up (job.columns, some);
    for (auto &slab : slabs) {
      const auto place = [&] (int64_t i) { return static_cast<size_t> (views.at (i) % group_size); };
      cpu.parallel (views.size (), 1, [&] (int64_t begin, int64_t end) {
        for (auto i = begin; i < end; i++)
          slab.units[place (i)] = unit_of (values_of (in, views.at (i)), slab.packing);
      });
      for (int64_t i = 0; i < views.size (); i++)
        if (auto &unit = slab.units[place (i)]; std::isnan (unit)) {
          add_plainly (values_of (in, views.at (i)), views.at (i), slab);
          unit = 0; // the packed values of this view then add nothing
        }
      cpu.parallel (views.size () * parts, 1, [&] (int64_t begin, int64_t end) {
        for (auto n = begin; n < end; n++) {
          const auto i = n / parts, first = n % parts * some;
          pack (values_of (in, views.at (i)), slab.packing, {first, std::min (first + some, job.columns)},
                slab.units[place (i)], slab.bins + place (i) * slab.packing.view * slab.packing.bin ());
        }
      });
    }
  }

  // Returns the unit of the packed integers of a view; 1 for floats; NaN if integers cannot hold the view.
  static float unit_of (const Values &values, const Packing &packing)
  {
    constexpr float most_integer = 32766;
    if (packing.manner.precision == Precision::single)
      return 1;
    const float unit = largest (values, packing.rows.meet (values.rows)) / most_integer;
    return unit > 0 && unit < std::numeric_limits<float>::min () ? NAN : unit; // NaN: a smaller unit has no inverse
  }

  // Adds a view that integers cannot hold, voxel by voxel. A value that is not finite then reaches only the voxels that
  // see it.
  void add_plainly (const Values &values, int64_t view, const Slab &slab)
  {
    const auto lines = job.volume.lines;
    const auto &projection = job.projections[static_cast<size_t> (view)];
    cpu.parallel (slab_size * lines, 1, [&] (int64_t begin, int64_t end) {
      for (auto i = begin; i < end; i++)
        if (auto *slice = slab.wanted[static_cast<size_t> (i / lines)])
          add_line (job.volume, i % lines, slab.number * slab_size + i / lines, projection, values,
                    slice + i % lines * job.volume.columns);
    });
  }

  // Adds the views of a group to all slices.
  void add (Interval views)
  {
    const auto &volume = job.volume;
    const int side = side_of (manner);
    const auto across = divide_up (volume.columns, side), down = divide_up (volume.lines, side);
    const auto tiles = across * down;
    cpu.parallel (std::ssize (slabs) * tiles, 1, [&] (int64_t begin, int64_t end) {
      const auto sums = memory.take (sums_item);
      for (auto n = begin; n < end; n++) {
        monitor.check ();
        const auto &slab = slabs[static_cast<size_t> (n / tiles)];
        const auto x = n % tiles % across * side, y = n % tiles / across * side;
        const Tile tile{.slab = slab.number,
                        .x = x,
                        .y = y,
                        .columns = std::min<int64_t> (side, volume.columns - x),
                        .lines = std::min<int64_t> (side, volume.lines - y),
                        .side = side};
        const auto first = slab.number * slab_size;
        back_project (job, tile, {slab.slices.begin - first, slab.slices.end - first},
                      {.packing = slab.packing,
                       .bins = slab.bins,
                       .units = slab.units,
                       .first = views.begin,
                       .count = static_cast<int> (views.size ())},
                      sums.as ());
        std::vector<float *> slices;
        for (auto *slice : slab.wanted)
          slices.push_back (slice ? slice + y * volume.columns + x : nullptr);
        spread (sums.as<const float> (), tile, volume.columns, slices);
      }
    });
  }
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Job &job, Manner manner)
{
  return std::make_unique<NativeWorker> (replica, job, manner);
}

std::vector<size_t> packed_bytes (const Job &job, Manner manner)
{
  std::vector<size_t> bytes;
  for (int64_t n = 0; n * slab_size < job.volume.slices; n++)
    bytes.push_back (packing_of (job, manner, n).bytes);
  return bytes;
}

void native_memory (std::span<const size_t> packed, Manner manner, const Sizing &sizing, Bill &bill)
{
  // A work item that begins inside a slab touches more slabs than one that begins where a slab begins.
  const auto before = sizing.item_step % slab_size == 0 ? 0 : slab_size - 1;
  const auto reach = static_cast<size_t> (divide_up (before + sizing.item_rows, slab_size));
  size_t most = 0, bytes = 0;
  for (size_t n = 0; n < packed.size (); n++) {
    bytes += packed[n];
    if (n >= reach)
      bytes -= packed[n - reach];
    most = std::max (most, bytes);
  }
  add_pages (bill, views_item, most);
  add_pages (bill, sums_item, tile_memory (manner), static_cast<size_t> (sizing.threads));
}

} // namespace sino::cone_back_project
