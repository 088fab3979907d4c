// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/beam-hardening/looker.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "filters/beam-hardening/curve.hpp"
#include <algorithm>
#include <cmath>

namespace sino::beam_hardening {

namespace {

constexpr double least_cupping = 0.005, most_unevenness = 0.05, most_cut = 0.02, most_left = 0.02;

// Sums of the powers of a row's values in bins: [power][projection][bin].
class Bins
{
public:
  explicit Bins (const RoughScan &s) : scan (s), values (powers * static_cast<size_t> (s.projections () * s.bins ())) {}

  // Adds columns of one projection, `step` values apart.
  void take (int64_t place, const float *line, int64_t step)
  {
    const auto width = scan.width ();
    for (int64_t bin = 0; bin < scan.bins (); bin++) {
      std::array<float, powers> sums{};
      for (int64_t c = bin * width; c < (bin + 1) * width; c++) {
        const float value = line[c * step];
        float power = value / static_cast<float> (width);
        sums[0] += power;
        for (size_t k = 1; k < powers; k++)
          sums[k] += power *= std::max (value, 0.0F);
      }
      for (size_t k = 0; k < powers; k++)
        of (k)[place * scan.bins () + bin] = sums[k];
    }
  }

  SeenRow seen (const Cpu &cpu, const Monitor &monitor)
  {
    SeenRow row;
    for (auto &value : values)
      if (!std::isfinite (value))
        value = 0;
    row.flatness = look_at (scan.slices (values.data (), cpu, monitor), scan.size ());
    std::vector<float> sorted (of (0), of (0) + scan.projections () * scan.bins ());
    const auto top = sorted.begin () + static_cast<std::ptrdiff_t> (0.999 * static_cast<double> (sorted.size () - 1));
    std::ranges::nth_element (sorted, top);
    row.highest = static_cast<double> (*top);
    return row;
  }

private:
  const RoughScan &scan;
  std::vector<float> values;

  float *of (size_t power) { return values.data () + power * values.size () / powers; }
};

std::string words_of (const std::vector<double> &coefficients)
{
  return join (coefficients, ",", [] (double c) { return text ("%.6g", c); });
}

// Coefficients of the polynomial: the most powers whose curve rises.
std::vector<double> fit (const Flatness &all, double highest)
{
  for (auto number = powers; number > 1; number--) {
    auto found = all.solve (number);
    if (found.empty ())
      continue;
    for (auto &coefficient : found) // as the message has them
      parse_number (text ("%.6g", coefficient), coefficient);
    try {
      check_rises (found, highest, {});
      return found;
    } catch (const Error &) { // fewer powers are steadier
    }
  }
  return {};
}

} // namespace

void Looker::run (std::span<Input *const> inputs, Output *)
{
  std::map<int64_t, Bins> some;
  while (const Block in = inputs[0]->pop ())
    for (const auto row : scan.rows ()) {
      const auto local = in.rows ().place (row);
      if (local < 0)
        continue;
      auto &bins = some.try_emplace (row, scan).first->second;
      for (int64_t a = 0; a < in.angles ().size (); a++)
        if (const auto place = scan.place (in.angles ().begin + a); place >= 0)
          bins.take (place, in.as<float> () + in.offset (a, local), in.lanes ());
    }
  for (auto &[row, bins] : some) {
    auto seen = bins.seen (cpu, monitor);
    const std::lock_guard guard (findings.mutex);
    findings.rows[row] = std::move (seen);
  }
}

void Looker::memory (const RoughScan &scan, const Sizing &sizing, Bill &bill)
{
  const auto bins = static_cast<size_t> (scan.projections () * scan.bins ()) * sizeof (float);
  const auto rows = static_cast<size_t> (std::clamp<int64_t> (sizing.input_rows, 1, std::ssize (scan.rows ())));
  const auto masks = static_cast<size_t> (scan.size () * scan.size ()) * 4 * sizeof (float);
  add_bytes (bill, "bins of examined rows", powers * bins, rows);
  add_bytes (bill, "coarse slices", scan.bytes (sizing.threads) + bins + masks);
}

Found correction_of (const Findings &findings, const std::string &why)
{
  Found found;
  Flatness all;
  for (const auto &[row, seen] : findings.rows)
    if (seen.flatness.pixels > 0) {
      all.add (seen.flatness);
      found.highest = std::max (found.highest, seen.highest);
    }
  const auto none = [&] (const std::string &reason) {
    found.coefficients = {1};
    found.said = "values stay as they are, because " + reason + ": give coefficients=, material= or wedge=";
    found.doubt = found.said;
    return found;
  };
  if (!why.empty ())
    return none (why);
  if (all.pixels == 0)
    return none ("the examined rows show too little of an object");
  parse_number (text ("%.6g", found.highest), found.highest);
  const bool cut = all.outside > most_cut * all.pixels;
  auto coefficients = fit (all, found.highest);
  if (coefficients.empty ())
    return none (cut ? "the object extends beyond the field of view"
                     : "no curve makes the object flat, so that it may have several materials");
  const std::vector<double> before{1};
  const double cupping = all.cupping (before), left = all.cupping (coefficients),
               uneven = all.unevenness (coefficients);
  found.coefficients = std::move (coefficients);
  found.said =
      text ("the middle of the object is %.1f %% %s than its rim, and %.1f %% after the correction (%zu rows): "
            "coefficients=%s highest=%.6g",
            100 * std::abs (cupping), cupping >= 0 ? "darker" : "brighter", 100 * std::abs (left),
            findings.rows.size (), words_of (found.coefficients).c_str (), found.highest);
  std::vector<std::string> doubts;
  if (uneven > most_unevenness)
    doubts.push_back (
        text ("values within the object differ by %.1f %%, so it may have several materials", 100 * uneven));
  if (cut)
    doubts.emplace_back ("the object extends beyond the field of view");
  if (std::abs (left) > most_left)
    doubts.emplace_back ("cupping is left");
  if (cupping < -least_cupping)
    doubts.emplace_back ("the middle was brighter than the rim before, which beam hardening does not do");
  if (!doubts.empty ())
    found.doubt = found.said + "; this is in doubt, because " + join (doubts, ", and ");
  return found;
}

} // namespace sino::beam_hardening
