// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds the axis of rotation of a scan that does not know it, from some of its rows, before the run.
#include "base/error.hpp"
#include "filters/find-axis/columns.hpp"
#include "filters/find-axis/mirror.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <cmath>
#include <cstring>
#include <map>

namespace {
using namespace sino;
using namespace sino::find_axis;

enum class Way { automatic, opposites, wedge };
constexpr Nick<Way> ways[] = {{Way::automatic, "auto"}, {Way::opposites, "opposites"}, {Way::wedge, "wedge"}};
constexpr const char *name_of (Method method)
{
  return method == Method::opposites ? "opposites" : "wedge";
}

constexpr int64_t band_rows = 4;
constexpr double most_attenuation = 15;
constexpr double border_share = 0.15; // of the mean, at the borders of the detector
constexpr double least_coherence = 0.4;
constexpr double noticeable = 0.5; // columns by which two methods may differ

// What rows say, by row and method: the order in which they were looked at does not matter.
struct Findings {
  std::mutex mutex;
  std::map<std::pair<int64_t, Method>, Match> matches;
  // What the values are, by row.
  struct Values {
    double mean, border; // of all, and of those at the borders, without their signs
  };
  std::map<int64_t, Values> values;
  std::string missed; // why there are none
};

Findings::Values values_of (const float *sinogram, int64_t angles, int64_t columns)
{
  const int64_t border = std::max<int64_t> (columns / 64, 1);
  const auto mean = [&] (int64_t first, int64_t end) {
    double sum = 0;
    for (int64_t a = 0; a < angles; a++)
      for (int64_t c = first; c < end; c++)
        sum += static_cast<double> (sinogram[a * columns + c]);
    return sum / static_cast<double> (angles * (end - first));
  };
  return {mean (0, columns), std::max (std::abs (mean (0, border)), std::abs (mean (columns - border, columns)))};
}

// Several rows together.
struct Verdict {
  double axis = NAN, error = NAN, coherence = 0, certainty = 0;
  size_t rows = 0;
  double voices = 0;  // rows, fewer where some weigh far more than others
  bool likely = true; // where axes usually are, from enough projections

  bool any () const { return rows > 0; }
  bool sure () const
  {
    return any () && coherence > (voices > 2 && likely ? least_coherence : 0.6) && certainty > 2 && !(error > 1);
  }
};

Verdict judge (const Findings &findings, Method method)
{
  std::vector<Match> rows;
  for (const auto &[key, match] : findings.matches)
    if (key.second == method && match.weight > 0)
      rows.push_back (match);
  if (rows.empty ())
    return {};
  double sum = 0, squares = 0, coherence = 0, certainty = 0;
  for (const auto &row : rows) {
    sum += row.weight;
    squares += row.weight * row.weight;
    coherence += row.weight * row.coherence;
    certainty += row.weight * row.certainty;
  }
  const auto median_of = [&] (auto value) {
    std::vector<std::pair<double, double>> list;
    for (const auto &row : rows)
      list.emplace_back (value (row), row.weight);
    std::ranges::sort (list);
    double before = 0;
    for (const auto &[x, weight] : list)
      if ((before += weight) >= 0.5 * sum)
        return x;
    return list.back ().first;
  };
  const double middle = median_of ([] (const Match &m) { return m.axis; });
  const double spread = 1.4826 * median_of ([&] (const Match &m) { return std::abs (m.axis - middle); });
  // The mean of those that are not far off, which is better than the median where all are right.
  double near = 0, shift = 0;
  for (const auto &row : rows)
    if (std::abs (row.axis - middle) <= 3 * spread) {
      near += row.weight;
      shift += row.weight * (row.axis - middle);
    }
  Verdict verdict{middle + shift / near, NAN, coherence / sum, certainty / sum, rows.size (), sum * sum / squares};
  if (verdict.voices > 2)
    verdict.error = spread / std::sqrt (verdict.voices);
  return verdict;
}

// Looks at a band of rows.
class Looker final : public Worker
{
public:
  Looker (const Replica &replica, const Turn &t, std::vector<Method> m, Findings &f)
      : cpu (replica.cpu), memory (replica.memory), turn (t), methods (std::move (m)), findings (f)
  {
  }

