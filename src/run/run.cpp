// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/run.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/named-error.hpp"
#include "device/devices.hpp"
#include "device/opencl/unregistered.hpp"
#include "glue/binding.hpp"
#include "glue/facets.hpp"
#include "glue/watches.hpp"
#include "graph/properties.hpp"
#include "pass/attend.hpp"
#include "plan/describe.hpp"
#include "plan/outputs.hpp"
#include "plan/planner.hpp"
#include "plan/provenance.hpp"
#include "plan/variant.hpp"
#include "run/driver-start.hpp"
#include "run/learn.hpp"
#include "run/memory.hpp"
#include "run/resume.hpp"
#include "run/run-state.hpp"
#include "run/survey.hpp"
#include "run/work-through.hpp"
#include <algorithm>

namespace sino {

Run::Run (const Graph &graph, std::function<RunOptions ()> options)
    : state (std::make_shared<RunState> (graph, std::move (options)))
{
}

Run::Run (const Graph &graph, const RunOptions &options) : Run (graph, [options] { return options; }) {}

Run::~Run () = default;

// --- prepare ---

// Programs cannot access parts of composites, so such a part must not need the program.
static void check_parts (const Net &net)
{
  for (const auto &node : net.nodes)
    if (node.composite >= 0 &&
        (facet<Embedded> (*node.task).needs_program () || facet<Embedded> (*node.task).gathers ()))
      fail (SINO_ERROR_BAD_GRAPH, "%s cannot be a part of another node: put it into the graph itself",
            node.title.c_str ());
}

// Text if the run takes the CPU although the machine has a GPU whose driver is not registered.
std::string RunState::advice_for_gpu () const
{
  const auto on_cpu = [] (const auto &device) { return device->kind == Device::Kind::native; };
  if (options.found_devices && std::ranges::all_of (context->devices, on_cpu))
    for (const auto &driver : missing_drivers ())
      if (driver.has_device)
        return "the CPU is used: " + driver.advice ();
  return {};
}

void RunState::prepare ()
{
  context->set_place ("the search for devices");
  options = find_options ();
  context->watchdog = options.watchdog;
  context->goes_on = options.goes_on;
  if (!options.confine.empty ())
    context->monitor.confinement = std::make_shared<const Confinement> (options.confine);
  context->read_ahead = options.read_ahead;
  if (options.most_devices > 0 && static_cast<size_t> (options.most_devices) < options.devices.size ())
    options.devices.resize (static_cast<size_t> (options.most_devices));
  share_machine ();
  context->devices = used_as (options.devices, options.use);
  if (context->devices.empty ())
    context->devices.push_back (native_device ());
  unused_gpu = advice_for_gpu ();
  context->set_place ("the energy counters");
  // Energy counters take memory, so they are opened before memory is counted.
  meter.emplace (energy_gpus (context->devices));
  DriverStart drivers (context->devices, [this] { context->set_place ("the device drivers"); });
  context->cpu = std::make_unique<Cpu> (options.threads, context->monitor);
  const auto &suited = options.composed_for ? options.composed_for : chief_of (context->devices);
  context->net = negotiate_net (graph, {*suited, context->cpu->threads ()},
                                [this] (const auto &title) { context->set_place (title); });
  context->net.alone = context->devices.size () == 1 && !context->cluster;
  drivers.wait (); // they take memory, which is counted below
  context->set_place ("the plan");
  check_parts (context->net);
  if (options.strict)
    refuse_doubts (context->net);
  const auto why_not = why_not_resumed (context->net);
  if (options.resume && !why_not.empty ())
    fail (SINO_ERROR_BAD_PROPERTY, "%s", why_not.c_str ());
  if (const auto why = context->cluster ? why_not_shared (context->net) : ""; !why.empty ())
    fail (SINO_ERROR_BAD_GRAPH, "%s", why.c_str ());
  journals = why_not.empty ();
  context->net_complete = true;
  choose_samples ();
  check_writers (context->net, options.trace, options.report);
  check_report ();
  context->meters.nodes.resize (context->net.nodes.size ());
  context->meters.devices.resize (context->devices.size ());
  tell_warnings ();
  const auto alone = MemoryClaim::alone ();
  memory.emplace ();
  context->plan.base = memory->before () + allowance_of (context->devices) + options.aside;
  context->plan.limit = options.memory > 0
                            ? options.memory
                            : memory->now () + allowance_of (context->devices) + 0.8 * available_memory ();
  agree_on_memory ();
  make_plan ();
  settle_journals ();
}

std::vector<DeviceGroup> RunState::ample_groups () const
{
  auto input = context->plan_input ();
  input.most_lanes = all_lanes;
  auto ample = options.use;
  ample.memory = 0;
  const auto devices = options.use.memory > 0 ? used_as (options.devices, ample) : context->devices;
  if (!devices.empty ())
    input.devices = devices;
  return group_devices (input);
}

// If no other run could continue this one, journals are only looked for, not written.
void RunState::settle_journals ()
{
  const auto key = journals ? run_key (graph, context->net, ample_groups ()) : RunKey ();
  for (size_t n = 0; n < context->net.nodes.size (); n++) {
    const auto &node = context->net.nodes[n];
    if (!node.is_sink ())
      continue;
    naming (node, [&] {
      facet<Writes> (*node.task)
          .keep_journal (!journals        ? Journals::none
                         : options.resume ? Journals::resumed
                                          : Journals::kept,
                         key);
    });
    if (auto said = finished_text (node); !said.empty ())
      context->meters.nodes[n].messages.add (std::move (said), Messages::Level::info);
  }
  tell_warnings (); // about finished files that no longer exist
}

void RunState::tell_warnings ()
{
  for (size_t n = 0; n < context->net.nodes.size (); n++) {
    const auto &task = *context->net.nodes[n].task;
    auto &messages = context->meters.nodes[n].messages;
    for (auto &text : task.warnings ())
      messages.add (std::move (text), facet<Surveys> (task).level_of_warnings ());
    if (const auto *kernels = task.kernels ())
      for (auto &text : kernels->doubts ())
        messages.add (std::move (text));
  }
}

// Makes the plan for the current formats.
void RunState::make_plan ()
{
  context->set_place ("the plan");
  context->plan = sino::make_plan (context->plan_input ());
  tell_warnings (); // includes warnings about the choice of kernels
  compare_plans ();
  planned = context->plan.peak;
  memory->set (context->plan.peak - memory->before ());
  limit = context->plan.limit;
  tell_provenance (graph, context->net, ample_groups ());
  keep_items ();
  bytes_total = slices_total = frames_total = 0;
  for (const auto &node : context->net.nodes)
    if (facet<Embedded> (*node.task).waits_outside () && node.is_source ())
      frames_total += node.format->angles ();
  for (const auto &pass : context->plan.passes)
    for (const auto &stage : pass.stages) {
      if (!stage.is_target ())
        continue;
      bytes_total += static_cast<int64_t> (stage.format->bytes ());
      if (pass.counts_slices (stage))
        slices_total += stage.format->rows ();
    }
}

void Run::prepare ()
{
  state->telling_others ([this] {
    attend (state->context, [run = state] { run->prepare (); });
    state->rehearse_verification ();
  });
  state->prepared = true;
}

// --- facts that prepare () provides ---

const Plan &Run::plan () const
{
  return state->context->plan;
}

std::string Run::describe () const
{
  return describe_plan (Facts (VariantPtr (plan_variant ())));
}

std::string Run::dot () const
{
  return dot_plan (Facts (VariantPtr (plan_variant ())));
}

GVariant *Run::plan_variant () const
{
  return g_variant_ref_sink (sino::plan_variant (state->context->plan_input (), plan ()));
}

// --- execute ---

void Run::execute (const std::function<void (const Progress &)> &watch)
{
  if (state->executed)
    fail (SINO_ERROR_FAILED, "a run can be executed once");
  if (!state->prepared)
    prepare ();
  state->begin = std::chrono::steady_clock::now ();
  state->executed = true;
  auto &context = *state->context;
  const auto end = [this] {
    state->energy = state->meter->energy ();
    state->seconds = std::chrono::duration<double> (std::chrono::steady_clock::now () - state->begin).count ();
  };
  try {
    state->meter->begin ();
    if (!state->options.trace.empty ())
      context.trace = std::make_unique<Trace> (state->options.trace);
    const auto at_work = [&] {
      state->meter->watch ();
      context.guard ([&] { state->tell_others (); });
      if (watch)
        watch (progress ());
    };
    work_through (state, at_work); // run_pass (pass/pipeline) for each pass
    if (!context.samples.empty () && !state->options.only_samples)
      verify ();
    state->finish_part ();
  } catch (const std::exception &e) {
    end ();
    state->tell_failure ();
    report_failure ("failed", e.what ());
    throw;
  } catch (const Cancelled &e) {
    end ();
    state->tell_failure ();
    report_failure ("cancelled", e.message);
    throw;
  } catch (...) {
    end ();
    state->tell_failure ();
    throw;
  }
  end ();
  learn (context);
  if (context.trace)
    context.trace->write ();
  write_report ("done", {});
  if (watch)
    watch (progress ());
}

void Run::cancel (Patience::Time patience)
{
  state->context->patience.set (patience);
  state->context->cancel ();
  std::shared_ptr<Run> rehearsal; // a rehearsal that begins after this sees that the run is cancelled
  {
    const std::lock_guard guard (state->mutex);
    rehearsal = state->rehearsal;
  }
  if (rehearsal)
    rehearsal->cancel (patience);
}

void Run::set_live (const std::string &node, const std::string &property, const std::string &word)
{
  const auto &found = state->graph.nodes ()[state->graph.find (node)];
  const auto live = live_properties (found.task.get ());
  auto *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (found.task.get ()), property.c_str ());
  if (spec && std::ranges::find (live, spec->name) == live.end ())
    fail (SINO_ERROR_BAD_PROPERTY, "%s: %s is read when a run begins, and cannot be changed during the run; %s",
          title (found).c_str (), property.c_str (),
          live.empty () ? "no property of this node can" : ("properties that can are " + join (live)).c_str ());
  const std::lock_guard guard (state->mutex);
  const auto before = spec ? property_text (found.task.get (), spec) : "";
  set_property (found, property, word);
  if (const auto *type = task_type (G_OBJECT_TYPE (found.task.get ())))
    try {
      facet<Watches> (*type->snapshot (found.task.get ())).was_set (spec->name);
    } catch (const Error &e) {
      set_property (found, property, before);
      throw NamedError (e.code, title (found) + ": " + e.what (), found.name, spec->name);
    }
}

