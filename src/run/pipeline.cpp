// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/pipeline.hpp"
#include "base/cancellation.hpp"
#include "base/team.hpp"
#include "base/threads.hpp"
#include "glue/several.hpp"
#include "run/bill.hpp"
#include "run/demand.hpp"
#include "run/ends.hpp"
#include "run/handout.hpp"
#include "run/store-workers.hpp"
#include <thread>

namespace sino {

namespace {

// A task that must not run twice at the same time takes the work items in their order. The order is the same for all
// such tasks, so the oldest work item can always go on and nothing waits in a circle.
struct Turn {
  int next = 0; // work item
  Bell passed;
};

struct StageRun {
  std::shared_ptr<Allotment> memory; // of the worker
  std::shared_ptr<Worker> worker;
  std::vector<std::unique_ptr<Channel>> channels; // per input port
  std::vector<std::unique_ptr<StageInput>> inputs;
  std::unique_ptr<StageOutput> output;
  std::shared_ptr<Turn> turn; // turn of a serial task
  std::unique_ptr<StageClock> clock;
};

// A thread and the stages that it works on, a team where they are several.
struct Crew {
  size_t first, number;
  std::unique_ptr<Team> team;
  std::thread thread;
  bool ended = false;
};

// A work item that a replica has begun, until all of its stages are done with it.
struct Begun {
  const Item *item;
  size_t left; // stages
  std::once_flag counted;
  std::vector<Rows> rows; // rows that each stage puts out
};

// The stages of one device and the work items that it took.
struct ReplicaRun {
  const size_t number;
  const Pass &pass; // as this device runs it
  const Device &device;
  std::vector<StageRun> stages;
  std::deque<Crew> crews;
  std::deque<Begun> items;
};

struct PassRun {
  const std::shared_ptr<RunContext> context;
  const Pass &pass;
  std::deque<ReplicaRun> replicas;
  std::vector<const Item *> open; // items that are not finished
  Handout handout;
  Bell handed_out; // or ended
  int running = 0; // threads

  PassRun (std::shared_ptr<RunContext> g, const Pass &p);
  void build (ReplicaRun &replica);
  Layout taken (const Pass &own, const Stage &stage, int producer) const
  {
    return layout_taken (context->net, stage, own.stages[static_cast<size_t> (producer)].layout);
  }
  std::shared_ptr<Worker> make_worker (const ReplicaRun &replica, size_t s, std::shared_ptr<Allotment> &memory) const;
  Trace::Lane *trace_lane (const std::string &node, const Stage &stage, const Device &device) const;

  void make_crews (ReplicaRun &replica);
  const std::string &title_of (size_t s) const
  {
    return context->net.nodes[static_cast<size_t> (pass.stages[s].node)].title;
  }

  // The nth work item of a replica; a new one, where it should take one, when all it has are begun. Null: none is left.
  Begun *begin (ReplicaRun &replica, size_t n);
  void end (ReplicaRun &replica, Begun &item);

  void start_threads (const std::shared_ptr<PassRun> &self);
  void leave_behind ();