  void run (std::span<Input *const> inputs, Output *) override
  {
    const auto piece = memory.take ("sinograms of a band"), sorted = memory.take ("a sinogram in order");
    auto *band = piece.as<float> (), *rows = sorted.as<float> ();
    Rows all;
    int64_t angles = 0, columns = 0;
    while (const Block in = inputs[0]->pop ()) {
      columns = in.line ();
      angles = in.format ().angles ();
      all = all.cover (in.rows ());
      const auto first = in.rows ().begin - all.begin;
      for (int64_t a = 0; a < in.angles ().size (); a++)
        for (int64_t r = 0; r < in.rows ().size (); r++)
          std::memcpy (band + ((first + r) * angles + in.angles ().begin + a) * columns,
                       in.as<float> () + in.offset (a, r), static_cast<size_t> (columns) * sizeof (float));
    }
    for (int64_t r = 0; r < all.size (); r++)
      look (all.at (r), band + r * angles * columns, angles, columns, rows);
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const Turn &turn;
  const std::vector<Method> methods;
  Findings &findings;

  void look (int64_t row, float *sinogram, int64_t angles, int64_t columns, float *rows) const
  {
    if (!bridge_columns (sinogram, angles, columns))
      return;
    const auto values = values_of (sinogram, angles, columns);
    cpu.parallel (static_cast<int64_t> (turn.rows.size ()), 16, [&] (int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++) {
        const auto &mix = turn.rows[static_cast<size_t> (t)];
        const auto *first = sinogram + mix.first * columns, *second = sinogram + mix.second * columns;
        for (int64_t c = 0; c < columns; c++)
          rows[t * columns + c] = first[c] + mix.share * (second[c] - first[c]);
      }
    });
    MirrorSearch search (turn, columns);
    for (const auto method : methods) {
      const auto match = search.find (method, rows, cpu);
      const std::lock_guard guard (findings.mutex);
      findings.values[row] = values;
      if (match)
        findings.matches[{row, method}] = *match;
    }
  }
};

class FindAxis final : public Task
{
public:
  static constexpr Info info{"find-axis", "Finds the rotation axis of a scan that does not know it"};

  Format negotiate (std::span<const Format *const> inputs) override;
  std::vector<std::string> warnings () const override { return said; }
  std::vector<Rows> survey (const Format &in) const override;
  std::unique_ptr<Worker> look (const Replica &replica) override
  {
    return std::make_unique<Looker> (replica, turn, methods (), *findings);
  }
  void survey_memory (const Sizing &sizing, Bill &bill) const override;
  void miss (const std::string &why) override { findings->missed = why; }
  bool alters () const override { return false; }
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &, int downstream) const override { return downstream; }
  std::string remark (const Device &, int) const override { return found; }
  std::unique_ptr<Worker> start (const Replica &) override { fail (SINO_ERROR_FAILED, "takes no part in runs"); }

private:
  Way method = Way::automatic;
  int rows = 16;
  bool again = false;

  bool surveyed = false;
  int64_t columns = 0, projections = 0;
  Turn turn;
  std::shared_ptr<Findings> findings = std::make_shared<Findings> ();
  std::vector<std::string> said;
  std::string found; // for provenance

