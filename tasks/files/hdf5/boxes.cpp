// SPDX-License-Identifier: LGPL-3.0-or-later
// Data that only HDF5 itself can decode or assemble: chunks with other filters, and virtual datasets. The separate
// process reads it, one box at a time.
#include "tasks/files/hdf5/units.hpp"
#include <algorithm>

namespace sino::files {

namespace {

class BoxStack final : public UnitStack
{
public:
  explicit BoxStack (const Hdf5Dataset &d) : UnitStack (d), dataset (d), sample (d.samples ().type) {}

  int64_t fetch (const std::array<int64_t, 3> &at, ChunkBuffers &buffers) const override
  {
    std::array<int64_t, 3> size;
    for (size_t i = 0; i < 3; i++)
      size[i] = std::min (chunk[i], extent[i] - at[i]);
    auto *const to = buffers.stored (bytes);
    dataset.file->read_box (dataset.name, sample, apart_bytes (), at, size, to);
    spread (size, to);
    return static_cast<int64_t> (unit.stored);
  }

  int64_t strands (int) const override { return 1; }
  size_t scratch (int) const override { return bytes + apart_bytes (); }
  size_t resident () const override
  {
    return hdf5::resident_bytes + dataset.facts.resident + stamps.size () * sizeof (FileStamp);
  }
  std::vector<int64_t> unwritten () const override
  {
    if (dataset.facts.layout == hdf5::Layout::assembled)
      return bare ();
    if (dataset.facts.layout != hdf5::Layout::chunked || !dataset.facts.placed)
      return {};
    std::vector<uint64_t> layers (units_along (0));
    dataset.file->places (dataset.name, [&] (const hdf5::ChunkPlace &place) {
      if (const auto layer = place.corner[0] / static_cast<uint64_t> (chunk[0]); layer < layers.size ())
        layers[layer]++;
    });
    return unwritten_in (layers);
  }

private:
  std::vector<int64_t> bare () const
  {
    std::vector<bool> is_bare (static_cast<size_t> (extent[0]));
    for (const auto &run : dataset.facts.bare)
      for (auto page = run.begin; page < std::min<uint64_t> (run.end, is_bare.size ()); page++)
        is_bare[page] = true;
    std::vector<int64_t> found;
    for (size_t page = 0; page < is_bare.size (); page++)
      if (is_bare[page])
        found.push_back (static_cast<int64_t> (page));
    return found;
  }

  Hdf5Dataset dataset;
  Sample sample;

  // Memory of HDF5 for one box: the box, a chunk in stored and decoded form during filtering, and open sources.
  size_t apart_bytes () const
  {
    const auto &facts = dataset.facts;
    const auto open = facts.layout == hdf5::Layout::assembled ? facts.most + hdf5::most_open : 0;
    return 2 * bytes + 2 * ChunkBuffers::bytes (std::max<size_t> (bytes, facts.unit)) + open * hdf5::source_bytes;
  }

  // At the end of the dataset, a unit is cut off: moves its lines and pages to their distances in a full unit.
  void spread (const std::array<int64_t, 3> &size, std::byte *pixels) const
  {
    const auto pixel = size_of (sample);
    const auto row = static_cast<size_t> (size[2]) * pixel;
    for (auto p = size[0]; p-- > 0;)
      for (auto l = size[1]; l-- > 0;)
        std::copy_backward (pixels + static_cast<size_t> (p * size[1] + l) * row,
                            pixels + static_cast<size_t> (p * size[1] + l + 1) * row,
                            pixels + static_cast<size_t> ((p * chunk[1] + l) * chunk[2]) * pixel + row);
  }
};

} // namespace

std::shared_ptr<const Stack> box_stack (const Hdf5Dataset &dataset)
{
  return std::make_shared<BoxStack> (dataset);
}

} // namespace sino::files
