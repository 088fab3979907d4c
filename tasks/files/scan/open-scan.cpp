// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/open-scan.hpp"
#include "base/angle.hpp"
#include "base/error.hpp"
#include "formats/stated-scan.hpp"
#include "tasks/files/hdf5/nxtomo.hpp"
#include "tasks/files/scan/adapted.hpp"
#include "tasks/files/scan/angles.hpp"
#include "tasks/files/scan/companions.hpp"
#include "tasks/files/scan/input.hpp"
#include "tasks/files/scan/meaning.hpp"
#include "tasks/files/scan/range.hpp"
#include "tasks/files/scan/stored-geometry.hpp"
#include "tasks/files/scan/stored-values.hpp"
#include "tasks/files/scan/unwritten.hpp"
#include <algorithm>
#include <cmath>

namespace sino::files {

namespace {

// The geometry of the whole scan, from the properties or otherwise from beside the images. Angles, in radians, are
// empty if unknown: darks, flats and images that are only viewed need none.
Geometry whole_geometry (const Request &request, const Input &input, const FrameKeys *keys, int64_t projections,
                         const Range &some, int64_t rows, int64_t columns, std::vector<std::string> &messages)
{
  const auto *const stated = input.file->stated ();
  if (stated && !stated->refused.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s", stated->refused.c_str ());
  const Replaced replaced{!request.angles.empty (), !request.beam.geometry.empty () || request.beam.source_origin > 0,
                          !request.axis.empty ()};
  auto geometry = stored_geometry (*input.file, projections, keys, rows, columns, replaced, messages);
  if (!request.angles.empty () && !request.beam.geometry.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "geometry=%s already gives the angles: leave angles= out",
          request.beam.geometry.c_str ());
  if (!request.angles.empty () && !geometry.views.empty () && request.beam.plain ())
    fail (SINO_ERROR_BAD_PROPERTY,
          "angles=%s: %s gives the positions of source and detector for each projection: leave angles= out, or set "
          "source-origin= as well",
          request.angles.c_str (), input.file->title ().c_str ());
  const auto degrees = !request.angles.empty ()         ? parse_angles (request.angles, projections, some, messages)
                       : request.beam.geometry.empty () ? theta (*input.file, projections, keys, messages)
                                                        : std::vector<double> ();
  const auto lack = [&] (size_t there) { return there > 0 && there < static_cast<size_t> (projections); };
  if (request.growing && (lack (degrees.size ()) || lack (geometry.views.size ()) ||
                          (geometry.axis.size () > 1 && lack (geometry.axis.size ()))))
    fail (SINO_ERROR_BAD_FILE, "%s does not have the angles of all %" G_GINT64_FORMAT " projections yet",
          input.file->title ().c_str (), projections);
  if (!degrees.empty () || geometry.views.empty ())
    geometry.angles.assign (degrees.size (), 0);
  std::transform (degrees.begin (), degrees.end (), geometry.angles.begin (), radians);
  if (geometry.angles.empty () && !geometry.views.empty ())
    geometry.angles = angles_of (geometry.views);
  if (!request.beam.geometry.empty ())
    geometry.axis.clear (); // with a geometry file, only a property can set the axis
  if (!request.axis.empty ()) {
    double column = 0;
    if (!parse_number (request.axis, column) || !(std::abs (column) <= largest_number))
      fail (SINO_ERROR_BAD_PROPERTY, "axis must be a detector column, not '%s'", request.axis.c_str ());
    if (!geometry.views.empty () && request.beam.plain ())
      fail (SINO_ERROR_BAD_PROPERTY,
            "axis=%s: %s gives the positions of source and detector for each projection: leave axis= out, or set "
            "source-origin= as well",
            request.axis.c_str (), input.file->title ().c_str ());
    geometry.axis = {column};
  }
  const bool known = !request.beam.plain () && is_nxtomo (*input.file);
  request.beam.complete (geometry, columns, rows, projections,
                         stated  ? *stated
                         : known ? nxtomo_detector (*input.file, messages)
                                 : StatedScan{});
  return geometry;
}

// The values of the wanted projections; `values` has one per projection of the scan, or is empty.
template <class Value> std::vector<Value> chosen (const std::vector<Value> &values, Numbers projections)
{
  std::vector<Value> list;
  if (!values.empty ())
    for (const auto number : projections)
      list.push_back (values[static_cast<size_t> (number)]);
  return list;
}

// The geometry of the part that the ranges select.
std::shared_ptr<const Geometry> part_of (const Geometry &whole, Numbers projections, const Range &rows,
                                         const Range &columns)
{
  auto geometry = std::make_shared<Geometry> ();
  geometry->angles = chosen (whole.angles, projections);
  geometry->axis = whole.axis.size () > 1 ? chosen (whole.axis, projections) : whole.axis;
  const auto step = static_cast<double> (columns.step);
  // The centre of column i of the stream is that of column first + i * step of the detector.
  for (auto &axis : geometry->axis)
    axis = (axis - 0.5 - static_cast<double> (columns.first)) / step + 0.5;
  geometry->views = chosen (whole.views, projections);
  for (auto &view : geometry->views)
    view = sino::part_of (view, columns.first, columns.step, rows.first, rows.step);
  if (whole.pixel_size)
    geometry->pixel_size = *whole.pixel_size * step;
  geometry->rows_apart = whole.rows_apart * static_cast<double> (rows.step) / step;
  geometry->in_mm = whole.in_mm;
  geometry->energy = whole.energy;
  geometry->distance = whole.distance;
  return geometry;
}

Dim dim (Axis axis, const Range &range)
{
  return {axis, range.count, range.first, range.step};
}

void refuse_for_slices (const Request &request)
{
  const std::pair<const char *, std::string> meaningless[] = {
      {"darks", request.darks},
      {"darks-after", request.darks_after},
      {"flats", request.flats},
      {"flats-after", request.flats_after},
      {"angles", request.angles},
      {"projections", request.projections},
      {"axis", request.axis},
      {"geometry", request.beam.geometry},
      {"values", request.values == Meaning::open ? std::string () : name_of (request.values)},
  };
  for (const auto &[name, value] : meaningless)
    if (!value.empty ())
      fail (SINO_ERROR_BAD_PROPERTY, "%s=%s has no meaning for axes=slices: leave it out", name, value.c_str ());
  if (!request.beam.plain ())
    fail (SINO_ERROR_BAD_PROPERTY,
          "source-origin= and other properties of the beam have no meaning for axes=slices: leave them out");
}

// Throws if a missing file shifts the pages after it and their numbers matter.
void refuse_gaps (const Request &request, const Input &input)
{
  const bool projections = request.axes == Kind::projections;
  if (projections && !is_sweep (request.angles))
    return;
  const auto n = input.gaps.places.size ();
  const auto more = n > 1 ? text (" and %zu more of the sequence are", n - 1) : std::string (" is");
  fail (
      SINO_ERROR_BAD_FILE, "'%s'%s missing, which would shift the %s: set %s", input.gaps.first.c_str (), more.c_str (),
      projections                    ? "angles of the following projections"
      : request.axes == Kind::slices ? "following slices"
                                     : "following rows",
      projections
          ? "missing=skip to continue without it, or angles= to a text file with the angles of the existing projections"
          : "missing=zero to use zeros instead, or missing=skip to move the following ones up");
}

// Handles missing files as requested; adds notes on what was done. Returns whether projections are left out.
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
    else // the numbers in the names do not matter
      notes.push_back (told + "the existing files are used in order");
    return false;
  }
  if (request.missing == Missing::skip && request.axes != Kind::projections) {
    notes.push_back (told + "left out, and the following ones move up");
    return false;
  }
  if (gaps.files != input.stack->pages)
    fail (SINO_ERROR_BAD_FILE,
          "'%s' is missing, and the other files have several pages: missing=%s works only for files of one page",
          gaps.first.c_str (), request.missing == Missing::skip ? "skip" : "zero");
  if (request.missing == Missing::skip) {
    notes.push_back (told + "left out, with their angles");
    return true;
  }
  notes.push_back (told + "zeros are used instead");
  input.stack = filled (input.stack, gaps.places);
  return false;
}

} // namespace

