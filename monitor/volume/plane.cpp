// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/volume/plane.hpp"
#include "base/error.hpp"
#include "base/half.hpp"
#include "stream/element.hpp"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace sino::monitor {

namespace {

using formats::Part;
using formats::Reading;
using formats::Stack;

constexpr int64_t band_bytes = int64_t{8} << 20; // read at once

// Speeds of a thread with files in memory; only the ratio to a limit matters.
constexpr double copied_per_second = 2e9, decoded_per_second = 4e8, pieces_per_second = 7.5e5, pixels_per_second = 4e8;

// Numbers of pages, lines and columns.
struct Picked {
  std::array<std::vector<int64_t>, 3> numbers;

  Part part () const { return {numbers[0], numbers[1], numbers[2]}; }
  std::vector<int64_t> &along (int axis) { return numbers[static_cast<size_t> (axis)]; }
};

// Every step-th number from `begin` on, in the middle of each step.
std::vector<int64_t> spread (int64_t begin, int64_t end, int64_t step)
{
  std::vector<int64_t> numbers;
  for (auto n = begin; n < end; n += step)
    numbers.push_back (std::min (n + step / 2, end - 1));
  return numbers;
}

// Distances of the pixels that are read.
struct Steps {
  int64_t down = 1, across = 1;
};

Picked pick (const Sight &sight, int64_t top, int64_t bottom, Steps steps = {})
{
  Picked picked;
  picked.along (sight.axis) = {sight.index};
  picked.along (axis_across (sight.axis)) = spread (sight.box.left, sight.box.right, steps.across);
  picked.along (axis_down (sight.axis)) = spread (top, bottom, steps.down);
  return picked;
}

double seconds_of (const Stack &stack, const Picked &picked)
{
  double pixels = 1;
  for (int axis = 0; axis < 3; axis++)
    pixels *= stack.cost_along (axis, picked.numbers[static_cast<size_t> (axis)]);
  const auto &[pages, lines, columns] = picked.numbers;
  const auto &unit = stack.unit;
  const auto of_unit = static_cast<double> (unit.pages * unit.lines * unit.columns),
             pixel = static_cast<double> (formats::pixel (stack));
  const bool alone = unit.stored == 0; // any pixel can be read by itself
  const bool packed = unit.stored < 0.99 * of_unit * pixel && !alone;
  const auto whole_lines = formats::consecutive (lines) && std::ssize (columns) == stack.columns;
  const double pieces = !alone        ? pixels / of_unit
                        : whole_lines ? static_cast<double> (pages.size ())
                                      : static_cast<double> (pages.size () * lines.size ());
  const auto shown = static_cast<double> (picked.part ().pixels ()); // converted, averaged and made 16-bit values
  return (pixels * pixel / (packed ? decoded_per_second : copied_per_second) + pieces / pieces_per_second +
          shown / pixels_per_second) /
         usable_cpus ();
}

template <class T, class ToFloat> void to_floats (const std::byte *from, std::span<float> out, ToFloat to_float)
{
  for (auto &each : out) {
    T value;
    std::memcpy (&value, from, sizeof (T));
    from += sizeof (T);
    each = to_float (value);
  }
}

// Reads pixels densely as floats.
std::vector<float> read_floats (const Stack &stack, const Picked &picked, const Reading &reading)
{
  const auto part = picked.part ();
  const auto n = part.pixels ();
  if (stack.element == Element::f32) {
    std::vector<float> values (n);
    stack.read (part, reinterpret_cast<std::byte *> (values.data ()), reading);
    return values;
  }
  std::vector<std::byte> stored (n * formats::pixel (stack));
  stack.read (part, stored.data (), reading);
  return floats_of (stack.element, stored);
}

// Adds lines to the sums of `step` of their pixels, and counts what is finite.
void add_line (const float *line, int64_t width, int64_t step, float *sums, float *counts)
{
  for (int64_t first = 0, to = 0; first < width; first += step, to++)
    for (auto x = first; x < std::min (first + step, width); x++) {
      const bool good = std::isfinite (line[x]);
      sums[to] += good ? line[x] : 0;
      counts[to] += good ? 1.f : 0.f;
    }
}

// Means of 2 x 2 pixels and more.
void average (const float *from, int64_t width, int64_t height, int64_t pitch, int level, float *out, const Cpu *cpu)
{
  const auto step = int64_t{1} << level;
  const auto out_width = (width + step - 1) >> level, out_height = (height + step - 1) >> level;
  const auto lines = [&] (int64_t begin, int64_t end) {
    std::vector<float> sums (static_cast<size_t> (out_width)), counts (sums.size ());
    for (auto y = begin; y < end; y++) {
      std::ranges::fill (sums, 0.f);
      std::ranges::fill (counts, 0.f);
      for (auto line = y * step; line < std::min ((y + 1) * step, height); line++)
        add_line (from + line * pitch, width, step, sums.data (), counts.data ());
      for (size_t x = 0; x < sums.size (); x++)
        out[y * out_width + static_cast<int64_t> (x)] =
            counts[x] > 0 ? sums[x] / counts[x] : std::numeric_limits<float>::quiet_NaN ();
    }
  };
  if (cpu)
    cpu->parallel (out_height, 16, lines);
  else
    lines (0, out_height);
}

// Reads pixels at these distances, which are multiples of those of the level, and repeats them.
Plane read_some (const Stack &stack, const Sight &sight, Steps steps, const Reading &reading)
{
  const auto step = int64_t{1} << sight.level;
  const auto &box = sight.box;
  const auto values = read_floats (stack, pick (sight, box.top, box.bottom, steps), reading);
  Plane plane{.width = (box.width () + step - 1) / step, .height = (box.height () + step - 1) / step};
  plane.level = sight.level;
  plane.full = steps.down == 1 && steps.across == 1;
  const auto found_width = (box.width () + steps.across - 1) / steps.across;
  plane.values.reserve (static_cast<size_t> (plane.width * plane.height));
  for (int64_t y = 0; y < plane.height; y++)
    for (int64_t x = 0; x < plane.width; x++)
      plane.values.push_back (
          values[static_cast<size_t> (y * step / steps.down * found_width + x * step / steps.across)]);
  return plane;
}

// Reads all pixels in bands of lines.
Plane read_all (const Stack &stack, const Sight &sight, const Reading &reading)
{
  const auto step = int64_t{1} << sight.level;
  const auto &box = sight.box;
  Plane plane{.width = (box.width () + step - 1) / step, .height = (box.height () + step - 1) / step};
  plane.level = sight.level;
  plane.values.resize (static_cast<size_t> (plane.width * plane.height));
  const auto unit = sight.axis == 0 ? stack.unit.lines : stack.unit.pages;
  const auto together = std::max (step, unit); // both are small, so that bands of their multiples are, too
  const auto lines = std::max (together, band_bytes / (box.width () * int64_t{sizeof (float)}) / together * together);
  for (auto top = box.top; top < box.bottom;) {
    // Bands end at units of the file and begin at pixels of the picture.
    auto bottom = std::min (top + std::max (step, lines / step * step), box.bottom);
    const auto values = read_floats (stack, pick (sight, top, bottom), reading);
    average (values.data (), box.width (), bottom - top, box.width (), sight.level,
             plane.values.data () + (top - box.top) / step * plane.width, reading.cpu);
    top = bottom;
  }
  return plane;
}

} // namespace

