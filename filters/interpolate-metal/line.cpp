// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/interpolate-metal/line.hpp"
#include <algorithm>
#include <cmath>

namespace sino::interpolate_metal {

void Trace::find (const Line &line, int64_t margin)
{
  found.clear ();
  constexpr float least = 1e-3F;
  float most = 0;
  for (int64_t i = 0; i < line.rays; i++)
    if (std::isfinite (line.data[i]))
      most = std::max (most, line.data[i]);
  for (int64_t i = 0; i < line.rays; i++) {
    if (!(line.metal[i] > least * most) || !(line.metal[i] > 0))
      continue;
    const auto begin = std::max<int64_t> (i - margin, 0), end = std::min (i + margin + 1, line.rays);
    if (!found.empty () && begin <= found.back ().end)
      found.back ().end = end;
    else
      found.push_back ({begin, end});
  }
}

int64_t Trace::rays () const
{
  int64_t sum = 0;
  for (const auto &gap : found)
    sum += gap.end - gap.begin;
  return sum;
}

namespace {

double prior_at (const Line &line, int64_t ray)
{
  return line.prior ? static_cast<double> (line.prior[ray]) : 0;
}

// How the prior becomes the measurement at a ray.
struct Fit {
  double ratio, rest;
};

Fit fit (const Line &line, double shift, int64_t ray)
{
  const double p = static_cast<double> (line.data[ray]) + shift, q = prior_at (line, ray) + shift;
  const double ratio = q > 0 ? std::clamp (p / q, 0.5, 2.0) : 1;
  return {ratio, p - ratio * q};
}

} // namespace

void interpolate (const Line &line, const Trace &trace, float *out)
{
  std::copy_n (line.data, line.rays, out);
  double most = 0;
  for (int64_t i = 0; i < line.rays; i++)
    most = std::max (most, prior_at (line, i));
  const double shift = 0.1 * most;
  for (const auto &[begin, end] : trace.gaps ()) {
    const bool left = begin > 0, right = end < line.rays;
    const auto before = fit (line, shift, left ? begin - 1 : end), after = fit (line, shift, right ? end : begin - 1);
    for (auto i = begin; i < end; i++) {
      const double t = static_cast<double> (i - begin + 1) / static_cast<double> (end - begin + 1);
      const double ratio = before.ratio + (after.ratio - before.ratio) * t,
                   rest = before.rest + (after.rest - before.rest) * t;
      out[i] = static_cast<float> ((prior_at (line, i) + shift) * ratio - shift + rest);
    }
  }
}

void add_metal (const Line &line, const Trace &trace, float *out)
{
  const auto metal = [&line] (int64_t i) { return i < 0 || i >= line.rays ? 0 : line.metal[i]; };
  for (const auto &[begin, end] : trace.gaps ())
    for (auto i = begin; i < end; i++)
      out[i] += 0.25F * metal (i - 1) + 0.5F * metal (i) + 0.25F * metal (i + 1);
}

} // namespace sino::interpolate_metal
