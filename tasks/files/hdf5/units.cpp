// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/units.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include <atomic>
#include <optional>

namespace sino::files {

namespace {

// The wanted numbers that lie in one unit, along one axis.
struct Run {
  int64_t unit;
  size_t begin, end;
};

std::vector<Run> runs (Numbers numbers, int64_t extent)
{
  std::vector<Run> list;
  for (size_t i = 0; i < numbers.size (); i = list.back ().end)
    list.push_back ({numbers[i] / extent, i, end_of_unit (numbers, i, extent)});
  return list;
}

void set_chunks (Stack &stack, const Hdf5Dataset &dataset)
{
  const auto &facts = dataset.facts;
  check_filters (facts.filters, dataset.title ());
  const auto axes = facts.extent.size ();
  uint64_t bytes = stack.stored_pixel;
  bool sound = facts.chunk.size () == axes;
  for (size_t i = 0; sound && i < axes; i++) {
    sound = facts.chunk[i] > 0 && facts.chunk[i] <= UINT32_MAX / bytes; // this is also HDF5's limit
    bytes *= facts.chunk[i];
  }
  if (!sound)
    fail (SINO_ERROR_BAD_FILE, "%s is damaged: the size of its chunks is not valid", dataset.title ().c_str ());
  const auto along = [&facts, axes] (size_t axis) { return static_cast<int64_t> (facts.chunk[axis + axes - 3]); };
  stack.unit = {axes == 3 ? along (0) : 1, along (1), along (2)};
  if (facts.chunks > 0)
    stack.unit.stored = static_cast<double> (facts.stored) / static_cast<double> (facts.chunks);
}

// Copies the wanted pixels of a unit to their places.
void scatter (const Stack &stack, const Samples &samples, const Part &part, const Run &p, const Run &l, const Run &c,
              const std::byte *from, std::byte *out)
{
  const auto &unit = stack.unit;
  const auto size = pixel (stack);
  const auto some = part.columns.subspan (c.begin, c.end - c.begin);
  for (auto i = p.begin; i < p.end; i++)
    for (auto j = l.begin; j < l.end; j++) {
      const auto line = (part.pages[i] % unit.pages) * unit.lines + part.lines[j] % unit.lines;
      samples.take (from + static_cast<size_t> (line * unit.columns) * stack.stored_pixel, c.unit * unit.columns, some,
                    out + ((i * part.lines.size () + j) * part.columns.size () + c.begin) * size);
    }
}

} // namespace

UnitStack::UnitStack (const Hdf5Dataset &dataset) : stamps (stamps_of (dataset)), samples (dataset.samples ().native ())
{
  set_extents (*this, dataset);
  if (dataset.facts.layout == hdf5::Layout::chunked)
    set_chunks (*this, dataset);
  else { // units of about 1 MiB
    unit.columns = columns;
    unit.lines = std::clamp<int64_t> ((1 << 20) / (columns * static_cast<int64_t> (stored_pixel)), 1, lines);
  }
  extent = {pages, lines, columns};
  chunk = {unit.pages, unit.lines, unit.columns};
  bytes = static_cast<size_t> (unit.pages * unit.lines * unit.columns) * stored_pixel;
  if (unit.stored == 0)
    unit.stored = static_cast<double> (bytes);
}

std::vector<int64_t> UnitStack::unwritten_in (const std::vector<uint64_t> &layers) const
{
  std::vector<int64_t> found;
  for (int64_t page = 0; page < pages; page++)
    if (layers[static_cast<size_t> (page / chunk[0])] < units_of_layer ())
      found.push_back (page);
  return found;
}

void UnitStack::read (const Part &part, std::byte *out, const Reading &reading) const
{
  const auto along_pages = runs (part.pages, unit.pages), along_lines = runs (part.lines, unit.lines),
             along_columns = runs (part.columns, unit.columns);
  const auto n = static_cast<int64_t> (along_pages.size () * along_lines.size () * along_columns.size ());
  std::atomic<int64_t> got = 0;
  share (n, strands (reading.cpu ? reading.cpu->threads () : 1), reading, [&] (const Next &next) {
    std::optional<WorkingFor> scope;
    if (reading.monitor)
      scope.emplace (*reading.monitor);
    ChunkBuffers buffers; // buffers of this thread
    while (const auto i = next ()) {
      const auto at = static_cast<size_t> (*i);
      const auto &c = along_columns[at % along_columns.size ()];
      const auto &l = along_lines[at / along_columns.size () % along_lines.size ()];
      const auto &p = along_pages[at / along_columns.size () / along_lines.size ()];
      got += fetch ({p.unit * unit.pages, l.unit * unit.lines, c.unit * unit.columns}, buffers);
      scatter (*this, samples, part, p, l, c, buffers.decoded (), out);
    }
  });
  reading.count (n, got);
}

std::shared_ptr<const Stack> unit_stack (const Hdf5Dataset &dataset)
{
  const auto &facts = dataset.facts;
  Decoder decoder;
  if (facts.layout == hdf5::Layout::chunked && facts.placed &&
      decoder.understand (facts.filters, size_of (dataset.samples ().type)))
    return chunk_stack (dataset, std::move (decoder));
  return box_stack (dataset);
}

} // namespace sino::files
