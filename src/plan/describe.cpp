// SPDX-License-Identifier: LGPL-3.0-or-later
// The plan in words, and as a Graphviz graph.
#include "plan/describe.hpp"
#include "plan/bill.hpp"
#include "plan/cost.hpp"
#include "plan/demand.hpp"
#include "plan/duration.hpp"

namespace sino {

namespace {

std::string seconds_text (double seconds)
{
  return text (seconds < 10 ? "%.2g s" : "%.0f s", seconds);
}

// Expected time of the pass, and the gain from the size of its work items.
std::string time_text (const PlanInput &in, const Pass &pass)
{
  const auto &time = pass.expected;
  auto out =
      text ("  about %s: %s for %s, %s while the first work item comes and the last one goes, %s for fresh memory\n",
            seconds_text (time.seconds).c_str (), seconds_text (time.busy).c_str (), busiest_title (in, pass).c_str (),
            seconds_text (time.ends).c_str (), seconds_text (time.fresh).c_str ());
  if (pass.plain.rows != pass.sizes.item_rows)
    out += text ("  work items of %" G_GINT64_FORMAT " rows would take %s\n", pass.plain.rows,
                 seconds_text (pass.plain.seconds).c_str ());
  else if (pass.plain.seconds > time.seconds)
    out += text ("  blocks and pools of usual sizes would take %s\n", seconds_text (pass.plain.seconds).c_str ());
  return out;
}

// Size of the pieces in which a source reads, and how many are in flight.
std::string pieces_text (const PlanInput &in, const Pass &pass, size_t s)
{
  const int requests = pass.stages[s].sizes.requests;
  std::string out;
  if (const double bytes = piece_bytes (in, pass, s); bytes > 0)
    out += text ("; reads pieces of %s", bytes_text (bytes).c_str ());
  if (requests > 1)
    out += text ("; %d requests at a time", requests);
  return out;
}

std::string pool_text (const Stage &stage)
{
  if (stage.is_target ())
    return {};
  const auto lanes = stage.layout.lanes > 1 ? text (", %d lanes", stage.layout.lanes) : std::string ();
  return text ("%s%s; %" G_GINT64_FORMAT " blocks of %s%s", stage.format->describe ().c_str (), lanes.c_str (),
               stage.sizes.pool, bytes_text (static_cast<double> (stage.sizes.block)).c_str (),
               stage.held ? ", held for a join" : "") +
         (stage.sizes.memory == Device::Memory::own    ? " in the device's memory"
          : stage.sizes.memory == Device::Memory::host ? ""
                                                       : " shared with the device");
}

std::string names_of (std::span<const std::shared_ptr<const Device>> devices)
{
  return join (devices, ", ", [] (const auto &device) { return device->id; });
}

// Peak memory of a device, and the bytes that go there and come back.
std::string device_text (const PlanInput &in, const Pass &pass)
{
  const auto &device = in.device ();
  if (device.kind == Device::Kind::native)
    return {};
  const auto traffic = traffic_of (in, pass);
  const auto holds = bytes_text (pass.memory.device);
  const auto *const each = in.devices.size () > 1 ? "each device" : "the device";
  auto out = device.own_memory () > 0 || device.use.memory > 0
                 ? text ("  holds %s of %s's %s", holds.c_str (), each,
                         bytes_text (device.use.memory > 0 ? device.room () : device.own_memory ()).c_str ())
                 : text ("  %s works in %s of the host's memory", each, holds.c_str ());
  return out + text ("; %s go there and %s come back%s\n", bytes_text (traffic.sent).c_str (),
                     bytes_text (traffic.back).c_str (), device.own_memory () > 0 ? "" : ", which stay in place");
}

// The stages as the devices of `in` run them.
std::string describe_stages (const PlanInput &in, const Pass &pass)
{
  std::string out;
  out += device_text (in, pass);
  out += time_text (in, pass);
  out += bill_of_stage (in, pass, -1);
  for (size_t s = 0; s < pass.stages.size (); s++) {
    const auto &stage = pass.stages[s];
    out += text ("  %-28s %s", stage_title (in, stage).c_str (), pool_text (stage).c_str ());
    out += pieces_text (in, pass, s);
    for (const int producer : stage.producers)
      if (const auto given = producer < 0 ? Layout{} : pass.stage (producer).layout;
          layout_taken (in.net, stage, given).lanes != given.lanes)
        out += text ("; takes %d lanes apart", given.lanes);
    if (const auto remark = remark_of (in, pass, stage); !remark.empty ())
      out += "; " + remark;
    out += "\n" + bill_of_stage (in, pass, static_cast<int> (s));
  }
  out += text ("  expected bottleneck: %s, about %s\n", stage_title (in, pass.stage (pass.expected.busiest)).c_str (),
               seconds_text (pass.expected.longest).c_str ());
  return out;
}

std::string describe_pass (const PlanInput &in, const Pass &pass, size_t number)
{
  const auto blocks = [] (const Pass &own) {
    return text ("%" G_GINT64_FORMAT " projections per block", own.sizes.batch);
  };
  std::string out = text ("pass %zu: %zu work item%s of %" G_GINT64_FORMAT " rows, ", number, pass.items.size (),
                          pass.items.size () == 1 ? "" : "s", pass.sizes.item_rows);
  if (pass.beside.empty ())
    out += blocks (pass) + ", ";
  out += "peak " + bytes_text (pass.all_memory ()) + "\n";
  if (pass.cost.read > 0)
    out += text ("  reads %s from storage for %s of data\n", bytes_text (pass.cost.read).c_str (),
                 bytes_text (pass.cost.needed).c_str ());
  if (const double bytes = bytes_written (in.net, pass); bytes > 0)
    out += text ("  writes %s of data to storage\n", bytes_text (bytes).c_str ());
  pass.each ([&] (const Pass &own) {
    if (!pass.beside.empty ())
      out += " on " + names_of (*own.devices) + ": " + blocks (own) + ", peak " + bytes_text (own.memory.host) + "\n";
    out += describe_stages (in.on (own), own);
  });
  return out;
}

std::string describe_devices (const PlanInput &in)
{
  const auto several = in.devices.size () > 1;
  return (several ? "devices " : "device ") +
         join (in.devices, ", ", [] (const auto &device) { return device->id + " (" + device->name + ")"; });
}

} // namespace

std::string stage_title (const PlanInput &in, const Stage &stage)
{
  const auto &title = in.net.node (stage.node).title;
  switch (stage.role) {
  case Stage::Role::load:
    return "the materialised output of " + title;
  case Stage::Role::save:
    return "materialise the output of " + title;
  case Stage::Role::survey:
    return "look at the input of " + title;
  case Stage::Role::task:
    break;
  }
  return title;
}

std::string busiest_title (const PlanInput &in, const Pass &pass)
{
  const auto &time = pass.expected;
  return *time.shared ? time.shared : stage_title (in, pass.stage (time.busiest));
}

Traffic traffic_of (const PlanInput &in, const Pass &pass)
{
  Traffic bytes;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    bytes.sent += bytes_sent (in.net, pass, s, in.device ());
    bytes.back += bytes_back (in.net, pass, s, in.device ());
  }
  return bytes;
}

