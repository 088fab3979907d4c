/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of Runner and Task. */
#include "tests/api/misuse.h"

/* --- a task that does what tasks must not --- */

typedef enum { SAY_NOTHING, NEGOTIATE_NOTHING, RUN_AGAIN, WAIT } Wrong;

#define BAD_TYPE_TASK (bad_task_get_type ())
G_DECLARE_FINAL_TYPE (BadTask, bad_task, BAD, TASK, SinoTask)

struct _BadTask {
  SinoTask parent;
  Wrong wrong;
  Fixture *fixture;
  gint waits, may_go;
};

G_DEFINE_TYPE (BadTask, bad_task, SINO_TYPE_TASK)

static SinoFormat *bad_task_negotiate (SinoTask *task, GPtrArray *inputs, GError **error)
{
  (void)error;
  return BAD_TASK (task)->wrong == NEGOTIATE_NOTHING ? NULL : g_object_ref (g_ptr_array_index (inputs, 0));
}

static gboolean bad_task_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)inputs, (void)output;
  BadTask *self = BAD_TASK (task);
  if (self->wrong == RUN_AGAIN)
    return sino_runner_run (self->fixture->runner, self->fixture->graph, NULL, error);
  if (self->wrong != WAIT)
    return FALSE;
  g_atomic_int_set (&self->waits, TRUE);
  while (!g_atomic_int_get (&self->may_go))
    g_usleep (1000);
  return TRUE;
}

static void bad_task_class_init (BadTaskClass *klass)
{
  SINO_TASK_CLASS (klass)->negotiate = bad_task_negotiate;
  SINO_TASK_CLASS (klass)->process = bad_task_process;
}

static void bad_task_init (BadTask *self)
{
  (void)self;
}

/* A graph with such a task in place of the row's own. */
static BadTask *bad_graph (Fixture *f, Wrong wrong)
{
  BadTask *task = g_object_new (BAD_TYPE_TASK, NULL);
  task->wrong = wrong;
  task->fixture = f;
  g_object_unref (f->graph);
  f->graph = sino_graph_new_from_launch ("simulate width=8 height=2 projections=2", NULL);
  g_assert_nonnull (sino_graph_add_task (f->graph, SINO_TASK (task), "bad", NULL));
  g_assert_nonnull (sino_graph_add_node (f->graph, "null", NULL, NULL));
  g_assert_true (sino_graph_connect (f->graph, "simulate", "bad", 0, NULL));
  g_assert_true (sino_graph_connect (f->graph, "bad", "null", 0, NULL));
  return task;
}

