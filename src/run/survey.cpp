// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/survey.hpp"
#include "base/error.hpp"
#include "run/attend.hpp"
#include "run/beside.hpp"
#include "run/bill.hpp"
#include "run/demand.hpp"
#include "run/pipeline.hpp"
#include "run/sizing.hpp"
#include "run/strategy.hpp"

namespace sino {

namespace {

// A source upstream that can be read only once, null where there is none.
const NetNode *once_only (const Net &net, const Pass &pass)
{
  for (const auto &stage : pass.stages) {
    const auto &node = net.nodes[static_cast<size_t> (stage.node)];
    if (node.is_source () && node.task->access () == Access::once)
      return &node;
  }
  return nullptr;
}

// Bytes that the sources read for bands of rows, and for everything.
struct Reading {
  double bands = 0, all = 0;
};

Reading reading (const PlanInput &in, Pass &pass, const std::vector<Rows> &bands)
{
  Reading bytes;
  const auto read = [&] (const Rows &rows) {
    double sum = 0;
    const auto demanded = demanded_rows (in.net, pass, {0, rows});
    for (size_t s = 0; s < pass.stages.size (); s++)
      if (const auto &node = in.net.nodes[static_cast<size_t> (pass.stages[s].node)]; node.is_source ())
        sum += bytes_read (node, demanded[s]);
    return sum;
  };
  for (const auto &band : bands)
    bytes.bands += read (band);
  bytes.all = read ({0, pass.stages.back ().format->rows ()});
  return bytes;
}

// Puts the pass among those of the context. Returns why there can be none, or "".
std::string plan_survey (RunContext &context, int n, std::vector<Rows> bands)
{
  const auto in = context.plan_input ();
  auto pass = survey_pass (in.net, group_devices (in), n);
  if (const auto *source = once_only (in.net, pass))
    return text ("%s can be read only once", source->title.c_str ());
  // Where each projection is a compressed chunk, a band costs as much as all of the scan.
  if (const auto bytes = reading (in, pass, bands); bands.size () > 1 && bytes.bands > bytes.all)
    bands = {bands[bands.size () / 2]};
  double before = in.base;
  for (const auto &node : in.net.nodes)
    before += static_cast<double> (total (shared_bill (node)));
  if (!size_survey_on_all (in, pass, bands, in.limit - before))
    fail (SINO_ERROR_MEMORY, "%s: to look at a row of the scan it needs %s, and the memory limit is %s: raise --memory",
          in.net.nodes[static_cast<size_t> (n)].title.c_str (), bytes_text (before + pass.all_memory ()).c_str (),
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
      auto &node = context->net.nodes[static_cast<size_t> (n)];
      if (node.is_source ())
        return;
      const auto bands = naming (node.title, [&] { return node.task->survey (*context->net.input (n, 0)); });
      *wanted = !bands.empty ();
      if (!*wanted)
        return;
      context->set_place (node.title);
      if (const auto missed = plan_survey (*context, n, bands); !missed.empty ())
        naming (node.title, [&] { node.task->miss (missed); });
    });
    if (!*wanted)
      continue;
    any = true;
    if (context->surveys.size () > before) {
      run_pass (context, context->surveys.back (), watch);
      if (const auto failure = context->failure ())
        std::rethrow_exception (failure);
      context->monitor.check ();
    }
    attend (context, [context, n] {
      renegotiate (context->net, n, [&context] (const auto &title) { context->set_place (title); });
    });
  }
  return any;
}

} // namespace sino