std::vector<float> floats_of (Element element, std::span<const std::byte> values)
{
  const auto as_it_is = [] (auto value) { return static_cast<float> (value); };
  std::vector<float> out (values.size () / size_of (element));
  switch (element) {
  case Element::u8:
    to_floats<uint8_t> (values.data (), out, as_it_is);
    break;
  case Element::u16:
    to_floats<uint16_t> (values.data (), out, as_it_is);
    break;
  case Element::f16:
    to_floats<uint16_t> (values.data (), out, half_to_float);
    break;
  case Element::f32:
    to_floats<float> (values.data (), out, as_it_is);
    break;
  }
  return out;
}

Box whole_box (const Volume &volume, int axis)
{
  const auto extents = volume.extents ();
  return {0, 0, extents[static_cast<size_t> (axis_across (axis))], extents[static_cast<size_t> (axis_down (axis))]};
}

double seconds_to_read (const Volume &volume, const Sight &sight)
{
  return seconds_of (*volume.stack, pick (sight, sight.box.top, sight.box.bottom));
}

namespace {

// The sight in a resolution that has 2^level times fewer voxels along each axis.
Sight coarser (const Sight &sight, int level)
{
  const auto up = [level] (int64_t n) { return (n + (int64_t{1} << level) - 1) >> level; };
  auto same = sight;
  same.index >>= level;
  same.box = {sight.box.left >> level, sight.box.top >> level, up (sight.box.right), up (sight.box.bottom)};
  same.level -= level;
  return same;
}

Plane read_stack (const Stack &stack, const Sight &sight, double seconds, const Reading &reading)
{
  const auto takes = [&] (Steps steps) {
    return seconds_of (stack, pick (sight, sight.box.top, sight.box.bottom, steps));
  };
  if (takes ({}) <= seconds && !(sight.quick && sight.level > 0))
    return sight.level > 0 ? read_all (stack, sight, reading) : read_some (stack, sight, {}, reading);
  const auto step = int64_t{1} << sight.level;
  Steps steps{step, step};
  for (double now = takes (steps); now > seconds && steps.down < 64 * step;) {
    const Steps lower{2 * steps.down, steps.across}, narrower{steps.down, 2 * steps.across};
    steps = takes (lower) <= takes (narrower) ? lower : narrower;
    now = takes (steps);
  }
  return read_some (stack, sight, steps, reading);
}

} // namespace