static double row_cost (const Stack &stack, const Picks &picks, Kind kind)
{
  const auto others = kind == Kind::projections ? stack.cost_along (0, picks.pages) : stack.cost_along (1, picks.lines);
  return others * stack.cost_along (2, picks.columns) *
         static_cast<double> (stack.stored_pixel > 0 ? stack.stored_pixel : pixel (stack));
}

// Numbers of the frames that are projections, darks and flats; none if the file does not give them.
static std::optional<FrameKeys> keys_of (const Request &request, const Input &input, std::vector<std::string> &messages)
{
  if (request.axes != Kind::projections)
    return {};
  auto keys = frame_keys (*input.file, input.stack->pages);
  if (keys && keys->projections.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s has no projections: %s lists %s", input.file->title ().c_str (),
          input.file->place (keys->name).c_str (), keys->describe ().c_str ());
  if (keys && !request.projections.empty ())
    messages.push_back (text ("%s: projections=%s counts only projections: %s lists %s", input.file->title ().c_str (),
                              request.projections.c_str (), input.file->place (keys->name).c_str (),
                              keys->describe ().c_str ()));
  return keys;
}

static void take_slices (const Request &request, const Input &input, const Range &rows, const Range &columns,
                         Scan &scan)
{
  refuse_for_slices (request);
  auto stated = stored_values (*input.file, request.applies_scale, scan.messages);
  if (stated.scale && request.applies_scale)
    scan.stack = scaled (input.stack, *stated.scale);
  const auto &stack = *scan.stack;
  const Range y{0, 1, stack.lines, stack.lines};
  scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), y.numbers (), columns.numbers ()});
  refuse_unwritten (stack, request.missing, "slices", input.file->title (), scan.picks->pages, scan.messages);
  scan.format = sino::slices (stack.element, dim (Axis::z, rows), dim (Axis::y, y), dim (Axis::x, columns));
  if (request.beam.pixel_size > 0) {
    stated.voxel_size = request.beam.pixel_size;
    stated.slice_distance.reset ();
    stated.in_mm = false;
  }
  scan.format.geometry = std::make_shared<const Geometry> (stated.geometry (columns.step, rows.step));
  scan.format.scale = request.applies_scale ? std::nullopt : stated.scale;
  scan.format.per_length = stated.per_length;
  scan.row_cost = row_cost (stack, *scan.picks, Kind::slices);
}

