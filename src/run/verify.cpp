// SPDX-License-Identifier: LGPL-3.0-or-later
// Computes some slices of a run again, with other kernels if there are any, and compares them with its own.
#include "base/error.hpp"
#include "glue/foreign.hpp"
#include "graph/properties.hpp"
#include "graph/snapshot.hpp"
#include "plan/bill.hpp"
#include "run/run-state.hpp"
#include "run/run.hpp"
#include <algorithm>
#include <malloc.h>

namespace sino {

namespace {

// Largest difference between slices of different kernels, relative to the largest value: 1e-5 is usual; `rounded` is
// for precisions that round more, which the other kernels also use.
constexpr double usual = 5e-5, rounded = 2e-3;

constexpr double allocators_keep = 4 << 20; // bytes that allocators keep of the memory that passes have returned

bool is_rounded (const Graph &graph)
{
  return std::ranges::any_of (graph.nodes (), [] (const Node &node) {
    auto *precision = g_object_class_find_property (G_OBJECT_GET_CLASS (node.task.get ()), "precision");
    return precision && is_set (node.task.get (), precision);
  });
}

// Also true if a part of a composite rounds.
bool rounds (const Graph &graph, const Net &net)
{
  return is_rounded (graph) || std::ranges::any_of (net.composites, [] (const Composed &composite) {
           return is_rounded (composite.inner.graph);
         });
}

// The graph with sinks that discard their input.
Graph without_sinks (const Graph &graph)
{
  Graph result;
  for (const auto &node : graph.nodes ())
    if (has_output (node.task.get ()))
      result.add (copy (node.task.get ()), node.name);
    else
      result.add ("null", node.name);
  for (const auto &edge : graph.edges ())
    result.connect (edge.from, edge.to, edge.input);
  return result;
}

} // namespace

// Called before anything is computed.
void RunState::choose_samples ()
{
  context->samples.clear ();
  if (options.verify <= 0)
    return;
  for (auto &node : context->net.nodes) {
    if (node.is_source () &&
        (facet<Embedded> (*node.task).needs_program () || facet<Reads> (*node.task).access () == Access::once))
      fail (SINO_ERROR_BAD_GRAPH, "%s can be read only once, but to verify slices the data must be read again",
            node.title.c_str ());
    if (!node.is_sink () || !Samples::fit (*node.format))
      continue;
    const auto &samples =
        context->samples.emplace (node.name, std::make_unique<Samples> (options.verify, node.format->rows ()))
            .first->second;
    node.samples = std::ssize (samples->wanted ());
  }
  if (context->samples.empty ())
    fail (SINO_ERROR_BAD_GRAPH, "there is nothing to verify: no sink takes f32 slices");
  for (const auto &node : context->net.nodes)
    if (!node.is_sink () && dynamic_cast<const ForeignTask *> (node.task.get ()))
      fail (SINO_ERROR_BAD_GRAPH,
            "%s is written in C or Python, and such an object can be part of only one run at a time, so that slices "
            "cannot be computed again: leave verify out",
            node.title.c_str ());
}

// Slices that an earlier run has finished are not computed again.
void RunState::leave_out_samples ()
{
  for (size_t n = 0; n < context->net.nodes.size (); n++) {
    const auto &node = context->net.nodes[n];
    const auto samples = context->samples.find (node.name);
    if (samples == context->samples.end () || !facet<Writes> (*node.task).complete_before ())
      continue;
    context->meters.nodes[n].messages.add (
        text ("%zu slices to verify are complete from an earlier run: they are not computed again",
              samples->second->wanted ().size ()));
    for (const auto rows : facet<Writes> (*node.task).finished_rows ())
      samples->second->leave_out (rows);
  }
}

// A run on the CPU that computes the samples.
std::shared_ptr<Run> RunState::run_of_samples () const
{
  auto other = options;
  other.devices = {native_device ()};
  other.composed_for = chief_of (context->devices); // gives composites the same parts
  other.only_samples = true;
  other.trace.clear ();
  other.report.clear ();
  other.resume = false;
  if (context->cluster)
    other.memory = context->plan.limit; // free memory is shared with the other ranks
  other.cluster = nullptr;              // the run computes only slices that this rank has made
  return std::make_shared<Run> (without_sinks (graph), other);
}

// Checks before any work that verification fits into memory: the memory that the run will have returned by then.
void RunState::rehearse_verification ()
{
  if (context->samples.empty () || options.only_samples)
    return;
  double kept = allocators_keep;
  for (const auto &node : context->net.nodes)
    kept += static_cast<double> (total (shared_bill (node)));
  memory->set (kept);
  try {
    const auto run = run_of_samples ();
    rehearse (run, [&run] { run->prepare (); });
  } catch (const Error &error) {
    fail (error.code, "verification on native: %s", error.what ());
  }
  memory->set (context->plan.peak - memory->before ());
}

void RunState::keep_items ()
{
  auto &passes = context->plan.passes;
  if (!options.only_samples || passes.size () != 1)
    return;
  for (auto &item : passes[0].items)
    item.finished = std::ranges::none_of (context->samples, [&] (const auto &each) {
      return std::ranges::any_of (each.second->wanted (), [&] (int64_t row) { return item.rows.place (row) >= 0; });
    });
}

// Returns the differences as text for people; empty if all compared slices are equal within the limit.
std::string Run::compare_samples ()
{
  auto &context = *state->context;
  if (std::ranges::all_of (context.samples, [] (const auto &each) { return each.second->wanted ().empty (); }))
    return {};     // an earlier run or other ranks have made the samples
  malloc_trim (0); // the memory of the passes is free now
  state->memory->set (0);
  const auto again = state->run_of_samples ();
  try {
    state->rehearse (again, [&] { again->execute ([this] (const Progress &) { state->tell_others (); }); });
  } catch (const Error &error) {
    state->tell_others (); // if another rank has failed, throws that failure instead
    fail (error.code, "slices could not be computed again to verify them: %s", error.what ());
  }
  const bool native = std::ranges::none_of (state->options.devices,
                                            [] (const auto &device) { return device->kind != Device::Kind::native; });
  const double most = native ? 0 : rounds (state->graph, context.net) ? rounded : usual;
  for (size_t n = 0; n < context.net.nodes.size (); n++) {
    const auto &node = context.net.nodes[n];
    const auto found = context.samples.find (node.name);
    if (found == context.samples.end () || found->second->wanted ().empty ())
      continue;
    const auto [part, row] = found->second->worst (*again->state->context->samples.at (node.name));
    if (part > most)
      return text ("%s: slice %" G_GINT64_FORMAT
                   " was computed again on native, and differs by %.2g of the largest value, but at most %.2g is "
                   "allowed: the device, its driver or its memory is not reliable",
                   node.title.c_str (), node.format->axes[0].number (row), part, most);
    context.meters.nodes[n].messages.add (
        text ("%zu slices were computed again on native, and differ by at most %.2g of the largest value",
              found->second->wanted ().size (), part),
        Messages::Level::info);
  }
  return {};
}

// If one rank finds wrong slices, all ranks drop their results before that rank reports it.
void Run::verify ()
{
  const auto &cluster = state->context->cluster;
  const auto &monitor = state->context->monitor;
  if (cluster)
    for (auto &[name, samples] : state->context->samples)
      samples->leave_out_others ();
  const auto wrong = compare_samples ();
  const auto distrust = [this] {
    for (const auto &node : state->context->net.nodes)
      facet<Writes> (*node.task).distrust ();
  };
  bool any = !wrong.empty ();
  try {
    if (cluster)
      any = !cluster->agree (any ? "wrong" : "", monitor, [] (const auto &said) { return join (said, ""); }).empty ();
  } catch (...) { // another rank has failed, or all are cancelled
    if (any)
      distrust ();
    throw;
  }
  if (!any)
    return;
  distrust ();
  state->meet ();
  if (wrong.empty ())
    state->meet (); // throws what the other rank reports
  fail (SINO_ERROR_FAILED, "%s", wrong.c_str ());
}

} // namespace sino
