/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The public interface from C: a task written in C, a run, errors, and calls that are wrong. */
#include <locale.h>
#include <sinograph.h>
#include <string.h>

/* --- a filter that doubles --- */

#define TEST_TYPE_DOUBLER (test_doubler_get_type ())
G_DECLARE_FINAL_TYPE (TestDoubler, test_doubler, TEST, DOUBLER, SinoTask)

struct _TestDoubler {
  SinoTask parent;
};

G_DEFINE_TYPE (TestDoubler, test_doubler, SINO_TYPE_TASK)

static gboolean test_doubler_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)task, (void)error;
  gsize length = 0;
  const guint16 *in = (const guint16 *)sino_buffer_get_data (g_ptr_array_index (inputs, 0), &length);
  guint16 *out = sino_buffer_get_pointer (output);
  for (gsize i = 0; i < length / sizeof *in; i++)
    out[i] = (guint16)(2 * in[i]);
  return TRUE;
}

static void test_doubler_class_init (TestDoublerClass *klass)
{
  SINO_TASK_CLASS (klass)->process = test_doubler_process;
}

static void test_doubler_init (TestDoubler *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_POINT);
  sino_task_set_replicable (SINO_TASK (self), TRUE);
}

/* --- a source of row + 100 angle, and a sink that adds all up --- */

#define TEST_TYPE_SOURCE (test_source_get_type ())
G_DECLARE_FINAL_TYPE (TestSource, test_source, TEST, SOURCE, SinoTask)

struct _TestSource {
  SinoTask parent;
};

G_DEFINE_TYPE (TestSource, test_source, SINO_TYPE_TASK)

enum { angles = 4, rows = 3, columns = 5 };

static SinoFormat *test_source_negotiate (SinoTask *task, GPtrArray *inputs, GError **error)
{
  (void)task, (void)error;
  g_assert_cmpuint (inputs->len, ==, 0);
  return sino_format_new_projections (SINO_ELEMENT_U16, angles, rows, columns, NULL);
}

static gboolean test_source_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)task, (void)inputs, (void)error;
  gsize n_axes = 0, n_rows = 0;
  g_autofree gint64 *shape = sino_buffer_get_shape (output, &n_axes);
  g_autofree gint64 *row = sino_buffer_get_rows (output, &n_rows);
  g_assert_cmpuint (n_axes, ==, 3);
  g_assert_cmpuint (n_rows, ==, shape[1]);
  guint16 *value = sino_buffer_get_pointer (output);
  for (gint64 a = 0; a < shape[0]; a++)
    for (gint64 r = 0; r < shape[1]; r++)
      for (gint64 c = 0; c < shape[2]; c++)
        *value++ = (guint16)(row[r] + 100 * (a + sino_buffer_get_first_angle (output)));
  return TRUE;
}

static void test_source_class_init (TestSourceClass *klass)
{
  SINO_TASK_CLASS (klass)->negotiate = test_source_negotiate;
  SINO_TASK_CLASS (klass)->process = test_source_process;
}

static void test_source_init (TestSource *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_SOURCE);
}

#define TEST_TYPE_SUM (test_sum_get_type ())
G_DECLARE_FINAL_TYPE (TestSum, test_sum, TEST, SUM, SinoTask)

struct _TestSum {
  SinoTask parent;
  guint64 sum;
  gboolean refuse;
};

G_DEFINE_TYPE (TestSum, test_sum, SINO_TYPE_TASK)

static gboolean test_sum_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  TestSum *self = TEST_SUM (task);
  g_assert_null (output);
  if (self->refuse) {
    g_set_error_literal (error, SINO_ERROR, SINO_ERROR_DEVICE, "no more");
    return FALSE;
  }
  gsize length = 0;
  const guint16 *in = (const guint16 *)sino_buffer_get_data (g_ptr_array_index (inputs, 0), &length);
  for (gsize i = 0; i < length / sizeof *in; i++)
    self->sum += in[i];
  return TRUE;
}

static void test_sum_class_init (TestSumClass *klass)
{
  SINO_TASK_CLASS (klass)->process = test_sum_process;
}

static void test_sum_init (TestSum *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_SINK);
}

/* --- tests --- */

