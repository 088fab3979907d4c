// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/trial/trial.hpp"
#include "base/threads.hpp"
#include "graph/json-writer.hpp"
#include "graph/launch.hpp"
#include "kernels/back-project/rays.hpp"
#include "monitor/volume/gallery.hpp"
#include "scan/whole-line.hpp"
#include <cmath>

namespace sino::monitor {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t coarse_columns = 512; // of a picture while something moves

// The window of a choice; sinc is that of fourier-reconstruct.
ramp_filter::Window window_named (const std::string &name)
{
  using enum ramp_filter::Window;
  static const std::map<std::string, ramp_filter::Window> windows{
      {"ram-lak", ram_lak}, {"shepp-logan", shepp_logan}, {"cosine", cosine}, {"hann", hann},
      {"hamming", hamming}, {"butterworth", butterworth}, {"parzen", parzen}, {"sinc", sinc},
      {"none", none}};
  const auto found = windows.find (name);
  return found != windows.end () ? found->second : sinc;
}

double number_in (const Values &values, const std::string &name)
{
  double number = 0;
  static_cast<void> (parse_number (values.at (name), number)); // Recipe::complete () has checked it
  return number;
}

} // namespace

Trial::Trial (const std::string &path, const scan::Wishes &wishes)
    : recipe (path, wishes), seeks_axis (recipe.parallel () && recipe.format ().geometry->axis.empty ())
{
  searches = seeks_axis || recipe.looks_for_ends ();
  if (searches)
    search = start_thread ([this] {
      find_axis ();
      searches = false;
    });
}

Trial::~Trial ()
{
  ending.cancel ();
  if (search.joinable ())
    search.join ();
}

// Finds the axis as a run would, from some rows, and whether the object leaves the detector.
void Trial::find_axis ()
{
  try {
    std::string words;
    {
      const std::lock_guard guard (recipe_mutex);
      auto line = recipe.sinogram_line (recipe.complete ({}), recipe.format ().rows () / 2).line;
      line.nodes[0].set ("axis", seeks_axis ? "" : line.nodes[0].value_of ("axis")).set ("rows", "");
      line.add ("find-axis");
      words = line.text ();
    }
    const auto found = Chain (words).look (ending);
    const std::lock_guard guard (recipe_mutex);
    truncated = found->truncated;
    if (seeks_axis && !found->geometry->axis.empty ())
      recipe.set_axis (found->geometry->axis[0]);
  } catch (const std::exception &failure) {
    const std::lock_guard guard (recipe_mutex);
    note = std::string ("the axis was not found: ") + failure.what ();
  } catch (const Cancelled &) {
  }
}

// A full picture is that of the whole run, whose padding depends on the ends of rows.
void Trial::wait_for_search (const Monitor &wanted) const
{
  while (searches) {
    wanted.check ();
    std::this_thread::sleep_for (std::chrono::milliseconds (5));
  }
}

std::string Trial::usual_output () const
{
  return scan::usual_output (recipe.path ());
}

GVariant *Trial::describe ()
{
  const std::lock_guard guard (recipe_mutex);
  const auto &format = recipe.format ();
  Dict dict;
  dict.add ("rows", format.rows ())
      .add ("columns", format.extent (Axis::column))
      .add ("projections", format.angles ())
      .add ("row", format.rows () / 2)
      .add ("geometry", recipe.parallel () ? "parallel" : "cone")
      .add ("parameters", monitor::describe (recipe.parameters ()))
      .add ("output", usual_output ())
      .add ("searching", searches.load ())
      .add ("note", note)
      .add ("error", "");
  return dict.end ();
}

Values Trial::complete (const Request &request)
{
  auto given = request.query;
  for (const char *other : {"row", "quick"})
    given.erase (other);
  const std::lock_guard guard (recipe_mutex);
  return recipe.complete (given);
}

scan::ScanLine Trial::line (const Values &given)
{
  const std::lock_guard guard (recipe_mutex);
  return recipe.line (recipe.complete (given));
}

// --- slices ---

