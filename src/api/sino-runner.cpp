// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-runner.h"
#include "api/contents.hpp"
#include "api/link.hpp"
#include "api/option-properties.hpp"
#include "api/sino-enums.h"
#include "api/sino-object-ptr.hpp"
#include "api/statistics.hpp"
#include "base/shown.hpp"
#include "base/variant.hpp"
#include "glue/held.hpp"
#include "glue/program/signals.hpp"
#include "run/run.hpp"
#include <mutex>
#include <set>

using sino::guarded;
using sino::Run;

namespace {

using sino::VariantPtr;
guint progress_signal = 0, message_signal = 0;

struct RunnerContents {
  sino::RunWords words;
  std::atomic_flag running{};
  std::atomic<const SinoGraph *> graph{}; // graph of the present run
  // Protects the members below. Recursive, because a callback for a live property may call the runner.
  std::recursive_mutex mutex;
  std::shared_ptr<Run> current;              // the run that is executed now
  VariantPtr statistics;                     // statistics of the last run
  std::shared_ptr<sino::RunWatcher> watcher; // null: nobody watches

  static constexpr auto properties = sino::option_properties<&RunnerContents::words> ();

  static void add_signals (GType type)
  {
    progress_signal = g_signal_new ("progress", type, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr, G_TYPE_NONE, 4,
                                    G_TYPE_DOUBLE, G_TYPE_INT64, G_TYPE_INT64, G_TYPE_DOUBLE);
    message_signal = g_signal_new ("message", type, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr, G_TYPE_NONE, 3,
                                   G_TYPE_STRING, SINO_TYPE_MESSAGE_LEVEL, G_TYPE_STRING);
  }
};

} // namespace

using RunnerObject = sino::Held<RunnerContents>;

GType sino_runner_get_type (void)
{
  return RunnerObject::gtype ("SinoRunner");
}

SinoRunner *sino_runner_new (void)
{
  return static_cast<SinoRunner *> (g_object_new (SINO_TYPE_RUNNER, nullptr));
}

void sino::watch_runs (SinoRunner *self, std::shared_ptr<RunWatcher> watcher)
{
  const std::lock_guard guard (RunnerObject::of (self).mutex);
  if (RunnerObject::of (self).watcher)
    sino::fail (SINO_ERROR_FAILED, "the runner has a monitor already: stop that one first");
  RunnerObject::of (self).watcher = std::move (watcher);
}

void sino::leave_runs (SinoRunner *self)
{
  const std::lock_guard guard (RunnerObject::of (self).mutex);
  RunnerObject::of (self).watcher.reset ();
}

static std::shared_ptr<sino::RunWatcher> watcher_of (SinoRunner *self)
{
  const std::lock_guard guard (RunnerObject::of (self).mutex);
  return RunnerObject::of (self).watcher;
}

// Whether a run is executed or only planned. A rank plans alone, without MPI.
enum class For { plan, run };

// A run of the graph and the settings as they are now; later changes do not affect it.
static std::shared_ptr<Run> freeze (SinoRunner *self, SinoGraph *graph, For use)
{
  auto words = RunnerObject::of (self).words;
  if (auto &mpi = words[sino::option_place ("mpi")]; mpi && use == For::plan)
    mpi.reset ();
  else if (mpi)
    mpi = "auto";
  const auto watcher = use == For::run ? watcher_of (self) : nullptr;
  return std::make_shared<Run> (sino::contents (graph), [words, watcher] {
    auto options = sino::options_of (words, "");
    options.aside = watcher ? watcher->bytes () : 0;
    return options;
  });
}

gchar *sino_runner_check (SinoRunner *self, SinoGraph *graph, GError **error)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self) && SINO_IS_GRAPH (graph), nullptr);
  return guarded (error, [&] {
    const auto run = freeze (self, graph, For::plan);
    run->prepare ();
    return g_strdup (run->describe ().c_str ());
  });
}

