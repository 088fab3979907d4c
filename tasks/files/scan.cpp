// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan.hpp"

namespace sino::files {

double Scan::bytes_read (const Rows &rows) const
{
  const bool lines = format.kind () == Kind::projections;
  const auto &numbers = lines ? picks->lines : picks->pages;
  std::vector<int64_t> some;
  for (int64_t i = 0; i < rows.size (); i++)
    some.push_back (numbers[static_cast<size_t> (rows.at (i))]);
  return row_cost * stack->cost_along (lines ? 1 : 0, some);
}

size_t Scan::scratch (int threads, int64_t item_rows) const
{
  const auto lines = format.kind () == Kind::projections ? item_rows : std::ssize (picks->lines);
  return stack->scratch (threads) + Reader::held (*stack, *picks, lines);
}

size_t Scan::resident () const
{
  return stack->resident () + companions_resident +
         (format.geometry->angles.size () + format.geometry->axis.size ()) * sizeof (double) +
         (picks->pages.size () + picks->lines.size () + picks->columns.size ()) * sizeof (int64_t);
}

} // namespace sino::files