// Pages of the wanted projections. Removes missing projections from `numbers`; then `angle` has no step any more.
static std::vector<int64_t> pages_of (const Request &request, const Input &input, const FrameKeys *keys,
                                      bool leaves_out, std::vector<int64_t> &numbers, Dim &angle, Scan &scan)
{
  const auto lose_step = [&] { angle = {Axis::angle, std::ssize (numbers), 0, 1}; };
  auto pages = numbers;
  if (leaves_out) {
    numbers = leave_out (numbers, input.gaps);
    if (numbers.empty ())
      fail (SINO_ERROR_BAD_FILE, "projections=%s contains only missing files, the first is '%s'",
            request.projections.c_str (), input.gaps.first.c_str ());
    if (numbers.size () < pages.size ())
      lose_step ();
    pages = places_of (numbers, input.gaps);
  }
  if (keys)
    pages = chosen (keys->projections, numbers);
  if (mend_unwritten (*input.stack, request.missing, input.file->title (), numbers, pages, scan.messages))
    lose_step ();
  return pages;
}

// Changes the stack to the requested values and order of axes. Returns whether it turned sinograms into projections,
// which fan and cone beams need.
static bool adapt (const Request &request, Input &input)
{
  const bool turns = request.axes == Kind::sinograms && !request.beam.plain () && input.format->random_access;
  if (turns)
    input.stack = turned (input.stack);
  input.stack = with_values (request, input);
  return turns;
}