GVariant *sino_runner_plan (SinoRunner *self, SinoGraph *graph, GError **error)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self) && SINO_IS_GRAPH (graph), nullptr);
  return guarded (error, [&] {
    const auto run = freeze (self, graph, For::plan);
    run->prepare ();
    return run->plan_variant ();
  });
}

// --- one run ---

namespace {

// Marks the runner as running while this object exists; throws if it is running already.
class Turn : sino::NoCopy
{
public:
  Turn (SinoRunner *r, const SinoGraph *graph) : runner (r)
  {
    if (RunnerObject::of (runner).running.test_and_set ())
      sino::fail (SINO_ERROR_FAILED, "this runner is running already: use another one");
    RunnerObject::of (runner).graph = graph;
  }
  ~Turn ()
  {
    RunnerObject::of (runner).graph = nullptr;
    RunnerObject::of (runner).running.clear ();
  }

private:
  SinoRunner *runner;
};

// News about a run for one call of emit ().
struct News {
  sino::Progress progress;
  std::vector<sino::Message> messages;
};

void emit (SinoRunner *self, const News &news)
{
  for (const auto &[node, title, text, warns] : news.messages)
    g_signal_emit (self, message_signal, 0, node.c_str (), warns ? SINO_MESSAGE_WARNING : SINO_MESSAGE_INFO,
                   sino::shown_lines (text).c_str ());
  const auto &p = news.progress;
  g_signal_emit (self, progress_signal, 0, p.fraction (), p.slices_done, p.slices_total, p.seconds);
}

// Makes the run the runner's current one while this object exists. Then keeps the statistics of the run, whether it
// succeeded or not, if it had begun and memory is left for them.
class Current : sino::NoCopy
{
public:
  Current (SinoRunner *s, std::shared_ptr<Run> r) : self (s)
  {
    const std::lock_guard guard (contents ().mutex);
    contents ().current = std::move (r);
  }
  ~Current ()
  {
    const std::lock_guard guard (contents ().mutex);
    try {
      if (contents ().current->began ())
        contents ().statistics.reset (sino::to_variant (contents ().current->statistics ()));
    } catch (const std::bad_alloc &) { // a destructor must not throw; the run itself reports the lack of memory
      contents ().statistics.reset ();
    }
    contents ().current.reset ();
  }

private:
  SinoRunner *self;
  RunnerContents &contents () const { return RunnerObject::of (self); }
};

template <class Tell>
void execute (const std::shared_ptr<Run> &run, const std::shared_ptr<sino::RunWatcher> &watcher,
              GCancellable *cancellable, Tell tell)
{
  const auto end = [&watcher] (const char *state, const std::string &message) {
    if (watcher)
      watcher->end (state, message);
  };
  try {
    const sino::Link link (cancellable, *run);
    run->gather ();
    run->prepare ();
    if (g_cancellable_is_cancelled (cancellable)) // also if its signal has not come yet
      throw sino::Cancelled ();
    if (watcher)
      watcher->begin (*run);
    std::set<std::string> said; // each message is passed on once
    run->execute ([&] (const sino::Progress &progress) {
      News fresh{progress, {}};
      for (auto &message : run->messages ())
        if (said.insert (message.title + message.text).second)
          fresh.messages.push_back (std::move (message));
      tell (std::move (fresh));
    });
    end ("done", "");
  } catch (const sino::Cancelled &cancelled) {
    end ("cancelled", cancelled.message);
    run->abandon (cancelled.message);
    throw;
  } catch (const std::exception &failure) {
    end ("failed", failure.what ());
    run->abandon (std::string ("the run failed: ") + failure.what ());
    throw;
  }
}

} // namespace

gboolean sino_runner_run (SinoRunner *self, SinoGraph *graph, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self) && SINO_IS_GRAPH (graph), FALSE);
  g_return_val_if_fail (!cancellable || G_IS_CANCELLABLE (cancellable), FALSE);
  return guarded (error, [&] {
    const Turn turn (self, graph);
    const auto run = freeze (self, graph, For::run);
    const Current current (self, run);
    run->announce ();
    execute (run, watcher_of (self), cancellable, [self] (const News &news) { emit (self, news); });
  });
}