Plane read_plane (const Volume &volume, const Sight &sight, double seconds, const Reading &reading)
{
  // Coarser resolutions are means along all three axes, so a slice of them serves only while something moves. Their
  // pixels begin at multiples of 2^level pixels of the volume.
  const auto level = std::min (sight.level, static_cast<int> (volume.coarser.size ()));
  const auto step = int64_t{1} << sight.level;
  if (sight.quick && level > 0 && sight.box.left % step == 0 && sight.box.top % step == 0) {
    auto plane =
        read_stack (*volume.coarser[static_cast<size_t> (level - 1)], coarser (sight, level), seconds, reading);
    plane.level = sight.level;
    plane.full = false;
    return plane;
  }
  return read_stack (*volume.stack, sight, seconds, reading);
}

Plane reduced (const Plane &whole, const Box &box, int level, const Cpu &cpu)
{
  const auto step = int64_t{1} << level;
  Plane part{.width = (box.width () + step - 1) / step, .height = (box.height () + step - 1) / step};
  part.level = level;
  part.full = whole.full;
  part.values.resize (static_cast<size_t> (part.width * part.height));
  const auto *const from = whole.values.data () + box.top * whole.width + box.left;
  if (level == 0)
    for (int64_t y = 0; y < part.height; y++)
      std::copy_n (from + y * whole.width, part.width, part.values.data () + y * part.width);
  else
    average (from, box.width (), box.height (), whole.width, level, part.values.data (), &cpu);
  return part;
}

void subtract (Plane &plane, const Plane &other)
{
  if (plane.width != other.width || plane.height != other.height)
    fail (SINO_ERROR_BAD_FORMAT, "the two slices have different sizes");
  std::ranges::transform (plane.values, other.values, plane.values.begin (), std::minus ());
}

} // namespace sino::monitor