Scan open_scan (const Request &request)
{
  if (request.path.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "path is missing: set path= to a file, a folder or a pattern");
  refuse_frames (request);
  Scan scan;
  auto input = open_input ({.path = request.path,
                            .dataset = request.dataset,
                            .images = "data",
                            .missing = request.missing,
                            .raw = request.raw,
                            .growing = request.growing},
                           "path", scan.messages);
  const auto gaps = input.gaps;
  const bool leaves_out = request.coming != Coming::leading && mend_gaps (request, input, scan.messages);
  const bool turns = adapt (request, input);
  const auto &stack = *input.stack;
  scan.stack = input.stack;
  scan.files = stack.files ();
  scan.random_access = input.format->random_access;
  const bool projections_first = request.axes == Kind::projections || turns, slices = request.axes == Kind::slices;
  // Missing projections; all other numbers are of the complete scan.
  const auto left_out = leaves_out || request.coming == Coming::leading ? std::ssize (input.gaps.places) : 0;
  const auto found = keys_of (request, input, scan.messages);
  const auto *const keys = found ? &*found : nullptr;
  const auto angle_count = request.frames > 0  ? request.frames
                           : keys              ? std::ssize (keys->projections)
                           : projections_first ? stack.pages + left_out
                                               : stack.lines,
             row_count = projections_first ? stack.lines : stack.pages;
  const auto rows = parse_range ("rows", request.rows, row_count, slices ? "slices" : "rows");
  const auto columns = parse_range ("columns", request.columns, stack.columns, "columns");

  if (slices) {
    take_slices (request, input, rows, columns, scan);
    return scan;
  }
  const auto projections = parse_range ("projections", request.projections, angle_count, "projections");
  const auto row = dim (Axis::row, rows), column = dim (Axis::column, columns);
  auto angle = dim (Axis::angle, projections);
  auto numbers = projections.numbers ();
  std::optional<Come> come;
  if (request.growing) {
    if (!projections_first)
      fail (SINO_ERROR_BAD_PROPERTY, "follow=true is for projections that a detector writes: leave out axes=%s",
            name_of (request.axes));
    come = come_of (stack, gaps, keys, numbers);
    scan.leading = std::ssize (come->leading);
    scan.end = come->end;
    scan.has_keys = keys != nullptr;
  }
  if (projections_first) {
    if (request.coming == Coming::came && come->end < std::ssize (numbers)) {
      numbers.resize (static_cast<size_t> (come->end));
      angle.extent = come->end;
    }
    const auto pages = request.coming == Coming::leading
                           ? come->leading
                           : pages_of (request, input, keys, leaves_out, numbers, angle, scan);
    scan.picks = std::make_shared<const Picks> (Picks{pages, rows.numbers (), columns.numbers ()});
    scan.format = sino::projections (stack.element, angle, row, column);
  } else {
    scan.picks = std::make_shared<const Picks> (Picks{rows.numbers (), numbers, columns.numbers ()});
    refuse_unwritten (stack, request.missing, "sinograms", input.file->title (), scan.picks->pages, scan.messages);
    scan.format = sinograms (stack.element, row, angle, column);
  }
  scan.row_cost = row_cost (stack, *scan.picks, scan.format.kind ());
  scan.format.geometry = std::make_shared<const Geometry> ();
  if (request.coming != Coming::leading || request.frames > 0) // otherwise the number of angles is not known yet
    scan.format.geometry = part_of (
        whole_geometry (request, input, keys, angle_count, projections, row_count, stack.columns, scan.messages),
        numbers, rows, columns);
  auto angles = request.angles;
  if (!is_sweep (angles))
    take_dataset (angles);
  const auto description = input.format->describes ? request.path : std::string ();
  std::ranges::copy (find_stamps ({request.beam.geometry, angles, description}), std::back_inserter (scan.files));
  const ScanPart part{.all_projections = angle_count,
                      .all_rows = row_count,
                      .all_columns = stack.columns,
                      .projections = projections,
                      .rows = rows.numbers (),
                      .columns = columns.numbers (),
                      .keys = keys};
  scan.format.companions = find_companions (request, input, part, scan);
  scan.format.top = stack.top;
  scan.format.finite = std::isfinite (scan.format.greatest ()) || std::isfinite (stack.top);
  settle_values (request, input, scan);
  return scan;
}

} // namespace sino::files
