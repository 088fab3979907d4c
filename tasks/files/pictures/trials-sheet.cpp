// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/pictures/trials-sheet.hpp"
#include "base/text.hpp"
#include "device/sharpness.hpp"
#include "stream/slice-trials.hpp"
#include "tasks/files/pictures/contrast.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

namespace {

constexpr int64_t frame = 4;
constexpr int64_t widest = 2400, least = 100,
                  most = 400; // pixels: largest width of all images side by side; smallest and largest size of one
constexpr int64_t widest_words = 60; // characters

// Means of shrink x shrink pixels; of fewer at the ends.
void shorten (const float *slice, int64_t lines, int64_t columns, int64_t shrink, float *to)
{
  for (int64_t top = 0; top < lines; top += shrink)
    for (int64_t left = 0; left < columns; left += shrink) {
      const auto bottom = std::min (top + shrink, lines), right = std::min (left + shrink, columns);
      double sum = 0;
      for (auto l = top; l < bottom; l++)
        for (auto c = left; c < right; c++)
          sum += static_cast<double> (slice[l * columns + c]);
      *to++ = static_cast<float> (sum / static_cast<double> ((bottom - top) * (right - left)));
    }
}

} // namespace

TrialsSheet::TrialsSheet (const Format &slices)
    : Picture (slices.element, slices.axes[0].extent), lines (slices.axes[1].extent), columns (slices.axes[2].extent),
      what (slice_trials (slices).what), compares (!slices.strengths)
{
  const auto all = slice_trials (slices);
  const auto &z = slices.axes[0];
  for (int64_t i = 0; i < z.extent; i++)
    trials.push_back (all.values[static_cast<size_t> (z.number (i))]);
  across = static_cast<int64_t> (std::ceil (std::sqrt (static_cast<double> (trials.size ()))));
  const auto longest = std::max (lines, columns), room = std::clamp (widest / across, least, most);
  shrink = divide_up (longest, room);
  small_lines = divide_up (lines, shrink);
  small_columns = divide_up (columns, shrink);
  times = std::max<int64_t> (room / longest, 1);
  int64_t words = 0;
  sharp.assign (trials.size (), 0);
  for (size_t i = 0; i < trials.size (); i++)
    words = std::max (words, Sheet::width (label (i)));
  cell_columns = std::max (small_columns * times + 2 * frame, words) + Sheet::margin;
  cell_lines =
      (compares ? 2 : 1) * (Sheet::letter_lines + Sheet::gap) + small_lines * times + 2 * frame + Sheet::margin;
}

void TrialsSheet::memory_of_worker (Bill &bill, int threads) const
{
  if (compares)
    add_bytes (bill, "lines of gradients", sharpness_scratch (columns), static_cast<size_t> (threads));
  if (conversion.needed ())
    add_bytes (bill, "a slice, converted", static_cast<size_t> (lines * columns) * sizeof (float));
}

void TrialsSheet::memory (Bill &bill) const
{
  add_bytes (bill, "small images", trials.size () * image_pixels () * sizeof (float));
  add_bytes (bill, "their values that count", trials.size () * image_pixels () * sizeof (float) + contrast_bytes);
  add_bytes (bill, "the picture, before and after compression",
             static_cast<size_t> (sheet_lines () * sheet_columns ()) * 8);
}

void TrialsSheet::begin ()
{
  images.resize (trials.size () * image_pixels ());
}

void TrialsSheet::add (int64_t place, const std::byte *slice, const Cpu &cpu)
{
  const auto n = static_cast<size_t> (lines * columns);
  std::vector<float> converted (conversion.needed () ? n : 0);
  if (conversion.needed ())
    conversion.apply (slice, n, reinterpret_cast<std::byte *> (converted.data ()));
  const auto *values = conversion.needed () ? converted.data () : reinterpret_cast<const float *> (slice);
  const auto at = static_cast<size_t> (place);
  if (compares)
    sharp[at] = slice_sharpness (values, lines, columns, cpu);
  shorten (values, lines, columns, shrink, &images[at * image_pixels ()]);
}

std::vector<float> TrialsSheet::image (size_t place) const
{
  const auto first = images.begin () + static_cast<std::ptrdiff_t> (place * image_pixels ());
  return {first, first + static_cast<std::ptrdiff_t> (image_pixels ())};
}

std::string TrialsSheet::label (size_t place) const
{
  return text ("%s %.6g", what, trials[place]);
}

int64_t TrialsSheet::sheet_columns () const
{
  return std::max (across * cell_columns, widest_words * Sheet::letter_columns) + Sheet::margin;
}

int64_t TrialsSheet::sheet_lines () const
{
  return Sheet::margin + down () * cell_lines + (compares ? 3 : 1) * (Sheet::letter_lines + Sheet::gap) + Sheet::margin;
}

std::string TrialsSheet::verdict () const
{
  const auto peak = peak_of (sharp);
  if (!(sharp[peak.place] > 0))
    return "no slice has anything in it";
  if (!peak.inside)
    return text ("best: %g, the %s one", trials[peak.place], peak.place == 0 ? "first" : "last");
  const double step = trials[1] - trials[0];
  return text ("best: %g, by a parabola %.6g", trials[peak.place], trials[peak.place] + peak.offset * step);
}

Sheet TrialsSheet::draw (std::optional<double> black, std::optional<double> white, int bits) const
{
  std::vector<float> counting;
  for (size_t i = 0; i < trials.size (); i++)
    add_counting (counting, image (i), small_lines, small_columns, true);
  const auto [low, high] = limits (contrast (counting), black, white);
  const auto best = peak_of (sharp).place;

  Sheet sheet (sheet_lines (), sheet_columns (), bits);
  for (size_t i = 0; i < trials.size (); i++) {
    const auto place = static_cast<int64_t> (i);
    const auto left = Sheet::margin + place % across * cell_columns;
    auto line = Sheet::margin + place / across * cell_lines;
    sheet.write (line, left, label (i));
    line += Sheet::letter_lines + Sheet::gap;
    if (compares) {
      sheet.write (line, left, text (i == best ? "%.4f best" : "%.4f", sharp[i]));
      line += Sheet::letter_lines + Sheet::gap;
    }
    if (compares && i == best)
      sheet.fill (line, left, small_lines * times + 2 * frame, small_columns * times + 2 * frame, 0);
    sheet.image (line + frame, left + frame, grey (image (i), low, high, bits), small_columns, times);
  }
  auto line = Sheet::margin + down () * cell_lines;
  const auto next = [&] (const std::string &words) {
    sheet.write (line, Sheet::margin, words);
    line += Sheet::letter_lines + Sheet::gap;
  };
  if (compares) {
    next ("below each axis: how sharp it is");
    next (verdict ());
  }
  next (text ("black %.5g, white %.5g", low, high) + Sheet::scale_text (shrink, times));
  return sheet;
}

} // namespace sino::files