// Reads the sinogram of a row, unless it is that of the last slice.
void Trial::prepare (const Values &values, int64_t row, const Monitor &wanted)
{
  const bool edge = [this] {
    const std::lock_guard guard (recipe_mutex);
    return truncated && recipe.looks_for_ends ();
  }();
  auto key = text ("%" G_GINT64_FORMAT " %d ", row, edge) + recipe.slow_key (values);
  if (prepared && prepared->key == key)
    return;
  prepared.reset ();
  const auto cut = recipe.sinogram_line (values, row);
  const auto found = Chain (cut.line.text ()).execute (wanted);
  const auto &geometry = *found.format->geometry;
  const auto columns = found.format->extent (Axis::column);
  Prepared fresh{.key = std::move (key), .format = found.format};
  fresh.axis_shift = cut.axis_shift;
  fresh.axis = static_cast<double> (columns) / 2;
  single_slice::Problem problem{.columns = columns};
  problem.rays = back_project::make_rays (geometry.angles, std::vector (geometry.angles.size (), fresh.axis), 0,
                                          back_project::Weights::automatic);
  problem.edge = edge;
  fresh.slice = std::make_unique<single_slice::Slice> (problem, cpu);
  fresh.slice->take (found.values.data ());
  prepared = std::move (fresh);
}

Plane Trial::fast_slice (const Values &values, bool quick)
{
  const auto columns = prepared->format->extent (Axis::column);
  single_slice::View view{.filter = {.window = window_named (values.at ("window")),
                                     .cutoff = number_in (values, "cutoff"),
                                     .order = 2,
                                     .power = 1.5,
                                     .spacing = prepared->format->geometry->pixel_size.value_or (1)},
                          .shift = number_in (values, "axis") + prepared->axis_shift - prepared->axis};
  while (quick && view.level < single_slice::last_level && columns >> view.level > coarse_columns)
    view.level++;
  const auto size = prepared->slice->size (view.level);
  Plane plane{.width = size, .height = size};
  plane.values.resize (static_cast<size_t> (size * size));
  plane.level = view.level;
  prepared->slice->make (view, plane.values.data ());
  return plane;
}

Plane Trial::slow_slice (const Values &values, int64_t row, bool quick, const Monitor &wanted)
{
  const auto columns = recipe.format ().extent (Axis::column);
  const int64_t coarse = quick ? std::max<int64_t> (columns / (coarse_columns / 2), 1) : 1;
  auto found = Chain (recipe.slice_line (values, row, coarse).line.text ()).execute (wanted);
  Plane plane{.width = found.format->extent (Axis::x), .height = found.format->extent (Axis::y)};
  plane.values = std::move (found.values);
  plane.full = coarse == 1;
  return plane;
}

// The values of a picture. A full one waits for the search, because its axis or padding depends on that; a quick one
// takes the middle of the detector meanwhile.
Values Trial::values_of_picture (const Request &request, bool quick, const Monitor &wanted)
{
  if (!quick && (recipe.looks_for_ends () || !request.has ("axis")))
    wait_for_search (wanted);
  auto values = complete (request);
  if (seeks_axis && !values.contains ("axis"))
    values["axis"] = text ("%g", static_cast<double> (recipe.format ().extent (Axis::column)) / 2);
  return values;
}

Answer Trial::picture (const Request &request, const Monitor &wanted)
{
  const auto row = request.integer ("row", 0, recipe.format ().rows () - 1, recipe.format ().rows () / 2);
  const bool quick = request.integer ("quick", 0, 1, 0) == 1;
  const auto values = values_of_picture (request, quick, wanted);
  std::unique_lock held (work_mutex, std::defer_lock);
  while (!held.try_lock_for (std::chrono::milliseconds (50)))
    wanted.check ();
  wanted.check ();
  const auto began = Clock::now ();
  try {
    Plane plane;
    if (recipe.has_sinogram (values)) {
      prepare (values, row, wanted);
      plane = fast_slice (values, quick);
    } else
      plane = slow_slice (values, row, quick, wanted);
    return answer_of (picture_of (plane, cpu), 0, began);
  } catch (const Refused &) {
    throw;
  } catch (const Error &error) {
    throw Refused (422, error.what ());
  }
}

// --- words ---

Answer Trial::graph (const Request &request)
{
  const auto values = complete (request);
  const std::lock_guard guard (recipe_mutex);
  auto line = recipe.line (values);
  line.add ("write").set ("path", usual_output () + "/slices/slice-%05i.tif");
  Dict dict;
  dict.add ("command", recipe.command (values))
      .add ("line", "sinograph launch " + shell_word (line.text ()))
      .add ("graph", to_json (parse_launch (line.text ())));
  return Answer::of_json (dict.end ());
}

std::optional<Answer> Trial::answer (const Request &request, const Monitor &wanted)
{
  if (request.path == "/trial" && request.method == "GET")
    return picture (request, wanted);
  if (request.path == "/trial/graph" && request.method == "GET")
    return graph (request);
  return {};
}

} // namespace sino::monitor
