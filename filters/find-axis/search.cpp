// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/find-axis/search.hpp"
#include "filters/find-axis/columns.hpp"
#include "kernels/fourier-reconstruct/native/stack.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sino::find_axis {

namespace {

// most bins of a row for sharpness: if asked for, and as a second opinion
constexpr int64_t bins_alone = 1024, bins_beside = 512;

constexpr double least_arc = 150 * std::numbers::pi / 180; // radians: slices from less are sharpest beside the axis
// error of the axis from slices, in bins: half the distance between tried positions
constexpr double exact_of_slices = 0.25;
constexpr double bin_off = std::numbers::pi / 6; // radians less than half a turn that move the axis by a bin

// Whether the methods with mirror images find no axis, or different ones.
bool doubtful (const std::vector<Verdict> &verdicts)
{
  const auto first = std::ranges::find_if (verdicts, &Verdict::sure);
  return first == verdicts.end () || std::any_of (first, verdicts.end (), [&] (const Verdict &other) {
           return other.sure () && std::abs (other.axis - first->axis) > noticeable;
         });
}

// Methods that use mirror images. The first one decides, the others confirm or contradict it.
std::vector<Method> mirrored (Way way, const Turn &turn)
{
  if (way == Way::sharpness)
    return {};
  if (way == Way::opposites)
    return {Method::opposites};
  if (way == Way::wedge)
    return {Method::wedge};
  return turn.whole () ? std::vector{Method::opposites, Method::wedge} : std::vector{Method::wedge, Method::opposites};
}

// `means`: of the columns.
Findings::Values values_of (std::span<const double> means)
{
  const auto border = std::max<size_t> (means.size () / 64, 1);
  const auto mean = [] (std::span<const double> some) {
    return std::accumulate (some.begin (), some.end (), 0.0) / static_cast<double> (some.size ());
  };
  const double left = mean (means.first (border)), right = mean (means.last (border));
  return {mean (means), std::max (std::abs (left), std::abs (right)), std::max (0.0, std::min (-left, -right))};
}

// Whether the matches of a row are too uncertain or contradict each other.
bool unsure (std::span<const std::optional<Match>> matches)
{
  const Match *good = nullptr;
  for (const auto &match : matches)
    if (match && match->coherence > 0.6 && match->certainty > 2) {
      if (good && std::abs (good->axis - match->axis) > noticeable)
        return true;
      good = &*match;
    }
  return !good;
}

} // namespace

std::string prepare (Search &search, std::span<const double> angles, int64_t columns, Way way)
{
  search = {};
  auto why = make_turn (angles, search.turn);
  const double arc = search.arc = search.turn.arc;
  const bool sharpens = fourier_reconstruct::stack_lanes () > 0;
  if (!why.empty ())
    search.turn = {};
  search.always = way == Way::sharpness || (way == Way::automatic && sharpens && arc >= least_arc);
  if (search.always) {
    search.turn = {};
    why = angles.size () < 8 ? "there are fewer than 8 projections" : "";
  }
  search.methods = search.always ? std::vector<Method>{} : mirrored (way, search.turn);
  if (why.empty () && (search.always || way == Way::automatic) && sharpens)
    search.focus.emplace (angles, columns, search.always ? bins_alone : bins_beside,
                          exact_of_slices + (arc > 0 ? (std::numbers::pi - arc) / bin_off : 0));
  return why;
}

bool look_at_mirrors (const Search &search, const ExaminedRow &at, std::byte *memory, const Cpu &cpu,
                      Findings &findings)
{
  const auto &[row, sinogram, angles, columns] = at;
  const auto means = bridge_columns (sinogram, angles, columns, cpu);
  if (means.empty ())
    return false;
  const auto values = values_of (means);
  std::vector<std::optional<Match>> matches;
  if (!search.methods.empty ()) {
    const Mirrors mirrors (search.turn, columns, memory, cpu);
    mirrors.take (sinogram);
    for (const auto method : search.methods)
      matches.push_back (mirrors.find (method));
  }
  const std::lock_guard guard (findings.mutex);
  findings.values[row] = values;
  for (size_t i = 0; i < matches.size (); i++)
    if (matches[i])
      findings.matches[{row, search.methods[i]}] = *matches[i];
  return search.focus && std::ranges::count (search.slices, row) > 0 && (search.always || unsure (matches));
}

void look_at_slice (const Search &search, const ExaminedRow &at, const Cpu &cpu, const Monitor &monitor,
                    Findings &findings)
{
  const auto sharp = search.focus->find (at.sinogram, cpu, monitor);
  const std::lock_guard guard (findings.mutex);
  if (sharp)
    findings.matches[{at.row, Method::sharpness}] = *sharp;
}

void look (const Search &search, const ExaminedRow &at, std::byte *memory, const Cpu &cpu, const Monitor &monitor,
           Findings &findings)
{
  if (look_at_mirrors (search, at, memory, cpu, findings))
    look_at_slice (search, at, cpu, monitor, findings);
}

std::vector<Verdict> heard (const Search &search, const Findings &findings, int64_t columns, int64_t height)
{
  const double middle = 0.5 * static_cast<double> (columns), middle_row = 0.5 * static_cast<double> (height - 1);
  const auto &turn = search.turn;
  std::vector<Verdict> verdicts;
  for (const auto each : search.methods)
    verdicts.push_back (judge (findings, each, middle_row));
  if (search.focus && (search.always || doubtful (verdicts)))
    verdicts.push_back (judge (findings, Method::sharpness, middle_row));
  // Less weight: an axis far off the middle from half a turn, which would leave most of the object unseen, and
  // extrapolation from few projections, which matches by chance more easily.
  for (auto &each : verdicts) {
    each.extrapolated = each.method == Method::opposites && turn.opposites () == 0;
    each.inside = (middle - std::abs (each.axis - middle)) / static_cast<double> (columns);
    each.likely = turn.whole () || (!each.extrapolated && each.inside > far_off);
    if (each.extrapolated || each.method == Method::sharpness || !each.firm ())
      each.weight = 0.5;
  }
  // In a full turn with the axis far off the middle, only projections half a turn apart show the axis.
  const auto alone = std::ranges::find_if (verdicts, [&] (const Verdict &each) {
    return turn.whole () && each.method == Method::opposites && each.sure () && each.firm () && each.inside < far_off;
  });
  for (auto each = verdicts.begin (); alone != verdicts.end () && each != verdicts.end (); ++each)
    if (each != alone)
      each->weight = 0.5;
  return verdicts;
}

} // namespace sino::find_axis
