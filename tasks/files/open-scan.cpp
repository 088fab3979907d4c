// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/open-scan.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "tasks/files/angles.hpp"
#include "tasks/files/companions.hpp"
#include "tasks/files/input.hpp"
#include "tasks/files/range.hpp"
#include <algorithm>

namespace sino::files {

namespace {

// The angles of all projections of the scan in degrees, before any range; empty when nothing tells them. Darks, flats
// and what is looked at only need none.
std::vector<double> find_angles (const Request &request, const Input &input, int64_t count)
{
  if (!request.angles.empty ())
    return parse_angles (request.angles, count);
  return theta (*input.file, count);
}

// Those of the values, one per projection of the scan, that are wanted; of no values, none.
std::vector<double> chosen (const std::vector<double> &values, Numbers projections)
{
  std::vector<double> list;
  if (!values.empty ())
    for (const auto number : projections)
      list.push_back (values[static_cast<size_t> (number)]);
  return list;
}

// The geometry of what the ranges leave.
std::shared_ptr<const Geometry> find_geometry (const Request &request, const Input &input, int64_t count,
                                               Numbers projections, const Range &columns)
{
  auto geometry = std::make_shared<Geometry> ();
  const auto degrees = find_angles (request, input, count);
  const auto stored = stored_geometry (*input.file, count);
  geometry->angles = chosen (degrees, projections);
  std::transform (geometry->angles.begin (), geometry->angles.end (), geometry->angles.begin (), radians);
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

// A file that is missing shifts the pages behind it, unless nothing depends on their numbers.
void refuse_gaps (const Request &request, const Input &input)
{
  const bool projections = request.axes == Kind::projections;
  if (projections && !is_sweep (request.angles))
    return;
  const auto n = input.gaps.places.size ();
  const auto more = n > 1 ? text (" and %zu more of the sequence are", n - 1) : std::string (" is");
  fail (SINO_ERROR_BAD_FILE, "'%s'%s missing, which would shift the %s: set %s", input.gaps.first.c_str (),
        more.c_str (),
        projections                    ? "angles of those behind"
        : request.axes == Kind::slices ? "slices behind"
                                       : "rows behind",
        projections ? "missing=skip to go on without, or angles= to a text file with the angles of those that are there"
                    : "missing=zero to have zeros in its place, or missing=skip to have those behind move up");
}

// Deals with files that are missing as it was asked for; notes what was done. Gives back whether projections are left
// out.
bool mend_gaps (const Request &request, Input &input, std::vector<std::string> &notes)
{
  const auto &gaps = input.gaps;
  if (gaps.places.empty ())
    return false;
  const auto n = std::ssize (gaps.places);
  const auto told = text ("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " files %s missing, the first is '%s': ", n,
                          n + gaps.files, n == 1 ? "is" : "are", gaps.first.c_str ());
  if (request.missing == Missing::fail) {
    if (n <= gaps.files)
      refuse_gaps (request, input);
    else // whatever the numbers of their names mean
      notes.push_back (told + "those that are there are taken as they follow each other");
    return false;
  }
  if (request.missing == Missing::skip && request.axes != Kind::projections) {
    notes.push_back (told + "left out, and those behind move up");
    return false;
  }
  if (gaps.files != input.stack->pages)
    fail (SINO_ERROR_BAD_FILE,
          "'%s' is missing, and the files beside it hold several pages: missing=%s works for files of one page",
          gaps.first.c_str (), request.missing == Missing::skip ? "skip" : "zero");
  if (request.missing == Missing::skip) {
    notes.push_back (told + "left out, with the angles");
    return true;
  }
  notes.push_back (told + "zeros in the place");
  input.stack = fill_gaps (input.stack, gaps);
  return false;
}

} // namespace

static double row_cost (const Stack &stack, const Picks &picks, Kind kind)
{
  const auto others = kind == Kind::projections ? stack.cost_along (0, picks.pages) : stack.cost_along (1, picks.lines);
  return others * stack.cost_along (2, picks.columns) * static_cast<double> (pixel (stack));
}

Scan open_scan (const Request &request)
{
  if (request.path.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "path is missing: set path= to an HDF5 or TIFF file, a folder or a pattern");
  Scan scan;
  auto input = open_input (request.path, request.dataset, "data", request.missing, scan.messages);
  const bool leaves_out = mend_gaps (request, input, scan.messages);
  const auto &stack = *input.stack;
  scan.stack = input.stack;
  scan.files = stack.files ();
  scan.random_access = input.format->random_access;
  const bool projections_first = request.axes == Kind::projections, slices = request.axes == Kind::slices;
  const auto left_out = leaves_out ? std::ssize (input.gaps.places) : 0; // all other numbers are of the complete scan
  const auto angle_count = projections_first ? stack.pages + left_out : stack.lines,
             row_count = projections_first ? stack.lines : stack.pages;
  const auto rows = parse_range ("rows", request.rows, row_count, slices ? "slices" : "rows");
  const auto columns = parse_range ("columns", request.columns, stack.columns, "columns");

  if (slices) {
    refuse_for_slices (request);
    const Range y{0, 1, stack.lines};
    scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), y.numbers (), columns.numbers ()});
    scan.format = sino::slices (stack.element, dim (Axis::z, rows), dim (Axis::y, y), dim (Axis::x, columns));
    scan.format.geometry = std::make_shared<const Geometry> ();
    scan.row_cost = row_cost (stack, *scan.picks, Kind::slices);
    return scan;
  }
  const auto projections = parse_range ("projections", request.projections, angle_count, "projections");
  const auto row = dim (Axis::row, rows), column = dim (Axis::column, columns);
  auto angle = dim (Axis::angle, projections);
  auto numbers = projections.numbers ();
  if (projections_first) {
    auto pages = numbers;
    if (leaves_out) {
      numbers = leave_out (numbers, input.gaps);
      if (numbers.empty ())
        fail (SINO_ERROR_BAD_FILE, "projections=%s holds only files that are missing, the first is '%s'",
              request.projections.c_str (), input.gaps.first.c_str ());
      if (numbers.size () < pages.size ())
        angle = {Axis::angle, std::ssize (numbers), 0, 1}; // their numbers follow no step
      pages = places_of (numbers, input.gaps);
    }
    scan.picks = std::make_shared<const Picks> (Picks{pages, rows.numbers (), columns.numbers ()});
    scan.format = sino::projections (stack.element, angle, row, column);
  } else {
    scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), numbers, columns.numbers ()});
    scan.format = sinograms (stack.element, row, angle, column);
  }
  scan.row_cost = row_cost (stack, *scan.picks, scan.format.kind ());
  scan.format.geometry = find_geometry (request, input, angle_count, numbers, columns);
  const ScanPart part{angle_count, row_count, stack.columns, projections, rows.numbers (), columns.numbers ()};
  scan.format.companions = find_companions (request, input, part, scan);
  return scan;
}

} // namespace sino::files