static SinoGraph *make_graph (TestSum *sum)
{
  g_autoptr (GError) error = NULL;
  SinoGraph *graph = sino_graph_new ();
  g_autoptr (SinoTask) source = g_object_new (TEST_TYPE_SOURCE, NULL);
  g_autoptr (SinoTask) doubler = g_object_new (TEST_TYPE_DOUBLER, NULL);
  sino_graph_add_task (graph, source, "source", &error);
  g_assert_no_error (error);
  sino_graph_add_task (graph, doubler, "doubler", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (sino_graph_add_task (graph, SINO_TASK (sum), NULL, &error), ==, "TestSum");
  g_assert_no_error (error);
  g_assert_true (sino_graph_connect (graph, "source", "doubler", 0, &error));
  g_assert_true (sino_graph_connect (graph, "doubler", "TestSum", 0, &error));
  g_assert_no_error (error);
  return graph;
}

static void count (SinoRunner *runner, gdouble fraction, gint64 done, gint64 total, gdouble seconds, gdouble *last)
{
  (void)runner;
  g_assert_cmpint (done, ==, 0);
  g_assert_cmpint (total, ==, 0); /* no slices are made */
  g_assert_cmpfloat (seconds, >=, 0);
  *last = fraction;
}

static void test_run (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestSum) sum = g_object_new (TEST_TYPE_SUM, NULL);
  g_autoptr (SinoGraph) graph = make_graph (sum);
  g_autoptr (SinoRunner) runner = g_object_new (SINO_TYPE_RUNNER, "device", "native", "threads", 2, NULL);
  gdouble fraction = 0;
  g_signal_connect (runner, "progress", G_CALLBACK (count), &fraction);
  g_assert_true (sino_runner_run (runner, graph, NULL, &error));
  g_assert_no_error (error);
  /* Each row number is there angles x columns times, each angle rows x columns times, and all is doubled. */
  const guint64 row_sum = 0 + 1 + 2, angle_sum = 0 + 1 + 2 + 3;
  g_assert_cmpuint (sum->sum, ==, 2 * (row_sum * angles * columns + 100 * angle_sum * rows * columns));
  g_assert_cmpfloat (fraction, ==, 1);
  g_autoptr (GVariant) statistics = sino_runner_get_statistics (runner);
  gdouble seconds = 0;
  g_assert_true (g_variant_lookup (statistics, "seconds", "d", &seconds));
  g_assert_cmpfloat (seconds, >, 0);
}

static void test_failure (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestSum) sum = g_object_new (TEST_TYPE_SUM, NULL);
  g_autoptr (SinoGraph) graph = make_graph (sum);
  g_autoptr (SinoRunner) runner = sino_runner_new ();
  sum->refuse = TRUE;
  g_assert_false (sino_runner_run (runner, graph, NULL, &error));
  g_assert_error (error, SINO_ERROR, SINO_ERROR_DEVICE);
  g_assert_cmpstr (error->message, ==, "'TestSum': no more");
  /* An error that nobody wants is dropped. */
  g_assert_false (sino_runner_run (runner, graph, NULL, NULL));
}

