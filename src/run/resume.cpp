// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/resume.hpp"
#include "base/cancellation.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/files/build-ids.hpp"
#include "graph/json-writer.hpp"
#include "plan/demand.hpp"
#include <algorithm>
#include <span>

namespace sino {

namespace {

// Messages about nodes that prevent a run from being done in parts.
struct InParts {
  bool (Writes::*can_write) () const;
  const char *sink, *source, *serial;
};

std::string why_not (const Net &net, const InParts &parts)
{
  for (const auto &node : net.nodes) {
    const auto &task = *node.task;
    if (node.is_sink () && !(facet<Writes> (task).*parts.can_write) ())
      return node.title + ": " + parts.sink;
    if (node.is_source () && facet<Reads> (task).access () != Access::random)
      return node.title + ": " + parts.source;
    if (!node.is_sink () && task.serial ())
      return node.title + ": " + parts.serial;
  }
  return {};
}

} // namespace

std::string why_not_resumed (const Net &net)
{
  return why_not (
      net,
      {.can_write = &Writes::resumes,
       .sink = "its output cannot be continued: only uncompressed TIFF with a file per slice (slices/%05i.tif), "
               "HDF5, MetaImage, NRRD and VGStudio can; leave --resume out",
       .source = "can be read only once, so that a run cannot continue in the middle: leave --resume out",
       .serial = "needs all work items in order, so that a run cannot continue in the middle: leave --resume out"});
}

std::string why_not_shared (const Net &net)
{
  return why_not (
      net,
      {.can_write = &Writes::shared,
       .sink = "several ranks cannot write to this output: only to uncompressed TIFF with a file per slice "
               "(slices/%05i.tif), HDF5, MetaImage, NRRD and VGStudio; or give --mpi=off and start one process",
       .source = "can be read only once, and not by several ranks: give --mpi=off and start one process",
       .serial =
           "needs all work items in order, which several ranks cannot provide: give --mpi=off and start one process"});
}

namespace {

// Size and time of each file that a task reads.
std::string state_of_files (const Task &task)
{
  std::string all;
  for (const auto &stamp : task.files ())
    all += text ("%lld %lld %lld\n", static_cast<long long> (stamp.size), static_cast<long long> (stamp.seconds),
                 static_cast<long long> (stamp.nanoseconds));
  return all;
}

// The geometry of a source, which may come from another file than its pixels.
std::string geometry_of (const NetNode &node)
{
  if (!node.is_source () || !node.format->geometry)
    return {};
  const auto &geometry = *node.format->geometry;
  std::vector<double> all;
  const auto add = [&all] (std::span<const double> numbers) {
    all.push_back (static_cast<double> (numbers.size ()));
    all.insert (all.end (), numbers.begin (), numbers.end ());
  };
  add (geometry.angles);
  add (geometry.axis);
  for (const auto &view : geometry.views) {
    step_unless_cancelled ();
    all.push_back (view.parallel ? 1 : 0);
    for (const auto &each : {view.source, view.corner, view.column, view.row})
      all.insert (all.end (), {each.x, each.y, each.z});
  }
  for (const auto &number : {geometry.pixel_size, geometry.energy, geometry.distance})
    all.push_back (number.value_or (-1));
  all.push_back (geometry.rows_apart);
  return {reinterpret_cast<const char *> (all.data ()), all.size () * sizeof (double)};
}

std::string kernels_on (const Net &net, const DeviceGroup &group)
{
  std::string all;
  for (const auto &node : net.nodes)
    if (!node.is_sink ())
      all +=
          node.name + ": " + remark_of (node, *group.devices->front (), input_lanes (net, node, group.layouts)) + "\n";
  return all;
}

// Joins one text for each kind of device, in the order in which results name them; equal devices count once.
std::string join_kinds (const std::vector<DeviceGroup> &groups, const char *between, const auto &said_of)
{
  std::vector<std::string> all;
  for (const auto &group : groups)
    if (auto said = said_of (group); std::ranges::find (all, said) == all.end ())
      all.push_back (std::move (said));
  return join (all, between);
}

bool is_finished (const std::vector<Rows> &finished, Rows rows)
{
  for (const auto some : finished)
    if (some.begin <= rows.begin && rows.begin < some.end)
      rows.begin = some.end;
  return rows.empty ();
}

// Adds what the targets of an item have, if everything that the pass writes for it exists; false if not. Streams kept
// for later passes are not considered.
bool leave_out (LeftOut &all, const Net &net, const Pass &pass, const Item &item, const SamplesOfNodes &samples)
{
  const auto rows = demanded_rows (net, pass, item);
  auto sum = all;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    if (!stage.is_target ())
      continue;
    const auto &node = net.node (stage.node);
    // Slices for verification must be computed once more; the earlier run ended before it verified them.
    const auto some = samples.find (node.name);
    const auto wanted = [&] (int64_t row) { return rows[s].place (row) >= 0; };
    if (stage.role == Stage::Role::task &&
        (!is_finished (facet<Writes> (*node.task).finished_rows (), rows[s]) ||
         (some != samples.end () && std::ranges::any_of (some->second->wanted (), wanted))))
      return false;
    sum.bytes += static_cast<int64_t> (stage.format->bytes () / static_cast<double> (stage.format->rows ()) *
                                       static_cast<double> (rows[s].size ()));
    sum.slices += pass.counts_slices (stage) ? rows[s].size () : 0;
  }
  all = sum;
  return true;
}

} // namespace

