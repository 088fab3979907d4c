// SPDX-License-Identifier: LGPL-3.0-or-later
// Work of a run before negotiation: sources that do not know the number of projections in advance take all of them.
#include "base/cancellation.hpp"
#include "base/threads.hpp"
#include "graph/snapshot.hpp"
#include "pass/attend.hpp"
#include "run/run-state.hpp"
#include "run/run.hpp"
#include <algorithm>
#include <thread>

namespace sino {

void Run::announce ()
{
  for (const auto &node : state->graph.nodes ())
    facet<Embedded> (*snapshot (node.task.get ())).announce ();
}

void RunState::rehearse (std::shared_ptr<Run> other, const std::function<void ()> &work)
{
  const auto set = [this] (std::shared_ptr<Run> run) {
    const std::lock_guard guard (mutex);
    rehearsal = std::move (run);
  };
  set (std::move (other));
  context->monitor.check ();
  work ();
  set (nullptr);
}

// Negotiates before any data has come; returns the error in the graph, if there is one.
std::optional<NamedError> Run::rehearse ()
{
  const auto rehearsal = std::make_shared<Run> (state->graph, state->find_options);
  std::optional<NamedError> found;
  state->rehearse (rehearsal, [&] {
    try {
      rehearsal->prepare ();
    } catch (const NamedError &e) {
      found = e;
    } catch (const Error &e) {
      found = NamedError (e.code, e.what (), "");
    }
  });
  return found;
}

// Finds errors before the scan comes: those that occur with two different numbers of projections. A source that cannot
// assume a number may lack its file, too.
void Run::rehearse_all ()
{
  const auto &gathering = state->context->gathering;
  const auto suppose = [&gathering] (int64_t projections) {
    return std::ranges::all_of (
        gathering, [=] (const auto &source) { return facet<Embedded> (*source.task).suppose (projections); });
  };
  suppose (1031);
  const auto other = rehearse ();
  const bool any = suppose (1800);
  if (!other)
    return;
  const auto error = rehearse ();
  if (error && error->code == other->code && std::string_view (error->what ()) == other->what () &&
      (any || (error->code != SINO_ERROR_BAD_FORMAT && error->code != SINO_ERROR_MEMORY &&
               error->code != SINO_ERROR_BAD_FILE)))
    throw NamedError (*error);
}

void Run::gather (const std::function<void (const Progress &)> &watch)
{
  auto &gathering = state->context->gathering;
  for (const auto &node : state->graph.nodes ())
    if (std::shared_ptr<Task> task = snapshot (node.task.get ()); facet<Embedded> (*task).gathers ())
      gathering.push_back ({node.name, title (node), std::move (task)});
  if (gathering.empty ())
    return;
  rehearse_all ();
  const auto begin = std::chrono::steady_clock::now ();
  const auto tell = [&] {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now () - begin;
    if (watch)
      watch ({.frames_done = state->context->monitor.frames (), .seconds = seconds.count ()});
  };
  const auto work = [context = state->context] {
    context->set_place (join (context->gathering, ", ", [] (const auto &source) { return source.title; }));
    const auto gather = [&context] (const RunContext::GatheringSource &source) {
      const WorkingFor scope (context->monitor);
      naming (source, [&] { facet<Embedded> (*source.task).gather (context->monitor); });
    };
    // All sources at once, as a program may push frames to them in turn. If one fails, it wakes the others.
    std::vector<std::thread> threads;
    for (const auto &source : context->gathering)
      context->guard ([&] { add_thread (threads, [&] { context->guard ([&] { gather (source); }); }); });
    for (auto &thread : threads)
      thread.join ();
    if (const auto failure = context->failure ())
      std::rethrow_exception (failure);
    context->monitor.check ();
  };
  attend (state->context, work, tell);
}

void Run::abandon (const std::string &why) noexcept
{
  try {
    for (const auto &node : state->context->net.nodes)
      facet<Embedded> (*node.task).abandon (why);
    for (const auto &source : state->context->gathering)
      facet<Embedded> (*source.task).abandon (why);
    for (const auto &node : state->graph.nodes ())
      facet<Embedded> (*snapshot (node.task.get ())).abandon (why);
  } catch (...) { // the embedding program cannot be informed
  }
}

} // namespace sino
