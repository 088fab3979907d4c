// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/cuts.hpp"
#include "base/text.hpp"
#include "tasks/files/pictures/contrast.hpp"
#include <cmath>
#include <numeric>

namespace sino::files {

namespace {

constexpr int64_t most_pixels = 800, enough = 300; // pixels of the longest side: shrunk if larger, enlarged if smaller
constexpr int64_t bars_lines = 160, ramp_lines = 12;
constexpr int64_t widest_line = 76;                // characters
constexpr int64_t most_counted = int64_t{1} << 27; // values: more do not change the bars

// Means of `shrink` neighbours, without values that are not finite.
void shorten (const float *values, int64_t n, int64_t shrink, float *to)
{
  for (int64_t begin = 0; begin < n; begin += shrink) {
    double sum = 0;
    int64_t finite = 0;
    for (auto i = begin; i < std::min (begin + shrink, n); i++)
      if (std::isfinite (values[i])) {
        sum += values[i];
        finite++;
      }
    *to++ = finite > 0 ? static_cast<float> (sum / static_cast<double> (finite)) : values[begin];
  }
}

std::string percent (double part, uint64_t all)
{
  return text ("%.2g %%", all > 0 ? 100 * part / static_cast<double> (all) : 0.0);
}

} // namespace

Cuts::Cuts (const Format &slices, int64_t z)
    : Picture (slices.element, slices.axes[0].extent), element (slices.element), across (slices.axes[2]),
      down (slices.axes[1]), along (slices.axes[0]), depth (along.extent), middle{across.extent / 2, down.extent / 2, z}
{
  const auto longest = std::max ({across.extent, down.extent, depth});
  shrink = divide_up (longest, most_pixels);
  times = std::max<int64_t> (enough / longest, 1);
  const auto lines_counted = std::max<int64_t> (most_counted / across.extent, 1);
  lines_each = static_cast<uint64_t> (divide_up (down.extent * depth, lines_counted));
  const auto plane = [this] (const char *axes, const char *axis, int64_t number, int64_t lines, int64_t columns) {
    return Plane{
        .label = text ("%s at %s=%" G_GINT64_FORMAT, axes, axis, number), .lines = lines, .columns = shown (columns)};
  };
  planes = {plane ("x-y", "z", along.number (z), down.extent, across.extent),
            plane ("x-z", "y", down.number (middle[1]), depth, across.extent),
            plane ("y-z", "x", across.number (middle[0]), depth, down.extent)};
}

void Cuts::memory (Bill &bill) const
{
  size_t kept = 0, pixels = 0;
  for (const auto &plane : planes) {
    kept += static_cast<size_t> (plane.lines * plane.columns);
    pixels += static_cast<size_t> (shown (plane.lines) * plane.columns);
  }
  add_bytes (bill, "the cuts", kept * sizeof (float));
  add_bytes (bill, "counts of values", Histogram::bytes, parts + 1);
  add_bytes (bill, "pixels of the cuts, and those that count", pixels * 3 * sizeof (float) + contrast_bytes);
  add_bytes (bill, "the picture, before and after compression", static_cast<size_t> (lines () * columns ()) * 8);
}

// A line is a miss of the cache in each slice; 2048^3 took 1.3 s on a host of 16 cores.
double Cuts::seconds () const
{
  const auto lines = static_cast<double> (down.extent * depth), counted = lines / static_cast<double> (lines_each);
  return 1e-7 * lines + 5e-9 * counted * static_cast<double> (across.extent);
}

void Cuts::begin ()
{
  for (auto &plane : planes)
    plane.values.resize (static_cast<size_t> (plane.lines * plane.columns));
  counts = std::make_unique<std::array<Counts, parts>> ();
}

void Cuts::keep (Plane &plane, int64_t line, const float *values, int64_t n) const
{
  shorten (values, n, shrink, &plane.values[static_cast<size_t> (line * plane.columns)]);
}

// Lines at random, always the same ones: equal distances could fit to structures of the object. The hash is splitmix64
// (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014, 453).
bool Cuts::is_counted (int64_t z, int64_t y) const
{
  auto hash = static_cast<uint64_t> (z * down.extent + y) + 0x9e3779b97f4a7c15;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
  return (hash ^ (hash >> 31)) % lines_each == 0;
}

// Skips zeros outside the inscribed circle, which were not reconstructed.
void Cuts::count (Histogram &histogram, int64_t y, const float *line) const
{
  const auto n = across.extent, size = std::min (n, down.extent), far = 2 * y + 1 - down.extent;
  const auto square = size * size - far * far;
  const auto half = square < 0 ? -1 : static_cast<int64_t> (std::sqrt (static_cast<double> (square)));
  const auto begin = half < 0 ? n : std::max<int64_t> ((n - half) / 2, 0), end = half < 0 ? n : (n + half + 1) / 2;
  histogram.count_all_but_zeros (line, begin);
  histogram.count (line + begin, end - begin);
  histogram.count_all_but_zeros (line + end, n - end);
}

void Cuts::add (int64_t z, const std::byte *slice, const Cpu &cpu)
{
  const auto width = across.extent, height = down.extent;
  const auto step = size_of (element) * static_cast<size_t> (width);
  std::vector<float> column (static_cast<size_t> (height)); // column of the last plane
  cpu.parallel (parts, 1, [&] (int64_t first, int64_t last) {
    std::vector<float> converted (conversion.needed () ? static_cast<size_t> (width) : 0);
    for (auto part = first; part < last; part++) {
      auto &[mutex, histogram] = (*counts)[static_cast<size_t> (part)];
      const std::lock_guard guard (mutex);
      for (auto y = part * height / parts; y < (part + 1) * height / parts; y++) {
        const auto *from = slice + static_cast<size_t> (y) * step;
        const auto *line = reinterpret_cast<const float *> (from);
        const bool counted = is_counted (z, y);
        if (conversion.needed ()) {
          const bool whole = counted || is_shown (z, y);
          const auto begin = static_cast<size_t> (whole ? 0 : middle[0]), values = whole ? converted.size () : 1;
          conversion.apply (from + begin * size_of (element), values,
                            reinterpret_cast<std::byte *> (&converted[begin]));
          line = converted.data ();
        }
        column[static_cast<size_t> (y)] = line[middle[0]];
        if (counted)
          count (histogram, y, line);
        if (z == middle[2])
          keep (planes[0], y, line, width);
        if (y == middle[1])
          keep (planes[1], z, line, width);
      }
    }
  });
  keep (planes[2], z, column.data (), height);
}

// Means of `shrink` lines, without values that are not finite.
std::vector<float> Cuts::pixels (const Plane &plane) const
{
  const auto columns = static_cast<size_t> (plane.columns);
  std::vector<float> all (static_cast<size_t> (shown (plane.lines)) * columns);
  std::vector<double> sums (columns), finite (columns);
  auto *to = all.data ();
  for (int64_t begin = 0; begin < plane.lines; begin += shrink, to += columns) {
    const auto *first = &plane.values[static_cast<size_t> (begin) * columns];
    std::ranges::fill (sums, 0.0);
    std::ranges::fill (finite, 0.0);
    for (auto l = begin; l < std::min (begin + shrink, plane.lines); l++) {
      const auto *line = &plane.values[static_cast<size_t> (l) * columns];
      for (size_t c = 0; c < columns; c++) {
        const bool counted = std::isfinite (line[c]);
        sums[c] += static_cast<double> (counted ? line[c] : 0.0F);
        finite[c] += counted ? 1 : 0;
      }
    }
    for (size_t c = 0; c < columns; c++)
      to[c] = finite[c] > 0 ? static_cast<float> (sums[c] / finite[c]) : first[c];
  }
  return all;
}

int64_t Cuts::columns () const
{
  int64_t sum = Sheet::margin;
  for (const auto &plane : planes)
    sum += std::max (plane.columns * times, Sheet::width (plane.label)) + Sheet::margin;
  return std::max (sum, widest_line * Sheet::letter_columns + 2 * Sheet::margin);
}

int64_t Cuts::lines () const
{
  int64_t tallest = 0;
  for (const auto &plane : planes)
    tallest = std::max (tallest, shown (plane.lines) * times);
  return Sheet::margin + Sheet::letter_lines + Sheet::gap + tallest + 2 * Sheet::margin + bars_lines + ramp_lines +
         3 * (Sheet::gap + Sheet::letter_lines) + Sheet::margin;
}

Sheet Cuts::draw (std::optional<double> black, std::optional<double> white, int bits) const
{
  std::array<std::vector<float>, 3> images;
  std::vector<float> counting;
  for (size_t p = 0; p < planes.size (); p++) {
    images[p] = pixels (planes[p]);
    add_counting (counting, images[p], shown (planes[p].lines), planes[p].columns, p == 0);
  }
  const auto [low, high] = limits (contrast (counting), black, white);

  Sheet sheet (lines (), columns (), bits);
  auto at = Sheet::margin, line = Sheet::margin;
  for (size_t p = 0; p < planes.size (); p++) {
    const auto &plane = planes[p];
    sheet.write (line, at, plane.label);
    sheet.image (line + Sheet::letter_lines + Sheet::gap, at, grey (images[p], low, high, bits), plane.columns, times);
    at += std::max (plane.columns * times, Sheet::width (plane.label)) + Sheet::margin;
  }

  line = sheet.lines () - Sheet::margin - 3 * (Sheet::gap + Sheet::letter_lines) - ramp_lines - bars_lines;
  auto all = counts->front ().histogram;
  for (size_t part = 1; part < counts->size (); part++)
    all.add ((*counts)[part].histogram);
  const auto width = sheet.columns () - 2 * Sheet::margin;
  const auto bars = all.bars (low, high, static_cast<size_t> (width));
  const double highest = std::max (*std::ranges::max_element (bars.counts), 1e-300);
  for (int64_t c = 0; c < width; c++) {
    const auto height = std::llround (bars.counts[static_cast<size_t> (c)] / highest * bars_lines);
    sheet.fill (line + bars_lines - height, Sheet::margin + c, height, 1, 0);
  }
  line += bars_lines;
  std::vector<float> ramp (static_cast<size_t> (width));
  std::iota (ramp.begin (), ramp.end (), 0.5f);
  const auto greys = grey (ramp, 0, static_cast<double> (width), bits);
  for (int64_t l = 0; l < ramp_lines; l++)
    sheet.image (line + l, Sheet::margin, greys, width, 1);

  const auto next_line = [&line] { return line += Sheet::gap + Sheet::letter_lines; };
  line += ramp_lines - Sheet::letter_lines;
  sheet.write (next_line (), Sheet::margin, text ("black %.5g", low));
  const auto right = text ("white %.5g", high);
  sheet.write (line, Sheet::margin + width - Sheet::width (right), right);
  sheet.write (next_line (), Sheet::margin,
               text ("%" G_GUINT64_FORMAT " values: %s below, %s above", bars.all,
                     percent (bars.below, bars.all).c_str (), percent (bars.above, bars.all).c_str ()) +
                   (bars.not_finite > 0 ? text (", %" G_GUINT64_FORMAT " not finite", bars.not_finite) : ""));
  const auto size = text ("%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT " (x, y, z)", across.extent,
                          down.extent, depth);
  sheet.write (next_line (), Sheet::margin,
               size + Sheet::scale_text (shrink, times) +
                   (lines_each > 1 ? text (", values of 1 in %" G_GUINT64_FORMAT " lines", lines_each) : ""));
  return sheet;
}

} // namespace sino::files