// --- in the background ---

namespace {

// Arguments of the thread that executes a run. Owns the reference to the task.
struct Background {
  GTask *task;
  std::unique_ptr<Turn> turn;
  std::shared_ptr<Run> run;
  std::unique_ptr<Current>
      current; // from the start on, not only from the thread's: programs set live properties at once
};

void post (GTask *task, News news)
{
  auto runner = sino::GObjectPtr<SinoRunner>::shared (SINO_RUNNER (g_task_get_source_object (task)));
  sino::call_in (g_task_get_context (task),
                 [runner = std::move (runner), news = std::move (news)] { emit (runner.get (), news); });
}

gpointer run_in_background (gpointer data)
{
  const std::unique_ptr<Background> work (static_cast<Background *> (data));
  GTask *task = work->task;
  GError *error = nullptr;
  const bool good = guarded (&error, [&] {
    execute (work->run, watcher_of (SINO_RUNNER (g_task_get_source_object (task))), g_task_get_cancellable (task),
             [task] (News news) { post (task, std::move (news)); });
  });
  // Freed before the callback is called, because it may start the next run.
  work->current.reset ();
  work->run.reset ();
  work->turn.reset ();
  if (good)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
  return nullptr;
}

} // namespace

void sino_runner_run_async (SinoRunner *self, SinoGraph *graph, GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_return_if_fail (SINO_IS_RUNNER (self) && SINO_IS_GRAPH (graph));
  g_return_if_fail (!cancellable || G_IS_CANCELLABLE (cancellable));
  auto *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, reinterpret_cast<gpointer> (sino_runner_run_async));
  g_task_set_check_cancellable (task, FALSE); // the run itself reports a cancellation
  GError *error = nullptr;
  const bool started = guarded (&error, [&] {
    auto work = std::make_unique<Background> ();
    work->task = task;
    work->run = freeze (self, graph, For::run);
    try {
      work->turn = std::make_unique<Turn> (self, graph);
    } catch (const std::exception &busy) { // otherwise a thread that pushes frames or pulls blocks would wait for ever
      if (RunnerObject::of (self).graph != graph)
        work->run->abandon (std::string ("the run failed: ") + busy.what ());
      throw;
    }
    work->current = std::make_unique<Current> (self, work->run);
    work->run->announce ();
    GThread *thread = g_thread_try_new ("sinograph-run", run_in_background, work.get (), &error);
    if (!thread) {
      work->run->abandon (std::string ("the run failed: ") + error->message);
      return false;
    }
    static_cast<void> (work.release ()); // the thread owns it now
    g_thread_unref (thread);
    return true;
  });
  if (!started) {
    g_task_return_error (task, error);
    g_object_unref (task);
  }
}

gboolean sino_runner_run_finish (SinoRunner *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self), FALSE);
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean sino_runner_set_live (SinoRunner *self, const gchar *node, const gchar *property, const gchar *word,
                               GError **error)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self) && node && property && word, FALSE);
  return guarded (error, [&] {
    // The lock is needed because the run is freed by the thread that executes it.
    const std::lock_guard guard (RunnerObject::of (self).mutex);
    const auto &run = RunnerObject::of (self).current;
    if (!run)
      sino::fail (SINO_ERROR_FAILED, "no run is active: set properties of the graph for the next run");
    run->set_live (node, property, word);
  });
}

GVariant *sino_runner_get_statistics (SinoRunner *self)
{
  g_return_val_if_fail (SINO_IS_RUNNER (self), nullptr);
  auto &contents = RunnerObject::of (self);
  // The lock is needed because the run is freed by the thread that executes it.
  const std::lock_guard guard (contents.mutex);
  if (contents.current)
    return sino::to_variant (contents.current->statistics ());
  return contents.statistics ? g_variant_ref (contents.statistics.get ()) : nullptr;
}
