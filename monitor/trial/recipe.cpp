// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/trial/recipe.hpp"
#include "base/shown.hpp"
#include "kernels/single-slice/slice.hpp"
#include "monitor/http/request.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sino::monitor {

using scan::LineNode;
using scan::ScanLine;
using Type = Parameter::Type;

namespace {

constexpr int64_t phase_margin = 64;  // rows on both sides that retrieve-phase sees
constexpr double least_offset = 0.01; // of stitch-360, as a share of the columns
constexpr const char *no_window = "default";

std::string shortest (double value)
{
  return text ("%.10g", value);
}

bool is_on (const Values &values, const char *name)
{
  const auto found = values.find (name);
  return found != values.end () && found->second == "true";
}

double number_of (const Values &values, const char *name)
{
  const auto found = values.find (name);
  double value = 0;
  return found != values.end () && parse_number (found->second, value) ? value : 0;
}

} // namespace

Recipe::Recipe (const std::string &path, const scan::Wishes &wishes)
    : given (wishes), seen (scan::look_at_scan (path, wishes))
{
  auto line = scan::chain_of (seen, wishes); // throws what is missing
  looks = parallel () && line.find ("find-axis");
  axis_known = !parallel () || !seen.format.geometry->axis.empty ();
  find_parameters ();
}

void Recipe::find_parameters ()
{
  const auto &geometry = *seen.format.geometry;
  const auto columns = static_cast<double> (seen.format.extent (Axis::column));
  const auto axis = geometry.axis.empty () ? columns / 2 : geometry.axis[geometry.axis.size () / 2];
  const bool several = geometry.axis.size () > 1; // one for each projection
  const bool plain = !several && (parallel () || !seen.read.value_of ("source-origin").empty ());
  if (plain)
    all.push_back ({.name = "axis",
                    .title = "Rotation axis",
                    .unit = "columns",
                    .value = shortest (axis),
                    .low = 0,
                    .high = columns,
                    .step = 0.25,
                    .fast = true});
  if (parallel ()) {
    all.push_back ({.name = "window",
                    .title = "Window of the filter",
                    .type = Type::choice,
                    .value = no_window,
                    .choices = {no_window, "ram-lak", "shepp-logan", "cosine", "hann", "hamming", "butterworth",
                                "parzen", "sinc", "none"},
                    .fast = true});
    all.push_back ({.name = "cutoff",
                    .title = "Cutoff of the filter",
                    .unit = "of Nyquist",
                    .value = "1",
                    .low = 0.05,
                    .high = 1,
                    .step = 0.05,
                    .fast = true});
  }
  if (parallel () && seen.format.kind () == Kind::projections) {
    all.push_back ({.name = "tilt",
                    .title = "Tilt of the axis",
                    .unit = "degrees",
                    .value = given.tilt ? given.tilt : "0",
                    .low = -5,
                    .high = 5,
                    .step = 0.05});
    add_phase (geometry);
  }
  if (parallel ())
    all.push_back (
        {.name = "rings", .title = "Remove rings", .type = Type::flag, .value = given.rings ? "true" : "false"});
  if (!parallel () && plain)
    add_distances ();
}

// `given.phase` stays as it is: it may have properties that are no parameters.
void Recipe::add_phase (const Geometry &geometry)
{
  if (given.phase)
    return;
  const double pixel = geometry.pixel_size.value_or (0);
  all.push_back ({.name = "phase", .title = "Retrieve phase (Paganin)", .type = Type::flag, .value = "false"});
  all.push_back ({.name = "energy",
                  .title = "Energy",
                  .unit = "keV",
                  .value = shortest (geometry.energy.value_or (0)),
                  .low = 0,
                  .high = 200,
                  .step = 0.1});
  all.push_back ({.name = "distance",
                  .title = "Sample to detector",
                  .unit = "m",
                  .value = shortest (geometry.distance.value_or (0)),
                  .low = 0,
                  .high = 10,
                  .step = 0.001});
  if (pixel == 0)
    all.push_back ({.name = "pixel-size",
                    .title = "Pixel size",
                    .unit = "\u00b5m",
                    .value = "0",
                    .low = 0,
                    .high = 100,
                    .step = 0.01});
  all.push_back ({.name = "delta-beta", .title = "Delta / beta", .value = "200", .low = 1, .high = 5000, .step = 1});
}

void Recipe::add_distances ()
{
  for (const auto &[name, title] :
       {std::pair ("source-origin", "Source to axis"), {"origin-detector", "Axis to detector"}}) {
    double now = 0;
    if (parse_number (seen.read.value_of (name), now) && now > 0)
      all.push_back ({.name = name,
                      .title = title,
                      .unit = "of the pixel size's unit",
                      .value = shortest (now),
                      .low = now / 2,
                      .high = now * 2,
                      .step = now / 1000});
  }
}