bool Run::began () const
{
  return state->executed;
}

Progress Run::progress () const
{
  const auto &meters = state->context->meters;
  Progress p;
  p.done = meters.bytes_taken;
  p.total = state->bytes_total;
  p.slices_total = state->slices_total;
  p.slices_done = meters.slices_taken;
  p.updates_done = meters.updates;
  p.frames_done = state->context->monitor.frames ();
  p.frames_total = state->frames_total;
  for (const auto &share : state->other_shares ()) {
    p.done += share.bytes;
    p.slices_done += share.slices;
    p.updates_done += share.updates;
  }
  p.slices_done = std::min (p.slices_done, p.slices_total); // some slices arrived twice if a device failed
  const double ended = state->seconds;
  if (ended >= 0)
    p.seconds = ended;
  else if (state->executed)
    p.seconds = std::chrono::duration<double> (std::chrono::steady_clock::now () - state->begin).count ();
  return p;
}

std::vector<Message> Run::messages () const
{
  std::vector<Message> list;
  const auto &context = *state->context;
  if (!state->unused_gpu.empty ())
    list.push_back ({"", "devices", state->unused_gpu, true});
  for (size_t n = 0; n < context.net.nodes.size (); n++) {
    const auto &messages = context.meters.nodes[n].messages;
    auto texts = messages.read ();
    for (size_t i = 0; i < texts.size (); i++)
      list.push_back ({context.net.nodes[n].name, context.net.nodes[n].title, std::move (texts[i]),
                       messages.level (i) == Messages::Level::warning});
  }
  return list;
}