static void run_bad (Fixture *f, Wrong wrong, GError **error)
{
  g_autoptr (BadTask) task = bad_graph (f, wrong);
  g_assert_nonnull (task);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (task_without_an_error)
{
  run_bad (f, SAY_NOTHING, error);
}

ROW (task_without_a_format)
{
  run_bad (f, NEGOTIATE_NOTHING, error);
}

ROW (task_that_runs_its_runner)
{
  run_bad (f, RUN_AGAIN, error);
}

ROW (task_in_two_runs)
{
  g_autoptr (BadTask) task = bad_graph (f, WAIT);
  g_autoptr (SinoRunner) other = sino_runner_new ();
  begin_run (f);
  while (!g_atomic_int_get (&task->waits))
    g_usleep (1000);
  g_assert_false (sino_runner_run (other, f->graph, NULL, error));
  g_atomic_int_set (&task->may_go, TRUE);
  g_assert_true (end_run (f, NULL));
}

ROW (task_of_a_flow_that_is_none)
{
  g_autoptr (SinoTask) task = g_object_new (BAD_TYPE_TASK, NULL);
  sino_task_set_flow (task, (SinoFlow)99);
}

ROW (task_without_inputs)
{
  const gchar *const none[] = {NULL};
  g_autoptr (SinoTask) task = g_object_new (BAD_TYPE_TASK, NULL);
  sino_task_set_inputs (task, none, NULL);
}

ROW (task_of_a_module)
{
  sino_task_set_flow (SINO_TASK (f->source), SINO_FLOW_SINK);
}

/* --- runners --- */

ROW (runner_of_null)
{
  g_assert_false (sino_runner_run (f->runner, NULL, NULL, error));
}

ROW (runner_that_is_a_graph)
{
  g_assert_null (sino_runner_plan ((SinoRunner *)f->graph, f->graph, error));
}

ROW (runner_with_a_graph_to_cancel)
{
  g_assert_false (sino_runner_run (f->runner, f->graph, (GCancellable *)f->graph, error));
}

static void check_line (Fixture *f, const gchar *line, GError **error)
{
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch (line, NULL);
  g_assert_null (sino_runner_check (f->runner, graph, error));
}

ROW (runner_of_nothing)
{
  g_autoptr (SinoGraph) graph = sino_graph_new ();
  g_assert_false (sino_runner_run (f->runner, graph, NULL, error));
}

ROW (runner_of_an_open_input)
{
  check_line (f, "null", error);
}

ROW (runner_of_what_does_not_fit)
{
  check_line (f, "phantom width=8 height=2 ! flat-field ! null", error);
}

ROW (runner_with_words_for_memory)
{
  g_object_set (f->runner, "memory", "much", NULL);
  g_assert_null (sino_runner_check (f->runner, f->graph, error));
}

ROW (runner_with_little_memory)
{
  g_object_set (f->runner, "memory", "1K", NULL);
  g_assert_null (sino_runner_plan (f->runner, f->graph, error));
}

ROW (runner_without_that_device)
{
  g_object_set (f->runner, "device", "cl:99", NULL);
  g_assert_null (sino_runner_check (f->runner, f->graph, error));
}

ROW (runner_with_fewer_threads_than_none)
{
  g_object_set (f->runner, "threads", -1, NULL);
}

ROW (runner_with_a_trace_to_nowhere)
{
  g_object_set (f->runner, "trace", "/dev/null/trace.json", NULL);
  push_scan (f);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (runner_with_a_trace_over_a_file)
{
  g_object_set (f->runner, "trace", "/dev/null", NULL);
  g_assert_null (sino_runner_check (f->runner, f->graph, error));
}

ROW (runner_that_runs)
{
  wait_for_need (f);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
  push_scan (f);
  g_assert_true (end_run (f, NULL));
}

static void run_again (SinoRunner *runner, gdouble fraction, gint64 done, gint64 total, gdouble seconds, gpointer data)
{
  (void)fraction, (void)done, (void)total, (void)seconds;
  gpointer *graph_and_error = data;
  GError **error = graph_and_error[1];
  if (!*error)
    g_assert_false (sino_runner_run (runner, graph_and_error[0], NULL, error));
}

ROW (runner_run_by_its_own_signal)
{
  gpointer graph_and_error[] = {f->graph, error};
  g_signal_connect (f->runner, "progress", G_CALLBACK (run_again), graph_and_error);
  g_object_unref (run_scan (f));
}

static void take_error (GObject *runner, GAsyncResult *result, gpointer error)
{
  g_assert_false (sino_runner_run_finish (SINO_RUNNER (runner), result, error));
}

ROW (runner_begun_twice)
{
  wait_for_need (f);
  sino_runner_run_async (f->runner, f->graph, NULL, take_error, error);
  push_scan (f);
  g_assert_true (end_run (f, NULL));
}

ROW (runner_finished_by_null)
{
  g_assert_false (sino_runner_run_finish (f->runner, NULL, error));
}

ROW (runner_finished_by_another)
{
  g_autoptr (SinoRunner) other = sino_runner_new ();
  push_scan (f);
  begin_run (f);
  g_assert_true (end_run (f, NULL));
  g_assert_false (sino_runner_run_finish (other, f->result, error));
}

ROW (runner_finished_twice)
{
  push_scan (f);
  begin_run (f);
  g_assert_true (end_run (f, NULL));
  g_assert_false (end_run (f, error));
}

ROW (runner_cancelled_before)
{
  g_cancellable_cancel (f->cancellable);
  begin_run (f);
  g_assert_false (end_run (f, error));
}

ROW (runner_cancelled_after)
{
  push_scan (f);
  begin_run (f);
  g_assert_true (end_run (f, error));
  g_cancellable_cancel (f->cancellable);
  g_cancellable_cancel (f->cancellable);
}

ROW (runner_without_statistics)
{
  g_assert_null (sino_runner_get_statistics (f->runner));
}

ROW (runner_that_nobody_asks)
{
  push_scan (f);
  sino_runner_run_async (f->runner, f->graph, NULL, NULL, NULL);
}

ROW (runner_and_all_dropped)
{
  wait_for_need (f);
  push_scan (f);
  clear_object (&f->runner);
  clear_object (&f->graph);
  clear_object (&f->source);
  clear_object (&f->sink);
  g_assert_true (end_run (f, error));
}

ROW (runner_whose_graph_is_changed)
{
  wait_for_need (f);
  g_assert_true (sino_graph_set (f->graph, "camera", "rows", "3", NULL));
  g_assert_nonnull (sino_graph_add_node (f->graph, "null", NULL, NULL));
  g_assert_true (sino_graph_set (f->graph, "camera", "rows", "4", NULL));
  push_scan (f);
  g_assert_true (end_run (f, error));
}

ROW (runner_after_another)
{
  g_object_unref (run_scan (f));
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (runner_beside_another)
{
  g_autoptr (SinoRunner) other = sino_runner_new ();
  wait_for_need (f);
  g_assert_false (sino_runner_run (other, f->graph, NULL, error));
  push_scan (f);
  g_assert_true (end_run (f, NULL));
}

static const Misuse tasks[] = {
    {"fails without an error", task_without_an_error, SINO, SINO_ERROR_FAILED, "'bad'"},
    {"gives no format", task_without_a_format, SINO, SINO_ERROR_FAILED, "'negotiate' gave no format"},
    {"runs the runner that runs it", task_that_runs_its_runner, SINO, SINO_ERROR_FAILED, "is running already"},
    {"in two runs", task_in_two_runs, SINO, SINO_ERROR_FAILED, "part of another active run"},
    {"no such flow", task_of_a_flow_that_is_none, CRITICAL, 0, "flow"},
    {"no inputs", task_without_inputs, CRITICAL, 0, "required"},
    {"the flow of a node", task_of_a_module, CRITICAL, 0, "is_foreign"},
};

static const Misuse runners[] = {
    {"NULL for a graph", runner_of_null, CRITICAL, 0, "SINO_IS_GRAPH"},
    {"a graph in place of a runner", runner_that_is_a_graph, CRITICAL, 0, "SINO_IS_RUNNER"},
    {"a graph in place of a cancellable", runner_with_a_graph_to_cancel, CRITICAL, 0, "G_IS_CANCELLABLE"},
    {"an empty graph", runner_of_nothing, SINO, SINO_ERROR_BAD_GRAPH, ""},
    {"an open input", runner_of_an_open_input, SINO, SINO_ERROR_BAD_GRAPH, "null"},
    {"nodes that do not fit", runner_of_what_does_not_fit, SINO, SINO_ERROR_BAD_FORMAT, "flat-field"},
    {"a word for memory", runner_with_words_for_memory, SINO, SINO_ERROR_BAD_PROPERTY, "much"},
    {"little memory", runner_with_little_memory, SINO, SINO_ERROR_MEMORY, "1.0 KiB"},
    {"a device that is not there", runner_without_that_device, SINO, SINO_ERROR_DEVICE, "no device 'cl:99'"},
    {"fewer threads than none", runner_with_fewer_threads_than_none, WARNING, 0, "threads"},
    {"a trace to nowhere", runner_with_a_trace_to_nowhere, SINO, SINO_ERROR_BAD_FILE, "cannot write into '/dev/null'"},
    {"a trace over a file", runner_with_a_trace_over_a_file, SINO, SINO_ERROR_EXISTS, "'/dev/null' exists"},
    {"run while it runs", runner_that_runs, SINO, SINO_ERROR_FAILED, "this runner is running already"},
    {"run by its own signal", runner_run_by_its_own_signal, SINO, SINO_ERROR_FAILED, "this runner is running already"},
    {"begun while it runs", runner_begun_twice, SINO, SINO_ERROR_FAILED, "this runner is running already"},
    {"finished by NULL", runner_finished_by_null, CRITICAL, 0, "g_task_is_valid"},
    {"finished by another one", runner_finished_by_another, CRITICAL, 0, "g_task_is_valid"},
    {"finished twice", runner_finished_twice, CRITICAL, 0, "result_set"},
    {"cancelled before it begins", runner_cancelled_before, GIO, G_IO_ERROR_CANCELLED, "the run was cancelled"},
    {"cancelled after its end, twice", runner_cancelled_after, FINE, 0, NULL},
    {"asked for statistics of nothing", runner_without_statistics, FINE, 0, NULL},
    {"begun without a callback", runner_that_nobody_asks, FINE, 0, NULL},
    {"dropped with its graph while it runs", runner_and_all_dropped, FINE, 0, NULL},
    {"its graph changed while it runs", runner_whose_graph_is_changed, FINE, 0, NULL},
    {"run again without a new scan", runner_after_another, SINO, SINO_ERROR_FAILED, "'begin' starts a new scan"},
    {"another one with the same graph", runner_beside_another, SINO, SINO_ERROR_FAILED, "another run"},
};

void add_misuses_of_runs (void)
{
  add_misuses ("task", tasks, G_N_ELEMENTS (tasks));
  add_misuses ("runner", runners, G_N_ELEMENTS (runners));
}