void Recipe::set_axis (double column)
{
  axis_known = true;
  for (auto &each : all)
    if (each.name == "axis")
      each.value = shortest (column);
}

// --- values ---

Values Recipe::complete (const Values &some) const
{
  Values values;
  for (const auto &each : all)
    values[each.name] = each.value;
  for (const auto &[name, value] : some) {
    const auto known = std::ranges::find (all, name, &Parameter::name);
    if (known == all.end ())
      throw Refused (400, "this scan has no parameter " + in_quotes (name));
    double number = 0;
    const bool good = known->type == Type::flag     ? value == "true" || value == "false"
                      : known->type == Type::choice ? std::ranges::find (known->choices, value) != known->choices.end ()
                                                    : parse_number (value, number) && std::abs (number) <= 1e9;
    if (!good)
      throw Refused (400, text ("%s=%s: give %s", name.c_str (), value.c_str (),
                                known->type == Type::flag     ? "true or false"
                                : known->type == Type::choice ? join (known->choices, ", ", {}, " or ").c_str ()
                                                              : "a number"));
    if (name == "cutoff" && !(number > 0 && number <= 1))
      throw Refused (400, "cutoff=" + value + ": give a share of Nyquist's frequency, from 0.001 to 1");
    values[name] = value;
  }
  if (!axis_known && !some.contains ("axis"))
    values.erase ("axis");
  return values;
}

std::string Recipe::slow_key (const Values &values) const
{
  std::string key;
  for (const auto &each : all)
    if (!each.fast)
      key += each.name + "=" + values.at (each.name) + " ";
  return key;
}

// --- lines ---

namespace {

// "energy=20 distance=0.1 delta-beta=200", or "" without phase retrieval.
std::string phase_words (const Values &values)
{
  if (!is_on (values, "phase"))
    return {};
  auto words = "energy=" + values.at ("energy") + " distance=" + values.at ("distance") +
               " delta-beta=" + values.at ("delta-beta");
  if (values.contains ("pixel-size"))
    words += " pixel-size=" + shortest (number_of (values, "pixel-size") * 1e-6);
  return words;
}

std::string tilt_of (const Values &values)
{
  return number_of (values, "tilt") != 0 ? values.at ("tilt") : "";
}

void set_filter (ScanLine &line, const Values &values)
{
  auto *node = line.find ("reconstruct");
  if (values.contains ("window") && values.at ("window") != no_window)
    node->set ("window", values.at ("window"));
  if (values.contains ("cutoff") && number_of (values, "cutoff") != 1)
    node->set ("cutoff", values.at ("cutoff"));
}

} // namespace

ScanLine Recipe::line (const Values &values) const
{
  auto wishes = given;
  const auto phase = given.phase ? given.phase : phase_words (values), tilt = tilt_of (values);
  wishes.phase = phase.empty () ? nullptr : phase.c_str ();
  wishes.tilt = tilt.empty () ? nullptr : tilt.c_str ();
  wishes.rings = is_on (values, "rings");
  wishes.metal = nullptr; // these two take too long for a slice by eye
  wishes.drift = false;
  auto line = scan::chain_of (seen, wishes);
  for (const char *name : {"axis", "source-origin", "origin-detector"})
    if (values.contains (name))
      line.nodes[0].set (name, values.at (name));
  if (parallel ())
    set_filter (line, values);
  // The method of kernels/single-slice, whatever suits the number of rows.
  const auto columns = seen.format.extent (Axis::column);
  if (parallel () && single_slice::can_make (may_join (values) ? 2 * columns : columns))
    line.find ("reconstruct")->set ("method", "fourier");
  return line;
}

// Whether the projections of a whole turn are joined, as far as the axis tells.
bool Recipe::may_join (const Values &values) const
{
  const auto columns = static_cast<double> (seen.format.extent (Axis::column));
  return looks_for_ends () &&
         (!values.contains ("axis") || std::abs (number_of (values, "axis") - columns / 2) >= least_offset * columns);
}

