// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/detector-image/read.hpp"
#include "base/error.hpp"
#include "formats/open.hpp"
#include "kernels/flat-field/correct.hpp"
#include <cmath>
#include <numeric>

namespace sino::detector_image {

// Indices in the image along an axis, rising: all, or those of the scan's pixels that the stream has.
static std::vector<int64_t> places (const Dim &dim, int64_t extent, bool whole)
{
  std::vector<int64_t> numbers (static_cast<size_t> (dim.extent));
  std::iota (numbers.begin (), numbers.end (), 0);
  if (whole)
    return numbers;
  for (auto &number : numbers)
    number = dim.number (number);
  if (dim.step < 0)
    std::ranges::reverse (numbers);
  return !numbers.empty () && numbers.front () >= 0 && numbers.back () < extent ? numbers : std::vector<int64_t>{};
}

// Whether the image is for the projections, not for the whole detector. Throws Error if it may be for both, or if the
// detector's pixels have unknown places.
static bool of_projections (Of of, bool fits, const char *title, const char *property, const Format &projections)
{
  const bool turned = projections.axes[1].step < 0 || projections.axes[2].step < 0,
             moved = projections.moved_by != nullptr;
  if (of == Of::projections || (of == Of::automatic && fits && !turned && !moved))
    return true;
  const char *const node = moved ? projections.moved_by : "flip";
  if (of == Of::automatic && fits)
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "%s fits the projections, whose pixels '%s' has moved, and may be for the detector, too: put this node before "
        "'%s', or give of=%s",
        title, node, node,
        moved ? "projections" : "detector if it is stored like the detector's images, otherwise of=projections");
  if (moved)
    fail (SINO_ERROR_BAD_FORMAT,
          "%s is for the detector, whose pixels '%s' has moved: put this node before '%s', or give a %s of "
          "%" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns for the projections, with of=projections",
          title, node, node, property, projections.axes[1].extent, projections.axes[2].extent);
  return false;
}

std::vector<float> read (const char *property, const std::string &path, Of of, const Format &projections,
                         const char *meaning)
{
  std::vector<std::string> messages;
  const auto file = formats::open_images (property, path, messages);
  const auto &stack = *file->stack;
  const auto &row = projections.axes[1], &column = projections.axes[2];
  if (stack.pages != 1)
    fail (SINO_ERROR_BAD_FILE, "%s has %" G_GINT64_FORMAT " images: give one image %s", file->title ().c_str (),
          stack.pages, meaning);
  const bool fits = stack.lines == row.extent && stack.columns == column.extent,
             whole = of_projections (of, fits, file->title ().c_str (), property, projections);
  if (whole && !fits)
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns, the projections have %" G_GINT64_FORMAT
          " and %" G_GINT64_FORMAT ": give a %s for these, or leave of=projections out",
          file->title ().c_str (), stack.lines, stack.columns, row.extent, column.extent, property);
  if (!whole && (std::abs (row.step) != 1 || std::abs (column.step) != 1)) // pixels may have been combined
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT
          " columns of a detector whose pixels the projections bin or skip: put this node before 'bin', or give a %s "
          "of %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns for these projections",
          file->title ().c_str (), stack.lines, stack.columns, property, row.extent, column.extent);
  const auto lines = places (row, stack.lines, whole), columns = places (column, stack.columns, whole);
  if (lines.empty () || columns.empty ())
    fail (SINO_ERROR_BAD_FILE,
          "%s has %" G_GINT64_FORMAT " rows and %" G_GINT64_FORMAT " columns, the projections have %" G_GINT64_FORMAT
          " and %" G_GINT64_FORMAT ": give a %s for these, or for the whole detector",
          file->title ().c_str (), stack.lines, stack.columns, row.extent, column.extent, property);
  const auto count = row.extent * column.extent;
  std::vector<std::byte> pixels (static_cast<size_t> (count) * size_of (stack.element));
  const int64_t page = 0;
  stack.read ({{&page, 1}, lines, columns}, pixels.data (), {});
  std::vector<float> stored (static_cast<size_t> (count)), values (static_cast<size_t> (count));
  flat_field::widen (stack.element, pixels.data (), count, stored.data ());
  for (int64_t y = 0; y < row.extent; y++)
    for (int64_t x = 0; x < column.extent; x++) {
      const auto from = (!whole && row.step < 0 ? row.extent - 1 - y : y) * column.extent +
                        (!whole && column.step < 0 ? column.extent - 1 - x : x);
      values[static_cast<size_t> (y * column.extent + x)] = stored[static_cast<size_t> (from)];
    }
  return values;
}

} // namespace sino::detector_image