  void work (ReplicaRun &replica, size_t s);
  void take_items (ReplicaRun &replica, size_t s);
  void work_on (ReplicaRun &replica, size_t s, Begun &item);
};

PassRun::PassRun (std::shared_ptr<RunContext> g, const Pass &p)
    : context (std::move (g)), pass (p), handout (hand_out (*context, pass))
{
  for (const auto &item : pass.items)
    if (!item.finished)
      open.push_back (&item);
  for (const auto &device : context->devices) {
    auto &replica = replicas.emplace_back (replicas.size (), pass.on (*device), *device);
    build (replica);
    make_crews (replica);
  }
}

Trace::Lane *PassRun::trace_lane (const std::string &node, const Stage &stage, const Device &device) const
{
  const auto role = stage.role == Stage::Role::save     ? "materialise "
                    : stage.role == Stage::Role::load   ? "read back "
                    : stage.role == Stage::Role::survey ? "look for "
                                                        : "";
  return context->trace->add (device.id, role + node, pass.number);
}

std::shared_ptr<Worker> PassRun::make_worker (const ReplicaRun &replica, size_t s,
                                              std::shared_ptr<Allotment> &memory) const
{
  const auto &own = replica.pass;
  const auto &stage = own.stages[s];
  if (stage.role == Stage::Role::save)
    return std::make_shared<SaveWorker> (*context->stores.at (stage.node));
  if (stage.role == Stage::Role::load)
    return std::make_shared<LoadWorker> (*context->stores.at (stage.node));
  const auto &node = context->net.nodes[static_cast<size_t> (stage.node)];
  std::vector<Layout> layouts;
  for (const int producer : stage.producers)
    layouts.push_back (producer < 0 ? Layout{} : taken (own, stage, producer));
  const auto inputs = context->net.inputs (stage.node);
  auto &meter = context->meters.nodes[static_cast<size_t> (stage.node)];
  context->set_place (node.title);
  memory = std::make_shared<Allotment> (worker_bill (context->plan_input (), own, s, replica.device));
  const bool survey = stage.role == Stage::Role::survey;
  const DeviceSpans::Starting scope (context->trace && on_device (context->net, stage, replica.device)
                                         ? context->trace->add_queues (replica.device.id, node.name, pass.number)
                                         : nullptr);
  return naming (node.title, [&] {
    const auto failed = [run = context, &title = node.title] (auto what) { run->fail_in (title, std::move (what)); };
    const Replica place{replica.device, *context->cpu,  context->monitor,
                        failed,         meter.counters, meter.messages,
                        *memory,        inputs,         node.is_sink () || survey ? nullptr : stage.format.get (),
                        layouts,        stage.layout};
    allow_at_once (*node.task, replica.device, stage.at_once);
    return survey ? node.task->look (place) : node.task->start (place);
  });
}

void PassRun::build (ReplicaRun &replica)
{
  auto &monitor = context->monitor;
  const auto &own = replica.pass;
  const auto &device = replica.device;
  replica.stages.resize (own.stages.size ());
  for (size_t s = 0; s < own.stages.size (); s++) {
    const auto &stage = own.stages[s];
    auto &run = replica.stages[s];
    const auto &node = context->net.nodes[static_cast<size_t> (stage.node)];
    auto *meter = &context->meters.nodes[static_cast<size_t> (stage.node)];
    run.clock = std::make_unique<StageClock> (*meter, context->trace ? trace_lane (node.name, stage, device) : nullptr);
    for (const int producer : stage.producers) {
      const auto copies =
          producer < 0 ? nullptr : pool_of_copies (monitor, stage, own.stages[static_cast<size_t> (producer)].block);
      run.channels.push_back (producer < 0 ? nullptr : std::make_unique<Channel> (monitor, meter->queued));
      run.inputs.push_back (
          producer < 0 ? nullptr
                       : std::make_unique<StageInput> (InputEnd{
                             *run.channels.back (), copies, taken (own, stage, producer),
                             on_device (context->net, stage, device), meter, run.clock.get (),
                             stage.is_target () && stage.role != Stage::Role::survey ? &context->meters : nullptr,
                             own.counts_slices (stage)}));
    }
    const bool serial = stage.role == Stage::Role::task && node.task->serial ();
    if (serial && replica.number > 0) {
      run.memory = replicas.front ().stages[s].memory;
      run.worker = replicas.front ().stages[s].worker;
      run.turn = replicas.front ().stages[s].turn;
    } else {
      run.worker = make_worker (replica, s, run.memory);
      run.turn = serial ? std::make_shared<Turn> () : nullptr;
    }
  }
  for (size_t s = 0; s < own.stages.size (); s++) {
    const auto &stage = own.stages[s];
    if (stage.is_target ())
      continue;
    std::vector<Channel *> consumers;
    for (const auto &[consumer, port] : stage.consumers) {
      consumers.push_back (replica.stages[static_cast<size_t> (consumer)].channels[static_cast<size_t> (port)].get ());
      context->meters.nodes[static_cast<size_t> (own.stages[static_cast<size_t> (consumer)].node)].room += stage.pool;
    }
    replica.stages[s].output = std::make_unique<StageOutput> (
        stage, pool_of (*context, own, stage, device), on_device (context->net, stage, device), consumers,
        &context->meters.nodes[static_cast<size_t> (stage.node)], replica.stages[s].clock.get (),
        lend_of (context->net, own, stage, device));
  }
}

// A thread for each stage, or, where they are very many, for as many neighbours as it takes. A stage that waits for
// something outside of the run is alone: nobody could take its thread meanwhile.
void PassRun::make_crews (ReplicaRun &replica)
{
  const size_t stages = pass.stages.size (), crews = std::min (stages, context->most_crews);
  const auto crew_of = [&] (size_t s) { return ((s + 1) * crews - 1) / stages; };
  const auto alone = [&] (size_t s) {
    const auto &stage = pass.stages[s];
    return stage.role == Stage::Role::task &&
           context->net.nodes[static_cast<size_t> (stage.node)].task->waits_outside ();
  };
  for (size_t first = 0, end = 1; first < stages; first = end++) {
    while (end < stages && crew_of (end) == crew_of (first) && !alone (first) && !alone (end))
      end++;
    auto &crew = replica.crews.emplace_back (first, end - first, nullptr, std::thread ());
    if (crew.number == 1)
      continue;
    crew.team = std::make_unique<Team> (context->monitor);
    for (size_t s = first; s < end; s++)
      crew.team->add ([this, &replica, s] { work (replica, s); });
  }
}

Begun *PassRun::begin (ReplicaRun &replica, size_t n)
{
  auto lock = context->monitor.lock ();
  context->monitor.wait (lock, handed_out, [&] {
    return n < replica.items.size () || handout.left () == 0 || handout.may_take (replica.number);
  });
  if (n == replica.items.size () && handout.left () > 0) {
    replica.items.emplace_back (open[handout.take (replica.number, StageClock::Clock::now ())], pass.stages.size ());
    context->monitor.changed (handed_out);
  }
  return n < replica.items.size () ? &replica.items[n] : nullptr;
}

void PassRun::end (ReplicaRun &replica, Begun &item)
{
  const auto lock = context->monitor.lock ();
  if (--item.left > 0)
    return;
  item.rows = {};
  handout.end (replica.number, StageClock::Clock::now ());
  if (pass.number > 0) // else a survey, which is no part of the work
    context->meters.devices[replica.number].add (item.item->rows);
  context->monitor.changed (handed_out);
}

void PassRun::work (ReplicaRun &replica, size_t s)
{
  context->guard ([&] { take_items (replica, s); });
  // Here, as this may hang: the run can leave this thread behind, but not the one that destroys the worker.
  context->guard ([&] { naming (title_of (s), [&] { replica.stages[s].worker->end (); }); });
}

void PassRun::take_items (ReplicaRun &replica, size_t s)
{
  auto &monitor = context->monitor;
  auto &run = replica.stages[s];
  for (size_t n = 0; auto *current = begin (replica, n); n++) {
    if (run.turn) {
      auto lock = monitor.lock ();
      monitor.wait (lock, run.turn->passed, [&] { return run.turn->next == current->item->index; });
    }
    work_on (replica, s, *current);
    if (run.turn) {
      const auto lock = monitor.lock ();
      run.turn->next++;
      monitor.changed (run.turn->passed);
    }
    end (replica, *current);
  }
}

void PassRun::work_on (ReplicaRun &replica, size_t s, Begun &current)
{
  const auto &net = context->net;
  const auto &own = replica.pass;
  const auto &stage = own.stages[s];
  auto &run = replica.stages[s];
  const auto &node = net.nodes[static_cast<size_t> (stage.node)];
  std::call_once (current.counted, [&] { current.rows = demanded_rows (net, pass, *current.item); });
  const auto &rows = current.rows;
  std::vector<Input *> inputs;
  for (size_t port = 0; port < stage.producers.size (); port++) {
    inputs.push_back (run.inputs[port].get ());
    if (stage.producers[port] < 0)
      continue;
    const auto p = static_cast<size_t> (stage.producers[port]);
    const auto &format = *own.stages[p].format;
    run.inputs[port]->begin (blocks_of (format, rows[p], own.batch, own.row_step),
                             rows_needed (net, stage, port, rows[s]));
  }
  if (run.output)
    run.output->begin (blocks_of (*stage.format, rows[s], own.batch, own.row_step));
  run.clock->begin (current.item->rows);
  naming (node.title, [&] {
    run.worker->run (inputs, run.output.get ());
    for (const auto &input : run.inputs)
      if (input)
        input->check_complete ();
    if (run.output)
      run.output->check_complete ();
  });
  run.clock->end ();
  const auto updates = node.task->updates_per_row ();
  if (!run.output || stage.role != Stage::Role::task || updates == 0)
    return;
  const auto slices = static_cast<double> (run.output->rows_pushed ());
  context->meters.updates += updates * slices;
  if (stage.format->kind () == Kind::slices)
    context->meters.voxels +=
        slices * static_cast<double> (stage.format->extent (Axis::y) * stage.format->extent (Axis::x));
}

void PassRun::start_threads (const std::shared_ptr<PassRun> &self)
{
  for (auto &replica : replicas)
    for (auto &crew : replica.crews) {
      {
        const auto lock = context->monitor.lock ();
        running++;
      }
      try {
        crew.thread = start_thread ([self, &replica, &crew] {
          const WorkingFor scope (self->context->monitor);
          if (crew.team)
            crew.team->run ();
          else
            self->work (replica, crew.first);
          const auto lock = self->context->monitor.lock ();
          crew.ended = true;
          self->running--;
          self->context->monitor.changed ();
        });
      } catch (...) {
        const auto lock = context->monitor.lock ();
        running--;
        throw;
      }
    }
}

// Threads in a call that does not return keep all that they touch alive; the run ends without them.
void PassRun::leave_behind ()
{
  std::vector<std::string> stuck;
  {
    const auto lock = context->monitor.lock ();
    for (const auto &replica : replicas)
      for (const auto &crew : replica.crews) {
        if (crew.ended || !crew.thread.joinable ())
          continue;
        const auto &stage = pass.stages[crew.first + (crew.team ? crew.team->at_work () : 0)];
        stuck.push_back (context->net.nodes[static_cast<size_t> (stage.node)].title);
      }
  }
  if (stuck.empty () && context->waking ())
    stuck.emplace_back (unlock_of_a_task);
  if (stuck.empty ())
    return; // the last one came back just now
  for (auto &replica : replicas)
    for (auto &crew : replica.crews)
      if (crew.thread.joinable ())
        crew.thread.detach ();
  context->patience.fail (join (stuck), context->failure ());
}

} // namespace

void run_pass (const std::shared_ptr<RunContext> &context, const Pass &pass, const std::function<void ()> &watch)
{
  const auto made = std::make_shared<std::shared_ptr<PassRun>> ();
  attend (context, [made, context, &pass] { *made = std::make_shared<PassRun> (context, pass); }); // workers open files
  const auto run = std::move (*made);
  try {
    run->start_threads (run);
  } catch (...) {
    context->fail_with (std::current_exception ());
  }
  const auto guarded_watch = [&] {
    try {
      wake_if_cancelled (context);
      if (watch)
        watch ();
    } catch (...) {
      context->fail_with (std::current_exception ());
    }
  };
  while (!context->patience.wait (
      context->monitor, [&] { return run->running == 0 && !context->waking (); }, guarded_watch))
    run->leave_behind ();
  end_waking (context);
  for (auto &replica : run->replicas)
    for (auto &crew : replica.crews)
      if (crew.thread.joinable ())
        crew.thread.join ();
}

} // namespace sino
