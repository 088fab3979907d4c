// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/align-projections/registration.hpp"
#include <algorithm>

namespace sino::align_projections {

size_t Registration::bytes (Size size)
{
  return Details::bytes (size) + 2 * static_cast<size_t> (size.rows + size.columns) * sizeof (double);
}

Registered Registration::find (const float *measured, const float *computed)
{
  for (auto *profiles : {&of_measured, &of_computed})
    std::ranges::fill (profiles->columns, 0.0);
  add_up (measured, computed, job.size, job.edge, of_measured, of_computed);
  Registered found;
  auto &[across, down] = found.displacement;
  const bool wants_columns = job.along != Along::rows, wants_rows = job.along != Along::columns;
  const auto centres = between_centres (of_measured.columns, of_computed.columns);
  found.in_view = centres.has_value ();
  across = {centres.value_or (0), found.in_view};
  // Another projection of a cone beam sees other slices above and below.
  const bool rows_by_mass =
      job.parallel || (found.in_view && between_centres (of_measured.rows, of_computed.rows).has_value ());
  down = match (of_measured.rows, of_computed.rows, job.most);
  if ((wants_columns && !found.in_view) || (wants_rows && !rows_by_mass)) {
    const auto seen = details.match (measured, computed, found.displacement);
    if (!found.in_view)
      across = seen.columns;
    if (!rows_by_mass)
      down = seen.rows;
  }
  for (auto *axis : {&across, &down}) {
    axis->sure = axis->sure && std::abs (axis->shift) <= job.most;
    if (!axis->sure)
      axis->shift = 0;
  }
  if (!wants_columns)
    across = {0, true};
  if (!wants_rows)
    down = {0, true};
  return found;
}

Displacement Registration::compare (const float *measured, const float *other, bool mirrored)
{
  for (auto *profiles : {&of_measured, &of_computed})
    std::ranges::fill (profiles->columns, 0.0);
  add_up (measured, other, job.size, 0, of_measured, of_computed);
  if (mirrored)
    std::ranges::reverse (of_measured.columns);
  const Displacement begin{match (of_measured.columns, of_computed.columns, job.most),
                           match (of_measured.rows, of_computed.rows, job.most)};
  return details.match (measured, other, begin, mirrored);
}

} // namespace sino::align_projections
