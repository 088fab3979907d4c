// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/dynamic-flats/samples.hpp"
#include "kernels/flat-field/correct.hpp"

namespace sino::dynamic_flats {

static constexpr int64_t most_bins = 64, bands_wanted = 4, band_rows = 32;

Samples::Samples (const Format &projections)
    : columns (projections.line ()), angles (projections.angles ()), bin (divide_up (columns, most_bins))
{
  const auto all = projections.rows ();
  if (all <= bands_wanted * band_rows)
    rows = {{0, all}};
  else
    for (int64_t i = 0; i < bands_wanted; i++) {
      const auto first = (all - band_rows) * (2 * i + 1) / (2 * bands_wanted);
      rows.push_back ({first, first + band_rows});
    }
}

size_t Samples::values () const
{
  int64_t seen = 0;
  for (const auto &band : rows)
    seen += band.size ();
  return static_cast<size_t> (seen * angles * bins ());
}

size_t Samples::place (int64_t row, int64_t projection) const
{
  int64_t before = 0;
  for (const auto &band : rows) {
    if (band.place (row) >= 0)
      return static_cast<size_t> (((before + band.place (row)) * angles + projection) * bins ());
    before += band.size ();
  }
  return 0;
}

void Samples::binned (const float *values, float *to) const
{
  for (int64_t first = 0; first < columns; first += bin) {
    double sum = 0;
    for (auto column = first; column < std::min (first + bin, columns); column++)
      sum += static_cast<double> (values[column]);
    *to++ = static_cast<float> (sum);
  }
}

void Samples::add (const Block &block)
{
  std::vector<float> values (static_cast<size_t> (columns));
  const auto element = block.format ().element;
  for (int64_t r = 0; r < block.rows ().size (); r++)
    for (int64_t a = 0; a < block.angles ().size (); a++) {
      const auto at = static_cast<size_t> (block.offset (a, r)) * size_of (element);
      flat_field::widen (element, block.data () + at, columns, values.data ());
      binned (values.data (), &sums[place (block.rows ().at (r), block.angles ().at (a))]);
    }
}

} // namespace sino::dynamic_flats