std::string kernels_digest (const Net &net, const std::vector<DeviceGroup> &groups)
{
  return digest_of (join_kinds (groups, "\n", [&net] (const DeviceGroup &group) { return kernels_on (net, group); }));
}

RunKey run_key (const Graph &graph, const Net &net, const std::vector<DeviceGroup> &groups)
{
  const auto devices = join_kinds (groups, ", ", [] (const DeviceGroup &group) {
    const auto &device = *group.devices->front ();
    return device.name + " " + device.about ();
  });
  auto graphs = to_json (graph, show_json); // includes the parts of nodes, which may come from files
  for (const auto &composite : net.composites)
    graphs += composite.name + "\n" + to_json (composite.inner.graph, show_json);
  RunKey key{{"graph", digest_of (graphs)},
             {"build of the program", build_of_program ()},
             {"kind of devices", devices},
             {"choice of kernels", kernels_digest (net, groups)}};
  for (const auto &node : net.nodes)
    if (const auto files = state_of_files (*node.task) + geometry_of (node); !files.empty ())
      key.emplace_back ("state of the files that " + node.title + " reads", digest_of (files));
  return key;
}

std::string finished_text (const NetNode &sink)
{
  int64_t rows = 0;
  const auto finished = facet<Writes> (*sink.task).finished_rows ();
  for (const auto some : finished)
    rows += some.size ();
  const auto all = sink.format->rows ();
  if (finished.empty ())
    return {};
  return text ("%lld of %lld %s are complete from an earlier run", static_cast<long long> (rows),
               static_cast<long long> (all), sink.format->kind () == Kind::slices ? "slices" : "rows");
}

LeftOut leave_out_finished (const Net &net, Plan &plan, const SamplesOfNodes &samples)
{
  LeftOut all;
  bool wanted = false; // whether a stream that the pass keeps is needed
  for (auto pass = plan.passes.rbegin (); pass != plan.passes.rend (); ++pass) {
    const bool keeps =
        std::ranges::any_of (pass->stages, [] (const Stage &stage) { return stage.role == Stage::Role::save; });
    if (!keeps || !wanted)
      for (auto &item : pass->items)
        if (leave_out (all, net, *pass, item, samples))
          item.finished = true;
    wanted = wanted || !pass->over ();
  }
  return all;
}

} // namespace sino