  std::vector<Method> methods () const
  {
    if (method == Way::opposites)
      return {Method::opposites};
    if (method == Way::wedge)
      return {Method::wedge};
    // The first counts, the second may disagree.
    return turn.whole () ? std::vector{Method::opposites, Method::wedge}
                         : std::vector{Method::wedge, Method::opposites};
  }
  bool wanted (const Format &in) const { return again || !in.geometry || in.geometry->axis.empty (); }
  double settle (const std::string &why);
  bool judge_values ();

public:
  static constexpr std::array properties{
      prop<&FindAxis::method> (
          "method",
          "How: opposites (projections half a turn apart are mirror images), wedge (a whole turn has no "
          "harmonics outside of the double wedge), or auto (the one that suits the angles, and the other "
          "to compare)",
          ways),
      prop<&FindAxis::rows> ("rows", "Detector rows to look at", Range{1, 256}),
      prop<&FindAxis::again> ("again", "Find it also where the scan knows its axis"),
  };
};

std::vector<Rows> FindAxis::survey (const Format &in) const
{
  if (surveyed || !wanted (in) || turn.rows.empty ())
    return {};
  const auto all = in.rows ();
  if (all <= rows)
    return {{0, all}};
  // Away from the borders of the detector, which see least.
  const int64_t bands = std::max<int64_t> ((rows + band_rows - 1) / band_rows, 1),
                each = std::min<int64_t> (rows, band_rows);
  std::vector<Rows> list;
  for (int64_t b = 0; b < bands; b++) {
    const auto middle =
        static_cast<double> (all) * (0.1 + 0.8 * (static_cast<double> (b) + 0.5) / static_cast<double> (bands));
    const auto first = std::clamp<int64_t> (static_cast<int64_t> (middle) - each / 2,
                                            list.empty () ? 0 : list.back ().end, all - (bands - b) * each);
    list.push_back ({first, first + each});
  }
  return list;
}

void FindAxis::survey_memory (const Sizing &sizing, Bill &bill) const
{
  const auto row = static_cast<size_t> (columns) * sizeof (float);
  add_pages (bill, "sinograms of a band",
             static_cast<size_t> (std::max<int64_t> (sizing.input_rows, 1) * projections) * row);
  add_pages (bill, "a sinogram in order", turn.rows.size () * row);
  add_bytes (bill, "comparing mirror images", MirrorSearch::bytes (turn, columns, sizing.threads));
}

Format FindAxis::negotiate (std::span<const Format *const> inputs)
{
  Format format = *inputs[0];
  const auto &in = *inputs[0];
  if (in.kind () != Kind::projections && in.kind () != Kind::sinograms)
    fail (SINO_ERROR_BAD_FORMAT, "wants projections or sinograms, got %s", in.describe ().c_str ());
  if (in.element != Element::f32)
    fail (SINO_ERROR_BAD_FORMAT, "wants f32 values, got %s: put 'flat-field' before it", in.describe ().c_str ());
  if (in.geometry && !in.geometry->views.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "wants a parallel beam at right angles to the axis: other scans have their axis in their geometry");
  if (!in.geometry || in.geometry->angles.empty ())
    fail (SINO_ERROR_BAD_FORMAT,
          "the projections have no angles: give %s angles=start:stop (degrees, stop excluded, for example "
          "angles=0:180) or "
          "angles=FILE with one angle per projection",
          in.source.empty () ? "the source" : ("'" + in.source + "'").c_str ());
  if (std::ssize (in.geometry->angles) != in.angles ())
    fail (SINO_ERROR_BAD_FORMAT, "there are %zu angles for %" G_GINT64_FORMAT " projections",
          in.geometry->angles.size (), in.angles ());
  said.clear ();
  found.clear ();
  columns = in.line ();
  projections = in.angles ();
  if (!wanted (in))
    return format;
  Fft::require ();
  auto why = make_turn (in.geometry->angles, turn);
  if (!why.empty ())
    turn = {};
  if (why.empty ())
    why = findings->missed;
  double axis = 0;
  if (why.empty () && findings->matches.empty () && findings->values.empty ())
    axis = 0.5 * static_cast<double> (columns); // until the survey
  else {
    surveyed = true;
    axis = settle (why);
    format.truncated = judge_values ();
  }
  auto geometry = *in.geometry;
  geometry.axis = {axis};
  format.geometry = std::make_shared<const Geometry> (std::move (geometry));
  return format;
}

