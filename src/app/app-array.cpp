// SPDX-License-Identifier: LGPL-3.0-or-later
#include "app/app-array.hpp"
#include "base/error.hpp"
#include "glue/gathered-worker.hpp"
#include "stream/copy.hpp"
#include <cstring>

namespace sino::app {

// --- the program ---

Array AppArray::get () const
{
  const std::lock_guard guard (given->mutex);
  if (!given->array.format)
    fail (SINO_ERROR_BAD_PROPERTY, "there is no array: set one");
  return given->array;
}

// What the geometry says of each projection has to be said of all of them.
static void check_geometry (const Format &format)
{
  if (!format.geometry || !format.has (Axis::angle))
    return;
  const auto &geometry = *format.geometry;
  const auto axes = geometry.axis.size ();
  for (const auto &[count, what] :
       {std::pair{geometry.angles.size (), "angles"}, std::pair{geometry.views.size (), "views"},
        std::pair{axes > 1 ? axes : 0, "positions of the axis"}})
    if (count > 0 && count != static_cast<size_t> (format.angles ()))
      fail (SINO_ERROR_BAD_FORMAT, "the geometry has %zu %s, but there are %" G_GINT64_FORMAT " projections", count,
            what, format.angles ());
}

void AppArray::set (const std::shared_ptr<const Format> &format, std::shared_ptr<const std::byte> memory, size_t bytes)
{
  if (!signature.gives.kinds.has (format->kind ()))
    fail (SINO_ERROR_BAD_FORMAT, "an array holds projections, sinograms or slices, got %s",
          format->describe ().c_str ());
  if (static_cast<double> (bytes) != format->bytes ())
    fail (SINO_ERROR_BAD_FORMAT, "%s have %.0f bytes, but the array has %zu", format->describe ().c_str (),
          format->bytes (), bytes);
  check_geometry (*format);
  auto own = std::make_shared<Format> (); // without what nodes have noted in the format of a block
  own->element = format->element;
  own->axes = format->axes;
  own->geometry = format->geometry;
  own->values = format->values;
  const std::lock_guard guard (given->mutex);
  given->array = {std::move (own), std::move (memory)};
  given->darks.clear ();
  given->flats.clear ();
}

Chunk AppArray::frames (std::shared_ptr<const std::byte> memory, size_t bytes) const
{
  const auto format = get ().format;
  if (!format->has (Axis::angle))
    fail (SINO_ERROR_BAD_FORMAT, "darks and flats belong to projections or sinograms, got %s",
          format->describe ().c_str ());
  Chunk chunk;
  chunk.shape = {format->element, format->extent (Axis::row), format->extent (Axis::column)};
  chunk.count = chunk.shape.frames_in (bytes);
  chunk.memory = std::move (memory);
  return chunk;
}

void AppArray::add_darks (std::shared_ptr<const std::byte> memory, size_t bytes, int64_t before)
{
  given->darks.add (frames (std::move (memory), bytes), before);
}

void AppArray::add_flats (std::shared_ptr<const std::byte> memory, size_t bytes, int64_t before)
{
  given->flats.add (frames (std::move (memory), bytes), before);
}

// --- the run ---

Format AppArray::negotiate (std::span<const Format *const>)
{
  array = get ();
  Format format = *array.format;
  format.finite = format.element == Element::u8 || format.element == Element::u16;
  if (!format.has (Axis::angle))
    return format;
  const FrameShape shape{format.element, format.extent (Axis::row), format.extent (Axis::column)};
  format.companions.darks = given->darks.read (shape, nullptr);
  format.companions.flats = given->flats.read (shape, nullptr);
  format.companions.from = info.name;
  return format;
}

namespace {

// Passes on parts of the array without a copy where they are contiguous.
class ArrayWorker final : public Worker
{
public:
  ArrayWorker (Array a, const Replica &replica)
      : array (std::move (a)), format (*replica.output), layout (replica.output_layout),
        all (array.format, {}, {{0, format.rows ()}, {0, format.angles ()}},
             std::make_shared<Buffer> (const_cast<std::byte *> (array.memory.get ()), // it is only read
                                       static_cast<size_t> (format.bytes ())))
  {
  }

  void run (std::span<Input *const>, Output *output) override
  {
    while (const Region *coming = output->coming ()) {
      if (layout.lanes == 1 && contiguous (*coming)) {
        const auto offset = static_cast<size_t> (all.offset (coming->angles.begin, coming->rows.begin));
        const auto *begin = array.memory.get () + offset * size_of (format.element);
        if (push_in_place (*output, format, {array.memory, begin}))
          continue;
      }
      Block block = output->next ();
      if (layout.lanes > 1)
        std::memset (block.data (), 0, block.bytes ()); // the padding of lanes
      copy_common (all, block);
      output->push (std::move (block));
    }
  }

private:
  const Array array;
  const Format &format;
  const Layout layout;
  const Block all;

  bool contiguous (const Region &region) const
  {
    return format.rows_first () ? region.angles.size () == format.angles () : region.rows.size () == format.rows ();
  }
};

} // namespace

std::unique_ptr<Worker> AppArray::start (const Replica &replica)
{
  return std::make_unique<ArrayWorker> (array, replica);
}

} // namespace sino::app
