// SPDX-License-Identifier: LGPL-3.0-or-later
// Builds a running pass: its workers, and the channels and pools between them.
#include "glue/several.hpp"
#include "pass/joint-work.hpp"
#include "pass/running-pass.hpp"
#include "pass/store-workers.hpp"
#include "plan/bill.hpp"
#include "plan/demand.hpp"

namespace sino {

RunningPass::RunningPass (std::shared_ptr<RunContext> g, const Pass &p)
    : context (std::move (g)), pass (p), goes_on (can_go_on ()), handout (hand_out (*context, pass))
{
  for (const auto &item : pass.items)
    if (!item.finished)
      open.push_back (&item);
  for (size_t device = 0; device < context->devices.size (); device++)
    if (context->failure_of (device).empty ())
      add_replica (device);
    else
      handout.drop (device, {});
}

// Whether the pass can continue without a device that fails. Work items that the device has begun are then repeated
// from the start by another one. That is wrong for a task that takes all items in order (it has seen part of one), for
// a task that waits for a program (it has handed part of one over), and for a survey (it adds up what it sees).
bool RunningPass::can_go_on () const
{
  const auto whole = [this] (const Stage &stage) {
    const auto &task = *context->net.node (stage.node).task;
    return stage.role != Stage::Role::task || (!task.serial () && !facet<Embedded> (task).waits_outside ());
  };
  return context->goes_on && context->devices.size () > 1 && pass.number > 0 &&
         std::ranges::all_of (pass.stages, whole);
}

// Whether any device after this one still works.
bool RunningPass::has_device_after (size_t number) const
{
  for (size_t other = number + 1; other < context->devices.size (); other++)
    if (context->failure_of (other).empty ())
      return true;
  return false;
}

void RunningPass::add_replica (size_t number)
{
  const auto &device = *context->devices[number];
  auto &replica =
      replicas.emplace_back (number, pass.on (device), device, goes_on ? context->add_monitor () : context->monitor);
  try {
    build (replica);
  } catch (const Error &error) {
    const bool others = replicas.size () > 1 || has_device_after (number);
    if (!goes_on || !others || error.code != SINO_ERROR_DEVICE)
      throw;
    const auto failed = std::ranges::find_if (replica.stages, [] (const RunningStage &each) { return !each.worker; });
    context->leave_out (number, pass.stage (failed - replica.stages.begin ()).node, error.what ());
    handout.drop (number, {});
    replicas.pop_back ();
  }
}

Trace::Lane *RunningPass::trace_lane (const std::string &node, const Stage &stage, const Device &device) const
{
  const auto role = stage.role == Stage::Role::save     ? "materialise "
                    : stage.role == Stage::Role::load   ? "read back "
                    : stage.role == Stage::Role::survey ? "look for "
                                                        : "";
  return context->trace->add (device.id, role + node, pass.number);
}

std::shared_ptr<Worker> RunningPass::make_worker (RunningReplica &replica, size_t s, std::shared_ptr<Allotment> &memory)
{
  const auto &own = replica.pass;
  const auto &stage = own.stages[s];
  if (stage.role == Stage::Role::save)
    return std::make_shared<SaveWorker> (*context->stores.at (stage.node));
  if (stage.role == Stage::Role::load)
    return std::make_shared<LoadWorker> (*context->stores.at (stage.node));
  const auto &node = context->net.node (stage.node);
  std::vector<Layout> layouts;
  for (const int producer : stage.producers)
    layouts.push_back (producer < 0 ? Layout{} : taken (own, stage, producer));
  const auto inputs = context->net.inputs (node);
  auto &meter = context->meters.node (stage.node);
  context->set_place (node.title);
  memory = std::make_shared<Allotment> (worker_bill (context->plan_input (), own, s, replica.device));
  const bool survey = stage.role == Stage::Role::survey;
  const DeviceSpans::Starting scope (context->trace && on_device (context->net, stage, replica.device)
                                         ? context->trace->add_queues (replica.device.id, node.name, pass.number)
                                         : nullptr);
  return naming (node, [&] {
    const auto failed = [this, &replica, s] (const std::exception_ptr &what) {
      guard (replica, s, [&] { naming (node_of (s), [&] { std::rethrow_exception (what); }); });
    };
    // A target's buffers hold data of work items that have ended. If the device is left out, these data must still be
    // written.
    auto &monitor = stage.is_target () ? context->monitor : replica.monitor;
    const Replica place{.device = replica.device,
                        .cpu = *context->cpu,
                        .monitor = monitor,
                        .failed = failed,
                        .counters = meter.counters,
                        .messages = meter.messages,
                        .memory = *memory,
                        .inputs = inputs,
                        .output = node.is_sink () || survey ? nullptr : stage.format.get (),
                        .input_layouts = layouts,
                        .output_layout = stage.layout,
                        .once = make_once (*context, stage.node)};
    allow (node, stage, replica.device);
    if (survey)
      return facet<Surveys> (*node.task).look (place);
    std::unique_ptr<Worker> worker;
    start_together (*context, stage.node, [&] { worker = node.task->start (place); });
    return worker;
  });
}

void RunningPass::build (RunningReplica &replica)
{
  auto &monitor = replica.monitor;
  const auto &own = replica.pass;
  const auto &device = replica.device;
  replica.stages.resize (own.stages.size ());
  for (size_t s = 0; s < own.stages.size (); s++) {
    const auto &stage = own.stages[s];
    auto &at_work = replica.stages[s];
    const auto &node = context->net.node (stage.node);
    auto *meter = &context->meters.node (stage.node);
    at_work.clock =
        std::make_unique<StageClock> (*meter, context->trace ? trace_lane (node.name, stage, device) : nullptr);
    for (const int producer : stage.producers) {
      const auto copies = producer < 0 ? nullptr : pool_of_copies (monitor, stage, own.stage (producer).sizes.block);
      at_work.channels.push_back (producer < 0 ? nullptr : std::make_unique<Channel> (monitor, meter->queued));
      at_work.inputs.push_back (
          producer < 0
              ? nullptr
              : std::make_unique<StageInput> (InputEnd{
                    *at_work.channels.back (), copies, taken (own, stage, producer),
                    on_device (context->net, stage, device), meter, at_work.clock.get (),
                    stage.is_target () && stage.role != Stage::Role::survey ? &context->meters : nullptr,
                    own.counts_slices (stage),
                    stage.role == Stage::Role::task && stage.is_target () ? context->samples_of (stage.node) : nullptr,
                    stage.role == Stage::Role::survey ? pass.bands : std::vector<Rows> ()}));
    }
    const bool serial = stage.role == Stage::Role::task && node.task->serial ();
    if (serial && &replica != &replicas.front ()) {
      at_work.memory = replicas.front ().stages[s].memory;
      at_work.worker = replicas.front ().stages[s].worker;
      at_work.turn = replicas.front ().stages[s].turn;
    } else {
      at_work.worker = make_worker (replica, s, at_work.memory);
      at_work.turn = serial ? std::make_shared<Turn> () : nullptr;
    }
  }
  for (size_t s = 0; s < own.stages.size (); s++) {
    const auto &stage = own.stages[s];
    if (stage.is_target ())
      continue;
    std::vector<Channel *> consumers;
    for (const auto &[consumer, port] : stage.consumers) {
      consumers.push_back (replica.stages[static_cast<size_t> (consumer)].channels[static_cast<size_t> (port)].get ());
      context->meters.node (own.stage (consumer).node).room += stage.sizes.pool;
    }
    replica.stages[s].output = std::make_unique<StageOutput> (
        stage, pool_of (*context, monitor, own, stage, device), on_device (context->net, stage, device), consumers,
        &context->meters.node (stage.node), replica.stages[s].clock.get (), lend_of (context->net, own, stage, device),
        stage.producers.empty () ? &context->gate : nullptr);
  }
}

} // namespace sino