std::string Recipe::command (const Values &values) const
{
  std::string words = "sinograph reconstruct " + shell_word (seen.path);
  const auto say = [&words] (const std::string &option, const std::string &value) {
    if (!value.empty ())
      words += " --" + option + "=" + shell_word (value);
  };
  for (const char *name : {"axis", "source-origin", "origin-detector"})
    if (values.contains (name))
      say (name, values.at (name));
  for (const auto &[option, word] : {std::pair ("angles", given.angles),
                                     {"darks", given.darks},
                                     {"flats", given.flats},
                                     {"flats-after", given.flats_after},
                                     {"geometry", given.geometry},
                                     {"raw", given.raw},
                                     {"pixel-size", given.pixel_size},
                                     {"values", given.values},
                                     {"missing", given.missing},
                                     {"projections", given.projections}})
    say (option, word ? word : "");
  say ("tilt", tilt_of (values));
  say ("phase", given.phase ? given.phase : phase_words (values));
  if (is_on (values, "rings"))
    words += " --rings";
  if (given.drift)
    words += " --drift";
  if (given.metal)
    words += " --metal" + (*given.metal ? "=" + shell_word (given.metal) : std::string ());
  if (given.sinograms)
    words += " --sinograms";
  if (const auto method = line (values).find ("reconstruct")->value_of ("method"); !method.empty ())
    words += " --set reconstruct.method=" + method;
  if (values.contains ("window") && values.at ("window") != no_window)
    words += " --set reconstruct.window=" + values.at ("window");
  if (number_of (values, "cutoff") != 1 && values.contains ("cutoff"))
    words += " --set reconstruct.cutoff=" + values.at ("cutoff");
  return words;
}

bool Recipe::has_sinogram (const Values &values) const
{
  return parallel () && values.contains ("axis") && single_slice::can_make (seen.format.extent (Axis::column)) &&
         !may_join (values);
}

// The rows around `row` that are read, and the row alone after the nodes that need its neighbours.
static RowLine cut_out (ScanLine line, const Format &format, const Values &values, int64_t row)
{
  const auto rows = format.extent (Axis::row), columns = format.extent (Axis::column);
  const double slope = std::tan (number_of (values, "tilt") * std::numbers::pi / 180);
  const bool phase = line.find ("retrieve-phase") != nullptr;
  const auto margin =
      (phase ? phase_margin : 0) +
      (slope != 0 ? static_cast<int64_t> (std::ceil (std::abs (slope) * static_cast<double> (columns))) + 2 : 0);
  const auto begin = std::max<int64_t> (row - margin, 0), end = std::min (row + margin + 1, rows);
  line.nodes[0].set ("rows", text ("%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, begin, end));
  RowLine cut{std::move (line)};
  // 'rotate' turns about the middle of what was read.
  cut.axis_shift = -(static_cast<double> (rows) - static_cast<double> (begin + end)) / 2 * slope;
  if (margin == 0)
    return cut;
  auto &nodes = cut.line.nodes;
  const auto last = std::find_if (nodes.rbegin (), nodes.rend (), [] (const LineNode &node) {
    return node.type == "retrieve-phase" || node.type == "rotate";
  });
  nodes.insert (last.base (), LineNode{"crop"}.set ("y", std::to_string (row - begin)).set ("height", "1"));
  return cut;
}

RowLine Recipe::sinogram_line (const Values &values, int64_t row) const
{
  auto cut = cut_out (line (values), seen.format, values, row);
  std::erase_if (cut.line.nodes, [] (const LineNode &node) {
    return node.type == "find-axis" || node.type == "stitch-360" || node.type == "reconstruct";
  });
  return cut;
}

RowLine Recipe::slice_line (const Values &values, int64_t row, int64_t coarse) const
{
  if (parallel ()) {
    auto cut = cut_out (line (values), seen.format, values, row);
    if (values.contains ("axis"))
      cut.line.nodes[0].set ("axis", shortest (number_of (values, "axis") + cut.axis_shift));
    if (coarse > 1)
      cut.line.nodes[0].set ("columns", "::" + std::to_string (coarse));
    return cut;
  }
  RowLine whole{line (values)};
  if (coarse > 1)
    for (const char *range : {"columns", "rows", "projections"})
      whole.line.nodes[0].set (range, "::" + std::to_string (coarse));
  whole.line.find ("reconstruct")->set ("roi-z", std::to_string (row / coarse)).set ("roi-depth", "1");
  return whole;
}

GVariant *describe (const std::vector<Parameter> &parameters)
{
  static constexpr const char *types[] = {"number", "choice", "flag"};
  return Dict::array (parameters, [] (const Parameter &each) {
    Dict dict;
    dict.add ("name", each.name)
        .add ("title", each.title)
        .add ("unit", each.unit)
        .add ("type", types[static_cast<size_t> (each.type)])
        .add ("fast", each.fast);
    double number = 0;
    if (each.type == Type::number && parse_number (each.value, number))
      dict.add ("value", number).add ("low", each.low).add ("high", each.high).add ("step", each.step);
    else if (each.type == Type::flag)
      dict.add ("value", each.value == "true");
    else
      dict.add ("value", each.value).add ("choices", each.choices);
    return dict.end ();
  });
}

} // namespace sino::monitor
