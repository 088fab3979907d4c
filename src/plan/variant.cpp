// SPDX-License-Identifier: LGPL-3.0-or-later
#include "plan/variant.hpp"
#include "base/variant.hpp"
#include "plan/bill.hpp"
#include "plan/cost.hpp"
#include "plan/demand.hpp"
#include "plan/duration.hpp"
#include <cmath>
#include <ranges>

namespace sino {

namespace {

// Names of a stage's role: as a word, and before the title of its node.
struct RoleNames {
  const char *word, *of_title;
};

const RoleNames &names_of (const Stage &stage)
{
  static constexpr RoleNames names[] = {{"task", ""},
                                        {"load", "the materialised output of "},
                                        {"save", "materialise the output of "},
                                        {"survey", "examine the input of "}};
  return names[static_cast<size_t> (stage.role)];
}

// "the materialised output of 'read'"
std::string stage_title (const PlanInput &in, const Stage &stage)
{
  return names_of (stage).of_title + in.net.node (stage.node).title;
}

// The busiest resource of a pass: "the processors", or a stage.
std::string busiest_title (const PlanInput &in, const Pass &pass)
{
  const auto &time = pass.expected;
  return *time.shared ? time.shared : stage_title (in, pass.stage (time.busiest));
}

// Size in bytes of the pieces in which a source reads files; 0 for other stages.
double piece_bytes (const PlanInput &in, const Pass &pass, size_t s)
{
  const auto &stage = pass.stages[s];
  const auto &node = in.net.node (stage.node);
  const bool reads = stage.role == Stage::Role::task && node.is_source () &&
                     !naming (node, [&] { return node.task->files (); }).empty ();
  return reads ? pass.cost.streams[s].read / pieces_read (pass, s) : 0;
}

// A task's remark about its work in a stage, or "".
std::string remark_of (const PlanInput &in, const Pass &pass, const Stage &stage)
{
  if (stage.role != Stage::Role::task)
    return {};
  return remark_of (in.net.node (stage.node), in.device (), lanes_taken (in.net, pass, stage));
}

const char *name_of (Device::Memory memory)
{
  return memory == Device::Memory::own ? "device" : memory == Device::Memory::host ? "host" : "shared";
}

GVariant *to_variant (const Format &format)
{
  Dict dict;
  dict.add ("text", format.describe ())
      .add ("kind", sino::name_of (format.kind ()))
      .add ("element", sino::name_of (format.element));
  dict.add ("axes", format.axes, [] (const Dim &dim) {
    return Dict ()
        .add ("axis", sino::name_of (dim.axis))
        .add ("extent", dim.extent)
        .add ("first", dim.first)
        .add ("step", dim.step)
        .end ();
  });
  return dict.end ();
}

Dict &add_item (Dict &dict, const BillItem &item)
{
  return dict.add ("name", item.name)
      .add ("bytes", static_cast<double> (item.all ()))
      .add ("pieces", item.pieces)
      .add ("piece-bytes", static_cast<double> (item.bytes));
}

GVariant *bill_of_all (const PlanInput &in, const Plan &plan)
{
  return Dict::array (items_of_run (in, plan), [&in] (const RunItem &taken) {
    Dict dict;
    if (taken.node >= 0)
      dict.add ("node", in.net.node (taken.node).name).add ("title", in.net.node (taken.node).title);
    return add_item (dict, taken.item).end ();
  });
}

GVariant *bill_of (const PlanInput &in, const Pass &pass, int stage)
{
  return Dict::array (items_of_stage (in, pass, stage), [] (const DeviceItem &item) {
    Dict dict;
    return add_item (dict, item.taken.item)
        .add ("device", item.device->id)
        .add ("memory", item.taken.own ? "device" : "host")
        .end ();
  });
}

GVariant *stage_variant (const PlanInput &in, const Pass &pass, size_t s)
{
  const auto &stage = pass.stages[s];
  const auto &node = in.net.node (stage.node);
  Dict dict;
  dict.add ("node", node.name).add ("title", stage_title (in, stage)).add ("role", names_of (stage).word);
  GVariantBuilder producers;
  g_variant_builder_init (&producers, G_VARIANT_TYPE ("ai"));
  for (const int producer : stage.producers)
    g_variant_builder_add (&producers, "i", producer);
  dict.add ("inputs", g_variant_builder_end (&producers)).add ("format", to_variant (*stage.format));
  if (!stage.is_target ())
    dict.add ("lanes", stage.layout.lanes)
        .add ("block-bytes", stage.sizes.block)
        .add ("pool-blocks", stage.sizes.pool)
        .add ("memory", name_of (stage.sizes.memory))
        .add ("held", stage.held);
  dict.add ("requests", stage.sizes.requests)
      .add ("rows-ahead", stage.sizes.ahead)
      .add ("takes-lanes", takes_lanes (in.net, stage));
  if (const double bytes = piece_bytes (in, pass, s); bytes > 0)
    dict.add ("piece-bytes", bytes);
  if (const auto remark = remark_of (in, pass, stage); !remark.empty ())
    dict.add ("remark", remark);
  if (s < pass.expected.stages.size ()) {
    const auto &time = pass.expected.stages[s];
    dict.add ("seconds", time.seconds);
    if (time.ratio > 0)
      dict.add ("time-ratio", time.ratio);
  }
  return dict.add ("bill", bill_of (in, pass, static_cast<int> (s))).end ();
}

GVariant *expected (const PlanInput &in, const Pass &pass)
{
  const auto &time = pass.expected;
  Dict dict;
  dict.add ("seconds", time.seconds)
      .add ("busy", time.busy)
      .add ("left", time.left)
      .add ("busiest", busiest_title (in, pass))
      .add ("ends", time.ends)
      .add ("fresh", time.fresh)
      .add ("bottleneck", stage_title (in, pass.stage (time.busiest)))
      .add ("bottleneck-seconds", time.longest);
  return dict.add ("plain-rows", pass.plain.rows).add ("plain-seconds", pass.plain.seconds).end ();
}

// Adds the properties of the pass on the devices of `in`.
void add_own (Dict &dict, const PlanInput &in, const Pass &pass)
{
  double sent = 0, back = 0;
  for (size_t s = 0; s < pass.stages.size (); s++) {
    sent += bytes_sent (in.net, pass, s, in.device ());
    back += bytes_back (in.net, pass, s, in.device ());
  }
  std::vector<std::string> ids;
  for (const auto &device : *pass.devices)
    ids.push_back (device->id);
  dict.add ("devices", ids)
      .add ("batch", pass.sizes.batch)
      .add ("memory", pass.memory.host)
      .add ("device-memory", pass.memory.device)
      .add ("bytes-sent", sent)
      .add ("bytes-back", back)
      .add ("expected", expected (in, pass))
      .add ("bill", bill_of (in, pass, -1))
      .add ("stages", std::views::iota (size_t{0}, pass.stages.size ()),
            [&] (size_t s) { return stage_variant (in, pass, s); });
}

// Nodes that look at rows before the run.
GVariant *surveys_of (const PlanInput &in)
{
  std::vector<std::pair<const NetNode *, int64_t>> surveys;
  for (size_t n = 0; n < in.net.nodes.size (); n++) {
    const auto &node = in.net.nodes[n];
    if (node.is_source ())
      continue;
    int64_t rows = 0;
    for (const auto &band :
         naming (node, [&] { return facet<Surveys> (*node.task).survey (*in.net.input (static_cast<int> (n), 0)); }))
      rows += band.size ();
    if (rows > 0)
      surveys.emplace_back (&node, rows);
  }
  return Dict::array (surveys, [] (const auto &survey) {
    const auto &[node, rows] = survey;
    return Dict ().add ("node", node->name).add ("title", node->title).add ("rows", rows).end ();
  });
}

GVariant *pass_variant (const PlanInput &in, const Pass &pass)
{
  Dict dict;
  dict.add ("number", pass.number)
      .add ("work-items", pass.items.size ())
      .add ("item-rows", pass.sizes.item_rows)
      .add ("peak", pass.all_memory ())
      .add ("bytes-read", pass.cost.read)
      .add ("bytes-needed", pass.cost.needed)
      .add ("bytes-written", bytes_written (in.net, pass))
      .add ("repeats", pass.cost.repeats);
  add_own (dict, in.on (pass), pass);
  dict.add ("beside", pass.beside, [&] (const Pass &other) {
    Dict more;
    add_own (more, in.on (other), other);
    return more.end ();
  });
  return dict.end ();
}

} // namespace

GVariant *plan_variant (const PlanInput &in, const Plan &plan)
{
  Dict dict;
  dict.add ("devices", in.devices, [] (const auto &device) {
    return Dict ()
        .add ("id", device->id)
        .add ("name", device->name)
        .add ("kind", device->kind == Device::Kind::native ? "native" : "opencl")
        .add ("memory", device->own_memory ())
        .add ("memory-limit", std::isfinite (device->room ()) ? device->room () : 0.0)
        .add ("memory-asked", device->use.memory)
        .end ();
  });
  dict.add ("threads", in.threads);
  dict.add ("memory", Dict ()
                          .add ("base", plan.base)
                          .add ("peak", plan.peak)
                          .add ("limit", plan.limit)
                          .add ("bill", bill_of_all (in, plan))
                          .end ());
  const bool unlike = !plan.passes.empty () && !plan.passes[0].beside.empty ();
  dict.add ("choices", in.net.composites, [&] (const Composed &composite) {
    Dict choice;
    choice.add ("node", composite.name).add ("title", composite.title).add ("why", composite.inner.why);
    if (unlike)
      choice.add ("device", chief_of (in.devices)->id);
    return choice.end ();
  });
  dict.add ("surveys", surveys_of (in));
  dict.add ("passes", plan.passes, [&] (const Pass &pass) { return pass_variant (in, pass); });
  dict.add ("materialised", plan.stores, [&] (const PlannedStore &store) {
    return Dict ()
        .add ("node", in.net.node (store.node).name)
        .add ("title", in.net.node (store.node).title)
        .add ("where", store.in_memory ? "memory" : "scratch file")
        .add ("bytes", store.bytes)
        .end ();
  });
  return dict.end ();
}

} // namespace sino
