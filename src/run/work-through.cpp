// SPDX-License-Identifier: LGPL-3.0-or-later
#include "run/work-through.hpp"
#include "base/cancellation.hpp"
#include "pass/attend.hpp"
#include "pass/joint-work.hpp"
#include "pass/pipeline.hpp"
#include "run/resume.hpp"
#include "run/survey.hpp"

namespace sino {

// A store exists from the pass that writes it to the last one that reads it.
static void open_stores (RunContext &context, const Pass &pass)
{
  const WorkingFor scope (context.monitor);
  for (const auto &stage : pass.stages)
    for (const auto &store : context.plan.stores)
      if (stage.role == Stage::Role::save && stage.node == store.node)
        context.stores[store.node] = context.cluster ? shared_store (context, stage.format)
                                                     : std::make_unique<Store> (stage.format, store.in_memory);
}

static void close_stores (RunContext &context, size_t next_pass)
{
  std::erase_if (context.stores, [&] (const auto &entry) {
    for (size_t p = next_pass; p < context.plan.passes.size (); p++)
      for (const auto &stage : context.plan.passes[p].stages)
        if (stage.role == Stage::Role::load && stage.node == entry.first)
          return false;
    return true;
  });
}

void work_through (const std::shared_ptr<RunState> &state, const std::function<void ()> &at_work)
{
  auto &context = *state->context;
  if (make_surveys (state->context, at_work))
    attend (state->context, [run = state] {
      if (run->options.strict)
        refuse_doubts (run->context->net);
      run->make_plan ();
    });
  state->leave_out_samples ();
  const auto finished = leave_out_finished (context.net, context.plan, context.samples);
  if (!context.cluster || context.cluster->leads ()) {
    context.meters.bytes_taken += finished.bytes;
    context.meters.slices_taken += finished.slices;
  }
  state->clear_abandoned ();
  state->agree_on_finished ();
  state->meet (); // all ranks must have read the outputs before the first rank opens them
  for (size_t p = 0; p < context.plan.passes.size (); p++) {
    const auto &pass = context.plan.passes[p];
    if (pass.over ())
      continue;
    open_stores (context, pass);
    run_pass (state->context, pass, at_work);
    state->meet (); // waits until all ranks have written their part of the stored streams
    close_stores (context, p + 1);
  }
}

} // namespace sino
