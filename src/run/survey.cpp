// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/survey.hpp"
#include "base/error.hpp"
#include "pass/attend.hpp"
#include "pass/pipeline.hpp"
#include "plan/beside.hpp"
#include "plan/bill.hpp"
#include "plan/demand.hpp"
#include "plan/sizing.hpp"
#include "plan/strategy.hpp"

namespace sino {

namespace {

// A source upstream that can be read only once; null if there is none.
const NetNode *once_only (const Net &net, const Pass &pass)
{
  for (const auto &stage : pass.stages) {
    const auto &node = net.node (stage.node);
    if (node.is_source () && facet<Reads> (*node.task).access () == Access::once)
      return &node;
  }
  return nullptr;
}

// Bytes that the sources read for some rows.
double reading (const PlanInput &in, const Pass &pass, const Rows &rows)
{
  double sum = 0;
  const auto demanded = demanded_rows (in.net, pass, {0, rows});
  for (size_t s = 0; s < pass.stages.size (); s++)
    if (const auto &node = in.net.node (pass.stages[s].node); node.is_source ())
      sum += bytes_read (node, demanded[s]);
  return sum;
}

// Joins neighbouring bands that share chunks or strips, so that these are read once; at most `most` bands become one.
// If all bands are joined, the scan is read at most once.
std::vector<Rows> joined (const PlanInput &in, const Pass &pass, const std::vector<Rows> &bands, size_t most)
{
  std::vector<Rows> list;
  size_t number = 0; // number of bands that the last element joins
  for (const auto &band : bands) {
    if (!list.empty () && number < most &&
        reading (in, pass, list.back ().cover (band)) < reading (in, pass, list.back ()) + reading (in, pass, band)) {
      list.back () = list.back ().cover (band);
      number++;
    } else {
      list.push_back (band);
      number = 1;
    }
  }
  return list;
}

// Returns only the middle band if all bands together would read more than the whole scan, for example because each
// projection is one chunk.
std::vector<Rows> affordable (const PlanInput &in, const Pass &pass, const std::vector<Rows> &bands)
{
  double bytes = 0;
  for (const auto &band : bands)
    bytes += reading (in, pass, band);
  return bytes > reading (in, pass, {0, pass.stages.back ().format->rows ()}) ? std::vector{bands[bands.size () / 2]}
                                                                              : bands;
}

// The estimates of a task for the rows that each band demands of it; none if it makes none, or if bands share rows, so
// that a part of a band could get the window of another one.
std::vector<Stage::Estimate> estimates_of (const Task &task, const std::vector<Rows> &rows_of_bands)
{
  std::vector<Stage::Estimate> list;
  for (const auto &rows : rows_of_bands) {
    const auto window = facet<Estimates> (task).estimate_demand (rows);
    if (window.empty () || std::ranges::any_of (list, [&] (const auto &e) { return !e.rows.meet (rows).empty (); }))
      return {};
    list.push_back ({rows, window});
  }
  return list;
}

// Lets tasks estimate the rows of a survey if it then reads clearly less than the scan once. Estimates belong to whole
// bands, and memory has no part in the choice, so that a run with less memory finds the same. Returns whether some do.
bool let_estimate (const PlanInput &in, Pass &pass, const std::vector<Rows> &bands)
{
  constexpr double most_share = 0.75;
  auto estimated = pass;
  std::vector<std::vector<Rows>> demanded; // for each band, of each stage
  const auto demand = [&] {
    demanded.clear ();
    for (const auto &band : bands)
      demanded.push_back (demanded_rows (in.net, estimated, {0, band}));
  };
  demand ();
  bool any = false;
  for (size_t s = pass.stages.size (); s-- > 0;) { // tasks further on decide what is asked of those before them
    if (pass.stages[s].role != Stage::Role::task)
      continue;
    std::vector<Rows> rows;
    for (const auto &of_band : demanded)
      rows.push_back (of_band[s]);
    auto estimates = estimates_of (*in.net.node (pass.stages[s].node).task, rows);
    if (estimates.empty ())
      continue;
    any = true;
    const auto shared = std::make_shared<const std::vector<Stage::Estimate>> (std::move (estimates));
    estimated.stages[s].estimates = shared;
    for (auto &other : estimated.beside)
      other.stages[s].estimates = shared;
    demand ();
  }
  if (!any)
    return false;
  double bytes = 0;
  for (const auto &band : bands)
    bytes += reading (in, estimated, band);
  if (bytes > most_share * reading (in, pass, {0, pass.stages.back ().format->rows ()}))
    return false;
  pass = std::move (estimated);
  return true;
}

// Adds the pass to the surveys of the context. Returns the reason why there can be none, or "".
std::string plan_survey (RunContext &context, int n, std::vector<Rows> bands)
{
  const auto in = context.plan_input ();
  const auto &surveys = facet<Surveys> (*in.net.node (n).task);
  auto unsized = survey_pass (in.net, group_devices (in), n);
  if (const auto *source = once_only (in.net, unsized))
    return text ("%s can be read only once", source->title.c_str ());
  double before = in.base;
  for (const auto &node : in.net.nodes)
    before += static_cast<double> (total (shared_bill (node)));
  if (surveys.leaves_out_rows ()) {
    unsized.bands = bands;
    for (auto &other : unsized.beside)
      other.bands = bands;
  }
  auto pass = unsized;
  const auto fit = [&] (const std::vector<Rows> &some) {
    pass = unsized;
    return size_survey_on_all (in, pass, some, in.limit - before);
  };
  bool fits = false;
  if (surveys.takes_estimates () && let_estimate (in, unsized, bands))
    fits = fit (bands);
  else if (surveys.leaves_out_rows ()) {
    // Joins as many bands as memory allows: joined bands that are cut read more than bands alone.
    for (auto most = bands.size (); most > 1 && !fits; most /= 2) {
      const auto some = joined (in, unsized, bands, most);
      fits = some.size () < bands.size () && fit (some) && pass.items.size () == some.size ();
    }
  } else
    bands = affordable (in, unsized, bands);
  if (!fits && !fit (bands))
    fail (SINO_ERROR_MEMORY,
          "%s: to examine one row of the scan it needs %s, but the memory limit is %s: raise --memory",
          in.net.node (n).title.c_str (), bytes_text (before + pass.all_memory ()).c_str (),
          bytes_text (in.limit).c_str ());
  context.surveys.push_back (std::move (pass));
  return {};
}

} // namespace

bool make_surveys (const std::shared_ptr<RunContext> &context, const std::function<void ()> &watch)
{
  bool any = false;
  for (size_t i = 0; i < context->net.nodes.size (); i++) {
    const int n = static_cast<int> (i);
    const auto wanted = std::make_shared<bool> (false);
    const auto before = context->surveys.size ();
    attend (context, [context, n, wanted] {
      auto &node = context->net.node (n);
      if (node.is_source ())
        return;
      const auto bands = naming (node, [&] { return facet<Surveys> (*node.task).survey (*context->net.input (n, 0)); });
      *wanted = !bands.empty ();
      if (!*wanted)
        return;
      context->set_place (node.title);
      if (const auto missed = plan_survey (*context, n, bands); !missed.empty ())
        naming (node, [&] { facet<Surveys> (*node.task).miss (missed); });
    });
    if (!*wanted)
      continue;
    any = true;
    if (context->surveys.size () > before)
      run_pass (context, context->surveys.back (), watch);
    attend (context, [context, n] {
      renegotiate (context->net, n, [&context] (const auto &title) { context->set_place (title); });
    });
  }
  return any;
}

void refuse_doubts (const Net &net)
{
  for (const auto &node : net.nodes)
    naming (node, [&node] {
      if (const auto doubt = facet<Surveys> (*node.task).doubt (); !doubt.empty ())
        fail (SINO_ERROR_FAILED, "%s, or leave --strict out", doubt.c_str ());
    });
}

} // namespace sino
