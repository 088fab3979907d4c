// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/volumes/value-range.hpp"
#include "base/error.hpp"
#include "tasks/files/convert.hpp"
#include <cmath>

namespace sino::files {

namespace {

constexpr int64_t most_rows = 7; // odd, so that one of them is in the middle

// A decimal number near `value`, which is a multiple of `step`.
double decimal (double value)
{
  double number = value;
  parse_number (text ("%.10g", value), number);
  return number;
}

} // namespace

void SeenValues::add (const float *values, int64_t n, bool zeros)
{
  const std::lock_guard guard (mutex);
  if (!histogram)
    histogram.emplace ();
  if (zeros)
    histogram->count (values, n);
  else
    histogram->count_all_but_zeros (values, n);
  for (int64_t i = 0; i < n; i++)
    if (std::isfinite (values[i]) && (zeros || values[i] != 0)) {
      least = std::min (least, values[i]);
      greatest = std::max (greatest, values[i]);
    }
}

std::optional<std::pair<double, double>> SeenValues::range (Element file) const
{
  if (!(least <= greatest))
    return {};
  const auto min = static_cast<double> (least), max = static_cast<double> (greatest);
  double low = std::clamp (histogram->quantile (0.001), min, max),
         high = std::clamp (histogram->quantile (0.999), min, max);
  if (file == Element::u16) {
    const double usual = high - low;
    low = std::max (min, low - usual);
    high = std::min (max, high + 3 * usual);
    const double more = 0.25 * (high - low);
    low -= more;
    high += more;
  }
  const double width = std::max ({high - low, 1e-6 * std::max (std::abs (low), std::abs (high)), 1e-30});
  const double step = std::pow (10, std::floor (std::log10 (width)) - 2);
  low = std::floor (low / step) * step;
  return std::pair (decimal (low), decimal (std::max (std::ceil (high / step) * step, low + step)));
}

namespace {

// Single rows, evenly spread over a stream.
std::vector<Rows> rows_to_see (int64_t rows)
{
  const auto number = std::min (rows, most_rows);
  std::vector<Rows> list;
  for (int64_t i = 0; i < number; i++) {
    const auto row = (2 * i + 1) * rows / (2 * number);
    list.push_back ({row, row + 1});
  }
  return list;
}

// Adds the values of a few rows. In slices, exact zeros were not reconstructed and do not count.
class ValueLooker final : public Worker
{
public:
  ValueLooker (const Replica &replica, SeenValues &to) : seen (to), monitor (replica.monitor) {}

  void run (std::span<Input *const> inputs, Output *) override
  {
    while (const Block in = inputs[0]->pop ()) {
      const Conversion conversion (in.format ().element, Element::f32, {});
      const bool zeros = in.format ().kind () != Kind::slices;
      const auto line = in.format ().axes[2].extent, size = static_cast<int64_t> (size_of (in.format ().element));
      std::vector<float> converted (conversion.needed () ? static_cast<size_t> (line) : 0);
      for (int64_t at = 0; at < in.values (); at += line) {
        monitor.check ();
        if (conversion.needed ())
          conversion.apply (in.data () + at * size, converted.size (),
                            reinterpret_cast<std::byte *> (converted.data ()));
        seen.add (conversion.needed () ? converted.data () : in.as<float> () + at, line, zeros);
      }
    }
  }

private:
  SeenValues &seen;
  Monitor &monitor;
};

} // namespace

std::vector<Rows> FindsRange::survey (const Format &in) const
{
  return finding && !seen->taken ? rows_to_see (in.rows ()) : std::vector<Rows> ();
}

std::unique_ptr<Worker> FindsRange::look (const Replica &replica)
{
  seen->taken = true;
  return std::make_unique<ValueLooker> (replica, *seen);
}

void FindsRange::survey_memory (const Sizing &, Bill &bill) const
{
  add_bytes (bill, "counts of values", Histogram::bytes);
  add_bytes (bill, "a converted line", static_cast<size_t> (line) * sizeof (float));
}

void FindsRange::miss (const std::string &why)
{
  seen->taken = true;
  seen->missed = why;
}

std::optional<std::pair<double, double>> FindsRange::range_of (const std::string &word, const Format &from, Element to)
{
  finding = word.empty () && is_float (from.element) && !is_float (to);
  line = from.axes[2].extent;
  if (!finding)
    return mapped_range (word, to);
  if (!seen->taken)
    return {};
  const auto found = seen->range (to);
  if (!found)
    fail (SINO_ERROR_BAD_PROPERTY, "type=%s needs to know which values become 0 and %d, but %s: set range=min:max",
          name_of (to), greatest_integer (to),
          seen->missed.empty () ? "the examined rows hold only zeros, NaN or infinite values" : seen->missed.c_str ());
  return found;
}

void FindsRange::check_surveyed () const
{
  if (finding && !seen->taken)
    fail (SINO_ERROR_BAD_PROPERTY, "range= is missing, and no survey of the values was made: set range=min:max");
}

} // namespace sino::files
