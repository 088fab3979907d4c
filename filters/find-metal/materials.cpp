// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-metal/materials.hpp"
#include <algorithm>
#include <cmath>

namespace sino::find_metal {

namespace {

// The value at which the sum of `weight (value, count, opposites)` over the bins reaches a share of the whole sum; 0 if
// all weights are 0.
template <class Weight> double quantile (const Histogram &histogram, double share, Weight weight)
{
  double all = 0, sum = 0, found = 0;
  histogram.walk ([&] (double value, double n, double opposites) { all += weight (value, n, opposites); });
  bool reached = all <= 0;
  histogram.walk ([&] (double value, double n, double opposites) {
    sum += weight (value, n, opposites);
    if (!reached && sum >= share * all) {
      found = value;
      reached = true;
    }
  });
  return found;
}

double object_of (const Histogram &values)
{
  // Noise around 0 has opposites.
  const auto excess = [] (double n, double opposites) { return std::max (n - opposites, 0.0); };
  const double third = quantile (values, 1.0 / 3, [excess] (double value, double n, double opposites) {
    return value > 0 ? value * excess (n, opposites) : 0;
  });
  return quantile (values, 0.5, [excess, third] (double value, double n, double opposites) {
    return value > 0.5 * third && value < 2 * third ? excess (n, opposites) : 0;
  });
}

double noise_of (const Histogram &steps)
{
  constexpr double three_quarters = 1.1503; // of a normal distribution's absolute values, in standard deviations
  return quantile (steps, 0.75, [] (double, double n, double) { return n; }) / (three_quarters * std::sqrt (2.0));
}

struct Mean {
  double value, count;
};

// Lloyd's algorithm in one dimension: classes of values, each of which is nearest to the mean of its class.
std::vector<Mean> means_of (const Histogram &values, double object, double metal, int classes)
{
  std::vector<Mean> means;
  for (int i = 0; i < classes; i++)
    means.push_back ({object * i, 0});
  constexpr int most_rounds = 100;
  for (int round = 0; round < most_rounds; round++) {
    std::vector<Mean> sums (means.size ());
    size_t at = 0;
    values.walk ([&] (double value, double n, double) {
      if (value < -object || value > metal)
        return;
      while (at + 1 < means.size () && value > 0.5 * (means[at].value + means[at + 1].value))
        at++;
      sums[at].value += value * n;
      sums[at].count += n;
    });
    double moved = 0;
    for (size_t i = 0; i < means.size (); i++) {
      const double mean = sums[i].count > 0 ? sums[i].value / sums[i].count : means[i].value;
      moved = std::max (moved, std::abs (mean - means[i].value));
      means[i] = {mean, sums[i].count};
    }
    if (moved <= 1e-6 * object)
      break;
  }
  return means;
}

// Joins classes that differ less than materials do, because they only divide noise and artefacts. Leaves out empty
// ones, and those that are a part of air.
std::vector<Mean> distinct (const std::vector<Mean> &means, double object)
{
  constexpr double least_ratio = 1.3, least_material = 0.25;
  std::vector<Mean> joined{{0, means[0].count}};
  for (size_t i = 1; i < means.size (); i++) {
    const auto &[value, count] = means[i];
    if (count == 0 || value < least_material * object)
      continue;
    auto &last = joined.back ();
    if (joined.size () > 1 && value < least_ratio * last.value) {
      const double both = last.count + count;
      last = {(last.value * last.count + value * count) / both, both};
    } else
      joined.push_back (means[i]);
  }
  return joined;
}

} // namespace

Materials find_materials (const Seen &seen, std::optional<double> threshold, int classes)
{
  Materials found;
  found.object = object_of (seen.values);
  if (threshold)
    found.metal = *threshold;
  else if (found.object > 0)
    found.metal = std::max (metal_times * found.object, found.object + noise_times * noise_of (seen.steps));
  const auto means = distinct (means_of (seen.values, found.object, found.metal, classes), found.object);
  for (size_t i = 0; i < means.size (); i++)
    found.classes.push_back (
        {i + 1 < means.size () ? 0.5 * (means[i].value + means[i + 1].value) : HUGE_VAL, means[i].value});
  return found;
}

} // namespace sino::find_metal