// The axis, and what is to be said of it. `why` there is nothing to see.
double FindAxis::settle (const std::string &why)
{
  const double middle = 0.5 * static_cast<double> (columns);
  const auto take_middle = [&] (const std::string &reason) {
    said.push_back (
        text ("the axis was not found, because %s: column %g, the middle, is taken; give the axis, as axis=%g",
              reason.c_str (), middle, middle));
    found = text ("axis %g, assumed in the middle", middle);
    return middle;
  };
  if (!why.empty ())
    return take_middle (why);
  const auto order = methods ();
  std::vector<Verdict> verdicts;
  for (const auto each : order)
    verdicts.push_back (judge (*findings, each));
  // Half a turn about an axis far off would leave out most of the object, and what is extrapolated from few projections
  // matches by chance more easily.
  for (size_t i = 0; i < order.size (); i++)
    verdicts[i].likely = turn.whole () || ((order[i] == Method::wedge || turn.opposites () > 0) &&
                                           std::abs (verdicts[i].axis - middle) < 0.25 * static_cast<double> (columns));
  size_t best = 0;
  if (verdicts.size () > 1 && !verdicts[0].sure () && verdicts[1].sure ())
    best = 1;
  const auto &verdict = verdicts[best];
  const auto value = [] (const Verdict &v) {
    return text ("%.2f", v.axis) + (std::isfinite (v.error) ? text (" +- %.2f", v.error) : "");
  };
  const auto in_words = [&] (size_t i) {
    return text ("%s: column %s, where %.0f %% match", name_of (order[i]), value (verdicts[i]).c_str (),
                 100 * verdicts[i].coherence);
  };
  if (!verdict.sure ()) {
    std::string guesses;
    for (size_t i = 0; i < verdicts.size (); i++)
      if (verdicts[i].any ())
        guesses += (guesses.empty () ? " (" : "; ") + in_words (i);
    return take_middle ("its rows show too little of it" + guesses + (guesses.empty () ? "" : ")"));
  }
  auto line = text ("the axis is at column %s (%s of %zu rows, where %.0f %% match)", value (verdict).c_str (),
                    name_of (order[best]), verdict.rows, 100 * verdict.coherence);
  found = text ("axis %.4f, found by %s", verdict.axis, name_of (order[best]));
  if (verdicts.size () > 1 && verdicts[1 - best].any ()) {
    const auto &other = verdicts[1 - best];
    const double off = std::abs (other.axis - verdict.axis);
    if (other.sure () && off > noticeable)
      line += text ("; but %s: look at slices with both", in_words (1 - best).c_str ());
    else if (other.sure ())
      line += text ("; %s: %.2f", name_of (order[1 - best]), other.axis);
  }
  said.push_back (line);
  return verdict.axis;
}

// Says what values are not attenuation, and that they do not fall to zero at the borders of the detector: whether they
// do not.
bool FindAxis::judge_values ()
{
  double mean = 0, border = 0;
  for (const auto &[row, values] : findings->values) {
    mean += std::abs (values.mean);
    border += values.border;
  }
  const auto rows_seen = static_cast<double> (findings->values.size ());
  if (mean > most_attenuation * rows_seen)
    said.push_back (text ("values are about %.3g, where attenuation is hardly ever above %g: counts become attenuation "
                          "by 'flat-field', and transmission by -ln",
                          mean / rows_seen, most_attenuation));
  const bool truncated = border > border_share * mean;
  if (truncated)
    said.push_back (text ("values do not fall to zero at the borders of the detector (%.0f %% of the mean): the object "
                          "goes on beyond it, or the flats are brighter "
                          "than the beam; padding-mode=auto pads rows with their first and last values",
                          100 * border / mean));
  return truncated;
}

SINO_REGISTER (FindAxis)

} // namespace
