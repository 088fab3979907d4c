// SPDX-License-Identifier: LGPL-3.0-or-later
#include "files/scan.hpp"
#include "base/error.hpp"
#include "files/angles.hpp"
#include "files/companions.hpp"
#include "files/input.hpp"
#include "files/range.hpp"
#include <algorithm>

namespace sino::files {

namespace {

// The angles of all projections of the scan in degrees, before any range; empty when nothing tells them. Darks, flats
// and what is looked at only need none.
std::vector<double> find_angles (const Request &request, const Input &input, int64_t count)
{
  if (!request.angles.empty ())
    return parse_angles (request.angles, count);
  return theta (input, count);
}

// Those of the values, one per projection of the scan, that a range leaves; of no values, none.
std::vector<double> chosen (const std::vector<double> &values, const Range &range)
{
  std::vector<double> list (values.empty () ? 0 : static_cast<size_t> (range.count));
  for (size_t i = 0; i < list.size (); i++)
    list[i] = values[static_cast<size_t> (range.first) + i * static_cast<size_t> (range.step)];
  return list;
}

// The geometry of what the ranges leave.
std::shared_ptr<const Geometry> find_geometry (const Request &request, const Input &input, int64_t count,
                                               const Range &projections, const Range &columns)
{
  auto geometry = std::make_shared<Geometry> ();
  const auto degrees = find_angles (request, input, count);
  const auto stored = stored_geometry (input, count);
  geometry->angles = chosen (degrees, projections);
  std::transform (geometry->angles.begin (), geometry->angles.end (), geometry->angles.begin (), to_radians);
  geometry->axis = stored.axis.size () > 1 ? chosen (stored.axis, projections) : stored.axis;
  const auto step = static_cast<double> (columns.step);
  for (auto &axis : geometry->axis) // column i of the stream is centred where column first + i step was
    axis = (axis - 0.5 - static_cast<double> (columns.first)) / step + 0.5;
  if (stored.pixel_size)
    geometry->pixel_size = *stored.pixel_size * step;
  return geometry;
}

Dim dim (Axis axis, const Range &range)
{
  return {axis, range.count, range.first, range.step};
}

void refuse_for_slices (const Request &request)
{
  const std::pair<const char *, const std::string &> meaningless[] = {
      {"darks", request.darks},
      {"flats", request.flats},
      {"flats-after", request.flats_after},
      {"angles", request.angles},
      {"projections", request.projections},
  };
  for (const auto &[name, value] : meaningless)
    if (!value.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s makes no sense for axes=slices: leave it out", name, value.c_str ());
}

} // namespace

Scan open_scan (const Request &request)
{
  if (request.path.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "path is missing: set path= to an HDF5 or TIFF file, a folder or a pattern");
  const auto input = open_input (request.path, request.dataset, {"/exchange/data"});
  const auto &stack = *input.stack;
  Scan scan;
  scan.stack = input.stack;
  scan.files = stack.files ();
  const bool projections_first = request.axes == Kind::projections, slices = request.axes == Kind::slices;
  const auto angle_count = projections_first ? stack.pages : stack.lines,
             row_count = projections_first ? stack.lines : stack.pages;
  const auto rows = parse_range ("rows", request.rows, row_count, slices ? "slices" : "rows");
  const auto columns = parse_range ("columns", request.columns, stack.columns, "columns");

  if (slices) {
    refuse_for_slices (request);
    const Range y{0, 1, stack.lines};
    scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), y.numbers (), columns.numbers ()});
    scan.format = sino::slices (stack.element, dim (Axis::z, rows), dim (Axis::y, y), dim (Axis::x, columns));
    scan.format.geometry = std::make_shared<const Geometry> ();
    return scan;
  }
  const auto projections = parse_range ("projections", request.projections, angle_count, "projections");
  const auto angle = dim (Axis::angle, projections), row = dim (Axis::row, rows), column = dim (Axis::column, columns);
  if (projections_first) {
    scan.picks = std::make_shared<const Picks> (Picks{projections.numbers (), rows.numbers (), columns.numbers ()});
    scan.format = sino::projections (stack.element, angle, row, column);
  } else {
    scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), projections.numbers (), columns.numbers ()});
    scan.format = sinograms (stack.element, row, angle, column);
  }
  scan.format.geometry = find_geometry (request, input, angle_count, projections, columns);
  scan.format.companions = find_companions (request, input, {angle_count, row_count, stack.columns}, projections,
                                            rows.numbers (), columns.numbers (), scan.companions_resident, scan.files);
  return scan;
}

double Scan::bytes_read (const Rows &rows) const
{
  const auto &numbers = format.kind () == Kind::projections ? picks->lines : picks->pages;
  std::vector<int64_t> some;
  for (int64_t i = 0; i < rows.size (); i++)
    some.push_back (numbers[static_cast<size_t> (rows.at (i))]);
  if (format.kind () == Kind::projections)
    return stack->cost ({picks->pages, some, picks->columns});
  return stack->cost ({some, picks->lines, picks->columns});
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
