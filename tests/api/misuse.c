/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Runs the tables of wrong uses: each has to give its error or message, within seconds, and leaves nothing behind. */
#include "tests/api/misuse.h"
#include <locale.h>
#include <string.h>
#include <unistd.h>

const guint8 frame[4 * frame_bytes] = {1, 2, 3};

enum { longest = 5, too_long = 60 }; /* seconds that a row may take, and after which it hangs */

static GMutex mutex; /* of the log */
static GString *messages;
static int n_messages;
static GLogLevelFlags levels;

static void note (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data)
{
  (void)domain, (void)data;
  g_mutex_lock (&mutex);
  g_string_append_printf (messages, "%s\n", message);
  levels |= level & G_LOG_LEVEL_MASK;
  n_messages++;
  g_mutex_unlock (&mutex);
}

/* --- what rows use --- */

void push_scan (Fixture *f)
{
  GError *error = NULL;
  for (int i = 0; i < frame_count; i++)
    sino_app_source_push (f->source, frame, frame_bytes, &error);
  g_assert_no_error (error);
}

static void keep_result (GObject *runner, GAsyncResult *result, gpointer data)
{
  (void)runner;
  g_set_object (&((Fixture *)data)->result, result); /* NOLINT(bugprone-sizeof-expression): of the macro */
}

void begin_run (Fixture *f)
{
  sino_runner_run_async (f->runner, f->graph, f->cancellable, keep_result, f);
}

gboolean end_run (Fixture *f, GError **error)
{
  while (!f->result)
    g_main_context_iteration (NULL, TRUE);
  return sino_runner_run_finish (SINO_RUNNER (g_task_get_source_object (G_TASK (f->result))), f->result, error);
}

static void set_true (gpointer object, gboolean *is)
{
  (void)object;
  *is = TRUE;
}

void wait_for_need (Fixture *f)
{
  gboolean needs = FALSE;
  const gulong id = g_signal_connect (f->source, "need-data", G_CALLBACK (set_true), &needs);
  begin_run (f);
  while (!needs && !f->result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (needs);
  g_signal_handler_disconnect (f->source, id);
}

SinoBuffer *run_scan (Fixture *f)
{
  GError *error = NULL;
  push_scan (f);
  sino_runner_run (f->runner, f->graph, NULL, &error);
  g_assert_no_error (error);
  SinoBuffer *block = sino_app_sink_pull (f->sink, &error);
  g_assert_no_error (error);
  g_assert_nonnull (block);
  return block;
}

/* --- rows --- */

/* The objects of a row must go with their last references. A thread of a run may hold one for a moment. */
static void drop_all (Fixture *f)
{
  gpointer left[] = {f->graph, f->source, f->sink, f->runner, f->cancellable, f->result};
  for (gsize i = 0; i < G_N_ELEMENTS (left); i++)
    if (left[i])
      g_object_add_weak_pointer (left[i], &left[i]);
  clear_object (&f->result);
  clear_object (&f->cancellable);
  clear_object (&f->source);
  clear_object (&f->sink);
  clear_object (&f->graph);
  clear_object (&f->runner);
  for (gsize i = 0; i < G_N_ELEMENTS (left); i++)
    for (int tries = 0; g_atomic_pointer_get (&left[i]); tries++) {
      if (tries > 1000 * longest)
        g_error ("a %s is left", G_OBJECT_TYPE_NAME (left[i]));
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static void check (const Misuse *row, const GError *error, gdouble seconds)
{
  const GQuark domain = row->end == SINO ? SINO_ERROR : row->end == GIO ? G_IO_ERROR : 0;
  const gchar *said = error ? error->message : messages->str;
  if (error ? !g_error_matches (error, domain, row->code) : domain != 0)
    g_test_fail_printf ("%s, code %d: %s", error ? g_quark_to_string (error->domain) : "no error",
                        error ? error->code : 0, said);
  const int wanted = row->end == CRITICAL || row->end == WARNING;
  if (n_messages != wanted || (levels & ~(row->end == CRITICAL ? G_LOG_LEVEL_CRITICAL : G_LOG_LEVEL_WARNING)))
    g_test_fail_printf ("%d messages in the log: %s", n_messages, messages->str);
  if (row->words && !strstr (said, row->words))
    g_test_fail_printf ("'%s' was said, and not '%s'", said, row->words);
  if (seconds > longest)
    g_test_fail_printf ("it took %.1f s", seconds);
}

static void run (gconstpointer data)
{
  const Misuse *row = data;
  GError *error = NULL;
  Fixture f = {.runner = sino_runner_new (), .cancellable = g_cancellable_new ()};
  g_autofree gchar *line =
      g_strdup_printf ("app-source name=camera rows=%d columns=%d frames=%d ! app-sink name=blocks", frame_rows,
                       frame_columns, frame_count);
  f.graph = sino_graph_new_from_launch (line, &error);
  g_assert_no_error (error);
  f.source = g_object_ref (SINO_APP_SOURCE (sino_graph_get_task (f.graph, "camera", NULL)));
  f.sink = g_object_ref (SINO_APP_SINK (sino_graph_get_task (f.graph, "blocks", NULL)));
  g_object_set (f.runner, "device", "native", "threads", 2, NULL);

  g_string_truncate (messages, 0);
  n_messages = 0;
  levels = 0;
  alarm (too_long); /* which ends the program, and its row is the one that did not end */
  g_test_timer_start ();
  row->call (&f, &error);
  const gdouble seconds = g_test_timer_elapsed ();
  drop_all (&f);
  alarm (0);
  check (row, error, seconds);
  g_clear_error (&error);
}

void add_misuses (const gchar *of, const Misuse *rows, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_autofree gchar *path = g_strdup_printf ("/misuse/%s/%s", of, rows[i].what);
    g_test_add_data_func (path, &rows[i], run);
  }
}

int main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* one that fails is told with its row, and the other rows are run, too */
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_default_handler (note, NULL);
  messages = g_string_new (NULL);
  add_misuses_of_values ();
  add_misuses_of_graphs ();
  add_misuses_of_runs ();
  add_misuses_of_ends ();
  add_misuses_of_planes ();
  const int failed = g_test_run ();
  g_string_free (messages, TRUE);
  return failed;
}
