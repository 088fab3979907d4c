// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/objects/ellipsoid.hpp"
#include "base/angle.hpp"
#include <algorithm>
#include <cmath>

namespace sino::objects {

using Matrix = std::array<std::array<double, 3>, 3>;

// Columns are the directions of the half axes after the three turns: Rz (a) Rx (b) Rz (c).
static Matrix directions (const std::array<double, 3> &turns)
{
  const double ca = std::cos (radians (turns[0])), sa = std::sin (radians (turns[0]));
  const double cb = std::cos (radians (turns[1])), sb = std::sin (radians (turns[1]));
  const double cc = std::cos (radians (turns[2])), sc = std::sin (radians (turns[2]));
  return {{{ca * cc - sa * cb * sc, -ca * sc - sa * cb * cc, sa * sb},
           {sa * cc + ca * cb * sc, -sa * sc + ca * cb * cc, -ca * sb},
           {sb * sc, sb * cc, cb}}};
}

Body::Body (const Object &object, double half_width, double density, double height)
{
  for (const auto &e : object) {
    const Matrix r = directions (e.turns);
    Matrix m{};
    for (size_t i = 0; i < 3; i++)
      for (size_t j = 0; j < 3; j++)
        for (size_t k = 0; k < 3; k++)
          m[i][j] += r[i][k] * r[j][k] / (e.half_axes[k] * half_width) / (e.half_axes[k] * half_width);
    uniform_ = uniform_ && m[2][2] == 0 && m[0][2] == 0 && m[1][2] == 0;
    // y and z change sign: rows and slices count downward.
    quadrics.push_back ({e.centre[0] * half_width, -e.centre[1] * half_width, (height - e.centre[2]) * half_width,
                         m[0][0], m[1][1], m[2][2], -m[0][1], -m[0][2], m[1][2], e.value * density / half_width});
  }
}

// The indices i for which i + first is within `half` of `centre`.
static std::pair<int64_t, int64_t> covered (double centre, double half, double first, size_t size)
{
  const auto end = static_cast<double> (size);
  return {static_cast<int64_t> (std::clamp (std::ceil (centre - half - first), 0.0, end)),
          static_cast<int64_t> (std::clamp (std::floor (centre + half - first) + 1, 0.0, end))};
}

void Body::project (double theta, double z, double first, std::span<double> line) const
{
  const double c = std::cos (theta), s = std::sin (theta);
  for (const auto &q : quadrics) {
    // The quadric in the ray's frame: d = (s, c, 0) along the ray, e = (c, -s, 0) along the detector's rows, z.
    const double dd = q.xx * s * s + q.yy * c * c + 2 * q.xy * s * c;
    const double de = (q.xx - q.yy) * s * c + q.xy * (c * c - s * s);
    const double dz = q.xz * s + q.yz * c;
    // Its shadow on the detector: the minimum of the quadric along the ray.
    const double ee = q.xx * c * c + q.yy * s * s - 2 * q.xy * s * c - de * de / dd;
    const double ez = q.xz * c - q.yz * s - de * dz / dd;
    const double zz = q.zz - dz * dz / dd;
    const double below = z - q.z;
    const double room = 1 - (zz - ez * ez / ee) * below * below;
    if (room <= 0)
      continue;
    // In one row the shadow is an interval, and the chord length over it is half an ellipse.
    const double centre = q.x * c - q.y * s - ez / ee * below;
    const double half2 = room / ee;
    const double scale = 2 * q.value * std::sqrt (ee / dd);
    const auto [begin, end] = covered (centre, std::sqrt (half2), first, line.size ());
    for (auto u = begin; u < end; u++) {
      const double from = static_cast<double> (u) + first - centre;
      line[static_cast<size_t> (u)] += scale * std::sqrt (std::max (half2 - from * from, 0.0));
    }
  }
}

void Body::project (const View &view, double first, double v, std::span<double> line) const
{
  for (const auto &q : quadrics) {
    const auto times = [&] (const Vector &a, const Vector &b) {
      return q.xx * a.x * b.x + q.yy * a.y * b.y + q.zz * a.z * b.z + q.xy * (a.x * b.y + a.y * b.x) +
             q.xz * (a.x * b.z + a.z * b.x) + q.yz * (a.y * b.z + a.z * b.y);
    };
    const Vector centre{q.x, q.y, q.z};
    const auto start = view.corner + v * view.row;
    for (size_t u = 0; u < line.size (); u++) {
      // The ray is point + t way; it is inside where aa t^2 + 2 ab t + bb < 1.
      const auto pixel = start + (static_cast<double> (u) + first) * view.column;
      const auto way = view.parallel ? view.source : pixel - view.source;
      const auto point = (view.parallel ? pixel : view.source) - centre;
      const double aa = times (way, way), ab = times (way, point);
      const double room = ab * ab - aa * (times (point, point) - 1);
      if (room > 0)
        line[u] += 2 * q.value * std::sqrt (room * dot (way, way)) / aa;
    }
  }
}

void Body::sample (double y, double z, double first, double weight, std::span<double> line) const
{
  for (const auto &q : quadrics) {
    const double dy = y - q.y, dz = z - q.z;
    const double shift = (q.xy * dy + q.xz * dz) / q.xx;
    const double half2 = (1 - q.yy * dy * dy - q.zz * dz * dz - 2 * q.yz * dy * dz) / q.xx + shift * shift;
    if (half2 <= 0)
      continue;
    const auto [begin, end] = covered (q.x - shift, std::sqrt (half2), first, line.size ());
    for (auto i = begin; i < end; i++)
      line[static_cast<size_t> (i)] += weight * q.value;
  }
}

} // namespace sino::objects
