// SPDX-License-Identifier: LGPL-3.0-or-later
#include "pass/samples.hpp"
#include <algorithm>
#include <cmath>
#include <limits>

namespace sino {

Samples::Samples (int64_t number, int64_t slices)
{
  number = std::min (number, slices);
  for (int64_t i = 0; i < number; i++)
    rows.push_back ((2 * i + 1) * slices / (2 * number));
}

void Samples::leave_out (Rows finished)
{
  std::erase_if (rows, [finished] (int64_t row) { return finished.place (row) >= 0; });
}

void Samples::leave_out_others ()
{
  std::erase_if (rows, [this] (int64_t row) { return !kept.contains (row); });
}

void Samples::take (const Block &block)
{
  for (const auto row : rows)
    if (const auto place = block.rows ().place (row); place >= 0) {
      const auto *from = block.as<float> () + block.offset (0, place);
      const std::lock_guard guard (mutex);
      kept[row].assign (from, from + block.line ());
    }
}

std::pair<double, int64_t> Samples::worst (const Samples &other) const
{
  double largest = 0;
  for (const auto *each : {this, &other})
    for (const auto &[row, values] : each->kept)
      for (const float value : values)
        if (std::isfinite (value))
          largest = std::max (largest, std::abs (static_cast<double> (value)));
  std::pair<double, int64_t> found{0, rows.front ()};
  for (const auto row : rows) {
    const auto one = kept.find (row), two = other.kept.find (row);
    if (one == kept.end () || two == other.kept.end () || one->second.size () != two->second.size ())
      return {1, row};
    for (size_t i = 0; i < one->second.size (); i++) {
      const double a = one->second[i], b = two->second[i];
      const bool same = a == b || (std::isnan (a) && std::isnan (b));
      const double part = same ? 0 : std::abs (a - b) / std::max (largest, std::numeric_limits<double>::min ());
      if (!(part <= found.first)) // also true if one value is NaN
        found = {std::isfinite (part) ? part : 1, row};
    }
  }
  return found;
}

} // namespace sino