static void test_cancelled (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TestSum) sum = g_object_new (TEST_TYPE_SUM, NULL);
  g_autoptr (SinoGraph) graph = make_graph (sum);
  g_autoptr (SinoRunner) runner = sino_runner_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_false (sino_runner_run (runner, graph, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (error->message, ==, "the run was cancelled");
}

static void test_version (void)
{
  guint major = 99, minor = 99, micro = 99;
  sino_version (&major, &minor, &micro);
  sino_version (NULL, NULL, NULL);
  g_assert_cmpuint (major, ==, SINO_MAJOR_VERSION);
  g_assert_cmpuint (minor, ==, SINO_MINOR_VERSION);
  g_assert_cmpuint (micro, ==, SINO_MICRO_VERSION);
  g_autofree gchar *text = g_strdup_printf ("%u.%u.%u", major, minor, micro);
  g_assert_cmpstr (text, ==, SINO_VERSION);
  g_assert_true (SINO_CHECK_VERSION (SINO_MAJOR_VERSION, SINO_MINOR_VERSION, SINO_MICRO_VERSION));
  g_assert_false (SINO_CHECK_VERSION (SINO_MAJOR_VERSION, SINO_MINOR_VERSION, SINO_MICRO_VERSION + 1));
  g_assert_false (SINO_CHECK_VERSION (SINO_MAJOR_VERSION, SINO_MINOR_VERSION + 1, 0));
  g_assert_false (SINO_CHECK_VERSION (SINO_MAJOR_VERSION + 1, 0, 0));
  g_assert_true (SINO_CHECK_VERSION (SINO_MAJOR_VERSION - 1, 99, 99));
}

/* Enumerations have types, and nicks that programs can show. */
static void test_enumerations (void)
{
  const struct {
    GType type;
    gint value;
    const gchar *nick;
  } cases[] = {
      {SINO_TYPE_ERROR, SINO_ERROR_BAD_FORMAT, "bad-format"}, {SINO_TYPE_ELEMENT, SINO_ELEMENT_U16, "u16"},
      {SINO_TYPE_KIND, SINO_KIND_SINOGRAMS, "sinograms"},     {SINO_TYPE_FLOW, SINO_FLOW_SOURCE_ONCE, "source-once"},
      {SINO_TYPE_DEVICE_KIND, SINO_DEVICE_OPENCL, "opencl"},
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    GEnumClass *words = g_type_class_ref (cases[i].type);
    g_assert_cmpstr (g_enum_get_value (words, cases[i].value)->value_nick, ==, cases[i].nick);
    g_type_class_unref (words);
  }
}

static void test_everything_is_released (void)
{
  gpointer graph_left = NULL, task_left = NULL, runner_left = NULL;
  TestSum *sum = g_object_new (TEST_TYPE_SUM, NULL);
  SinoGraph *graph = make_graph (sum);
  SinoRunner *runner = sino_runner_new ();
  g_object_set (runner, "device", "native", NULL);
  g_set_weak_pointer (&graph_left, graph);
  g_set_weak_pointer (&task_left, sum);
  g_set_weak_pointer (&runner_left, runner);
  g_object_unref (sum);
  g_assert_true (sino_runner_run (runner, graph, NULL, NULL));
  g_assert_nonnull (task_left);
  g_object_unref (graph);
  g_object_unref (runner);
  g_assert_null (graph_left);
  g_assert_null (task_left);
  g_assert_null (runner_left);
}

static int criticals = 0;

static void count_critical (const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data)
{
  (void)domain, (void)level, (void)data;
  g_assert_nonnull (strstr (message, "assertion"));
  criticals++;
}

/* Wrong calls are reported and change nothing; none of them may crash. */
static void test_wrong_calls (void)
{
  g_autoptr (SinoGraph) graph = sino_graph_new ();
  g_autoptr (SinoFormat) format = sino_format_new_slices (SINO_ELEMENT_U8, 1, 2, 3, NULL);
  g_autoptr (SinoGeometry) geometry = sino_geometry_new (NULL, 0);
  const gdouble two[] = {1, 2};
  gsize n = 7;
  int before = criticals;
  g_assert_null (sino_graph_add_node (NULL, "read", NULL, NULL));
  g_assert_null (sino_graph_add_node (graph, NULL, NULL, NULL));
  g_assert_null (sino_graph_add_task (graph, (SinoTask *)format, NULL, NULL));
  g_assert_null (sino_graph_new_from_json (NULL, NULL));
  g_assert_null (sino_graph_list_nodes (NULL));
  g_assert_false (sino_graph_set_value (graph, "a", "b", NULL, NULL));
  g_assert_false (sino_runner_run (NULL, graph, NULL, NULL));
  g_assert_null (sino_runner_check (NULL, graph, NULL));
  g_assert_null (sino_format_new_projections (SINO_ELEMENT_U8, 0, 1, 1, NULL));
  g_assert_null (sino_format_new_sinograms ((SinoElement)9, 1, 1, 1, NULL));
  g_assert_null (sino_format_with_extent (format, NULL, 1, NULL));
  g_assert_null (sino_format_get_shape (format, NULL));
  g_assert_null (sino_format_get_shape (NULL, &n));
  g_assert_cmpuint (n, ==, 0);
  g_assert_null (sino_geometry_with_axis (geometry, two, 2));
  g_assert_null (sino_geometry_with_pixel_size (geometry, 0));
  g_assert_null (sino_buffer_new (NULL, NULL));
  g_assert_null (sino_buffer_get_pointer (NULL));
  g_assert_null (sino_buffer_dup_data (NULL, &n, NULL));
  g_assert_cmpuint (sino_registry_find (NULL, NULL), ==, G_TYPE_INVALID);
  g_assert_false (sino_registry_register ("", SINO_TYPE_TASK, NULL));
  g_assert_null (sino_device_find (NULL, NULL));
  g_assert_null (sino_device_get_id (NULL));
  g_assert_cmpint (criticals - before, ==, 22);
}

static void test_types_that_are_no_tasks (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (sino_registry_register ("other", G_TYPE_INVALID, &error));
  g_assert_error (error, SINO_ERROR, SINO_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "node 'other': type 0 is not a SinoTask");
}

/* The flow of a node of the modules is its own business. */
static void test_module_nodes_keep_their_flow (void)
{
  g_autoptr (SinoGraph) graph = sino_graph_new ();
  g_assert_cmpstr (sino_graph_add_node (graph, "interleave", NULL, NULL), ==, "interleave");
  SinoTask *task = sino_graph_get_task (graph, "interleave", NULL);
  int before = criticals;
  sino_task_set_flow (task, SINO_FLOW_SINK);
  g_assert_cmpint (criticals - before, ==, 1);
}

/* Edges rely on what a task says of itself when it is made. */
static void test_connected_tasks_keep_their_flow (void)
{
  const gchar *const fewer[] = {"only", NULL};
  g_autoptr (SinoTask) doubler = g_object_new (TEST_TYPE_DOUBLER, NULL);
  int before = criticals;
  sino_task_set_flow (doubler, SINO_FLOW_ROWS);
  g_assert_cmpint (sino_task_get_flow (doubler), ==, SINO_FLOW_ROWS);
  sino_task_set_flow (doubler, SINO_FLOW_POINT);
  g_assert_cmpint (criticals, ==, before);
  g_autoptr (SinoGraph) graph = sino_graph_new ();
  g_assert_nonnull (sino_graph_add_node (graph, "simulate", NULL, NULL));
  g_assert_nonnull (sino_graph_add_node (graph, "null", NULL, NULL));
  g_assert_nonnull (sino_graph_add_task (graph, doubler, "doubler", NULL));
  g_assert_true (sino_graph_connect (graph, "simulate", "doubler", 0, NULL));
  g_assert_true (sino_graph_connect (graph, "doubler", "null", 0, NULL));
  sino_task_set_flow (doubler, SINO_FLOW_SINK);
  sino_task_set_inputs (doubler, fewer, NULL);
  sino_task_set_replicable (doubler, FALSE);
  g_assert_cmpint (criticals - before, ==, 3);
  g_assert_cmpint (sino_task_get_flow (doubler), ==, SINO_FLOW_POINT);
  g_autoptr (SinoRunner) runner = sino_runner_new ();
  g_autofree gchar *plan = sino_runner_check (runner, graph, NULL);
  g_assert_nonnull (plan);
}

/* An error of the domain that was made before any function of the library was called. */
static GError *early;

static void test_early_error (void)
{
  g_assert_cmpuint (early->domain, ==, SINO_ERROR);
  g_assert_null (sino_error_get_node (early));
  g_clear_error (&early);
}

int main (int argc, char **argv)
{
  early = g_error_new_literal (g_quark_from_static_string ("sino-error-quark"), SINO_ERROR_FAILED, "early");
  setlocale (LC_ALL, ""); /* as programs with windows do */
  if (g_getenv ("SINO_TEST_COMMA"))
    g_assert_cmpstr (localeconv ()->decimal_point, ==, ",");
  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_handler ("Sinograph", G_LOG_LEVEL_CRITICAL, count_critical, NULL);
  g_test_add_func ("/c-api/run", test_run);
  g_test_add_func ("/c-api/early-error", test_early_error);
  g_test_add_func ("/c-api/failure", test_failure);
  g_test_add_func ("/c-api/cancelled", test_cancelled);
  g_test_add_func ("/c-api/version", test_version);
  g_test_add_func ("/c-api/enumerations", test_enumerations);
  g_test_add_func ("/c-api/everything-is-released", test_everything_is_released);
  g_test_add_func ("/c-api/wrong-calls", test_wrong_calls);
  g_test_add_func ("/c-api/types-that-are-no-tasks", test_types_that_are_no_tasks);
  g_test_add_func ("/c-api/module-nodes-keep-their-flow", test_module_nodes_keep_their_flow);
  g_test_add_func ("/c-api/connected-tasks-keep-their-flow", test_connected_tasks_keep_their_flow);
  return g_test_run ();
}