double piece_bytes (const PlanInput &in, const Pass &pass, size_t s)
{
  const auto &stage = pass.stages[s];
  const auto &node = in.net.node (stage.node);
  const bool reads = stage.role == Stage::Role::task && node.is_source () &&
                     !naming (node.title, [&] { return node.task->files (); }).empty ();
  return reads ? pass.cost.streams[s].read / pieces_read (pass, s) : 0;
}

std::string remark_of (const PlanInput &in, const Pass &pass, const Stage &stage)
{
  if (stage.role != Stage::Role::task)
    return {};
  return remark_of (in.net.node (stage.node), in.device (), lanes_taken (in.net, pass, stage));
}

std::vector<Survey> surveys_of (const PlanInput &in)
{
  std::vector<Survey> surveys;
  for (size_t n = 0; n < in.net.nodes.size (); n++) {
    const auto &node = in.net.nodes[n];
    if (node.is_source ())
      continue;
    int64_t rows = 0;
    for (const auto &band : naming (
             node.title, [&] { return facet<Surveys> (*node.task).survey (*in.net.input (static_cast<int> (n), 0)); }))
      rows += band.size ();
    if (rows > 0)
      surveys.push_back ({&node, rows});
  }
  return surveys;
}

std::string describe_plan (const PlanInput &in, const Plan &plan)
{
  std::string out = text ("%s, %d threads\nmemory: %s at most, limit %s, %s taken before the run\n",
                          describe_devices (in).c_str (), in.threads, bytes_text (plan.peak).c_str (),
                          bytes_text (plan.limit).c_str (), bytes_text (plan.base).c_str ());
  out += bill_of_run (in, plan);
  const bool unlike = !plan.passes.empty () && !plan.passes[0].beside.empty ();
  for (const auto &composite : in.net.composites)
    out +=
        text ("%s: %s%s\n", composite.title.c_str (), composite.inner.why.c_str (),
              unlike ? text ("; chosen for %s, and the same on all", chief_of (in.devices)->id.c_str ()).c_str () : "");
  for (const auto &[node, rows] : surveys_of (in))
    out += text ("%s: looks at %" G_GINT64_FORMAT " rows before the run\n", node->title.c_str (), rows);
  for (size_t p = 0; p < plan.passes.size (); p++)
    out += describe_pass (in, plan.passes[p], p + 1);
  for (const auto &store : plan.stores)
    out += text ("materialised: the output of %s, %s in %s\n", in.net.node (store.node).title.c_str (),
                 bytes_text (store.bytes).c_str (), store.in_memory ? "memory" : "a scratch file");
  return out;
}

std::string dot_plan (const PlanInput &in, const Plan &plan)
{
  std::string out = "digraph sinograph {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  for (size_t p = 0; p < plan.passes.size (); p++) {
    const auto &pass = plan.passes[p];
    out += text ("  subgraph cluster_%zu {\n    label=\"pass %zu: %zu x %" G_GINT64_FORMAT " rows\";\n", p, p + 1,
                 pass.items.size (), pass.sizes.item_rows);
    for (size_t s = 0; s < pass.stages.size (); s++)
      out += text ("    p%zus%zu [label=%s];\n", p, s, in_double_quotes (stage_title (in, pass.stages[s])).c_str ());
    out += "  }\n";
    for (size_t s = 0; s < pass.stages.size (); s++)
      for (const auto &[consumer, port] : pass.stages[s].consumers)
        out += text ("  p%zus%zu -> p%zus%d [label=%s];\n", p, s, p, consumer,
                     in_double_quotes (pass.stages[s].format->describe ()).c_str ());
  }
  return out + "}\n";
}

} // namespace sino
