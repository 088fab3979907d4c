// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/stitch-360/border.hpp"
#include <algorithm>
#include <array>
#include <cmath>

namespace sino::stitch_360 {

namespace {

constexpr char sums_item[] = "sums of rows";
constexpr int64_t most_rows = 8, parts = 16; // parts: number of parts of the turn
constexpr double air = 0.05;                 // largest value that counts as air, as a share of the mean
constexpr double empty = 0.3; // rows with a smaller mean tell nothing; as a share of the greatest mean of a row

struct Sums {
  double all;
  std::array<double, parts> border, counts;
};

class BorderLooker final : public Worker
{
public:
  BorderLooker (const Replica &replica, bool l, Seen &s) : memory (replica.memory), left (l), seen (s) {}

  void run (std::span<Input *const> inputs, Output *) override
  {
    const auto piece = memory.take (sums_item);
    auto *const sums = piece.as<Sums> ();
    Rows rows;
    double values = 0;
    while (const Block in = inputs[0]->pop ()) {
      const auto known = rows.size ();
      rows = rows.cover (in.rows ());
      std::fill (sums + known, sums + rows.size (), Sums{});
      const auto columns = in.line (), angles = in.format ().angles ();
      values = static_cast<double> (angles * columns);
      for (int64_t r = 0; r < in.rows ().size (); r++)
        for (int64_t a = 0; a < in.angles ().size (); a++)
          add (in.as<float> () + in.offset (a, r), columns, in.angles ().at (a) * parts / angles,
               sums[rows.place (in.rows ().at (r))]);
    }
    const std::lock_guard guard (seen.mutex);
    for (int64_t r = 0; r < rows.size (); r++)
      seen.rows[rows.at (r)] = {sums[r].all / values, highest (sums[r])};
  }

private:
  Allotment &memory;
  const bool left;
  Seen &seen;

  void add (const float *row, int64_t columns, int64_t part, Sums &to) const
  {
    const auto wide = std::min (columns, std::max<int64_t> (columns / 64, 3));
    const auto *const border = left ? row : row + columns - wide;
    const auto sum = [] (const float *from, int64_t n) {
      double total = 0;
      for (int64_t c = 0; c < n; c++)
        total += static_cast<double> (from[c]);
      return total;
    };
    to.all += sum (row, columns);
    to.border[static_cast<size_t> (part)] += sum (border, wide);
    to.counts[static_cast<size_t> (part)] += static_cast<double> (wide);
  }

  // The largest mean at the border in any part of the turn. NaN is not air.
  static double highest (const Sums &sums)
  {
    double most = 0;
    for (size_t part = 0; part < parts; part++)
      if (sums.counts[part] > 0) {
        const double mean = std::abs (sums.border[part] / sums.counts[part]);
        most = mean <= most ? most : mean;
      }
    return most;
  }
};

} // namespace

bool Seen::object_ends_before () const
{
  double fullest = 0;
  for (const auto &[number, row] : rows)
    fullest = std::max (fullest, row.mean);
  return fullest > 0 && std::ranges::all_of (rows, [&] (const auto &entry) {
           return entry.second.border <= air * std::max (entry.second.mean, empty * fullest);
         });
}

std::vector<Rows> rows_to_look_at (int64_t all)
{
  if (all <= most_rows)
    return {{0, all}};
  std::vector<Rows> list;
  for (int64_t i = 0; i < most_rows; i++) {
    const auto row = (2 * i + 1) * all / (2 * most_rows);
    list.push_back ({row, row + 1});
  }
  return list;
}

std::unique_ptr<Worker> border_looker (const Replica &replica, bool left, Seen &seen)
{
  return std::make_unique<BorderLooker> (replica, left, seen);
}

void border_memory (const Sizing &sizing, Bill &bill)
{
  add_pages (bill, sums_item, static_cast<size_t> (std::max<int64_t> (sizing.input_rows, 1)) * sizeof (Sums));
}

} // namespace sino::stitch_360
