// SPDX-License-Identifier: LGPL-3.0-or-later
// What nodes of a simulated cluster have together.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace sino::cli {

constexpr double never = std::numeric_limits<double>::infinity ();

// Serves one after the other, in the order in which they ask.
class OneServer
{
public:
  explicit OneServer (double rate) : each (1 / rate) {}

  double served (double now, double operations)
  {
    busy_until = std::max (busy_until, now) + operations * each;
    return busy_until;
  }

private:
  const double each;
  double busy_until = 0;
};

// Transfers under way share the bandwidth evenly, and none gets more than a node can have. All have got the same since
// any moment, so the next one that ends is that which ends at the lowest level.
class SharedBandwidth
{
public:
  SharedBandwidth (double a, double o) : all (a), one (o) {}

  void begin (double now, size_t node, double bytes)
  {
    if (!under_way.empty ())
      level += rate () * (now - last);
    last = now;
    under_way.emplace (level + bytes, node);
  }

  double next_end () const
  {
    return under_way.empty () ? never : last + std::max ((under_way.top ().first - level) / rate (), 0.0);
  }

  size_t end ()
  {
    last = next_end ();
    const auto [reached, node] = under_way.top ();
    level = reached;
    under_way.pop ();
    return node;
  }

private:
  using Transfer = std::pair<double, size_t>; // the level at which it ends, and whose it is
  const double all, one;
  double level = 0, last = 0;
  std::priority_queue<Transfer, std::vector<Transfer>, std::greater<>> under_way;

  double rate () const { return std::min (one, all / static_cast<double> (under_way.size ())); }
};

} // namespace sino::cli