RunStatistics Run::statistics () const
{
  RunStatistics result;
  const auto &context = *state->context;
  const auto now = progress ();
  result.seconds = now.seconds;
  result.frames_done = now.frames_done;
  result.frames_total = now.frames_total;
  result.updates = context.meters.updates;
  result.voxels = context.meters.voxels;
  for (const auto &share : state->other_shares ()) {
    result.updates += share.updates;
    result.voxels += share.voxels;
  }
  if (state->seconds >= 0)
    result.energy = state->energy;
  result.peak_memory = peak_resident_memory ();
  result.resident_memory = resident_memory ();
  result.planned_memory = state->planned;
  result.memory_limit = state->limit;
  result.running = state->seconds < 0;
  if (!state->prepared)
    return result;
  const auto since_begin = [&] (int64_t clock, double otherwise) {
    return clock ? static_cast<double> (clock - state->begin.time_since_epoch ().count ()) * 1e-9 : otherwise;
  };
  for (size_t d = 0; d < context.devices.size (); d++)
    result.devices.push_back ({context.devices[d]->id, context.meters.devices[d].items, context.meters.devices[d].rows,
                               context.failure_of (d)});
  if (context.cluster)
    result.ranks = state->all_shares ();
  double longest = 0;
  for (size_t n = 0; n < context.net.nodes.size (); n++) {
    const auto &meter = context.meters.nodes[n];
    result.tasks.push_back ({context.net.nodes[n].name, meter.blocks_in, meter.blocks_out,
                             static_cast<double> (meter.busy) * 1e-9, static_cast<double> (meter.waiting) * 1e-9,
                             since_begin (meter.first_in, 0), since_begin (meter.last_out, result.seconds),
                             meter.bytes_in, meter.bytes_out, meter.queued, meter.room, meter.counters.read (),
                             meter.messages.read ()});
    if (result.tasks.back ().busy > longest) {
      longest = result.tasks.back ().busy;
      result.bottleneck = result.tasks.back ().node;
    }
  }
  return result;
}

} // namespace sino
