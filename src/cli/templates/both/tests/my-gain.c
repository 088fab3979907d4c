/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Runs graphs with 'my-gain' on every device, and compares what comes out with the formula in double precision. The
 * arguments are the names of its OpenCL kernels, which are compared with the native code as well. */
#include <math.h>
#include <sinograph.h>

enum { angles = 3, rows = 5, columns = 37, values = angles * rows * columns };

static const double factor = -1.7;
/* Of the size of a result: a product of floats is rounded once. */
static const double most_error = 1e-7;

static float given_value (gint64 place)
{
  return (float)(place % 17 - 8) / 3;
}

/* Where the values of a block are in the whole stream, one after the other. */
static gint64 *places_in_stream (SinoBuffer *block, gsize *count)
{
  gsize n_axes = 0, n_rows = 0;
  g_autofree gint64 *shape = sino_buffer_get_shape (block, &n_axes);
  g_autofree gint64 *rows_of_block = sino_buffer_get_rows (block, &n_rows);
  g_assert_cmpuint (n_axes, ==, 3);
  gint64 *places = g_new (gint64, (gsize)(shape[0] * shape[1] * shape[2]));
  *count = 0;
  for (gint64 angle = 0; angle < shape[0]; angle++)
    for (gint64 row = 0; row < shape[1]; row++)
      for (gint64 column = 0; column < shape[2]; column++)
        places[(*count)++] =
            ((sino_buffer_get_first_angle (block) + angle) * rows + rows_of_block[row]) * columns + column;
  return places;
}

/* --- a source of the given values --- */

G_DECLARE_FINAL_TYPE (GivenValues, given_values, GIVEN, VALUES, SinoTask)
struct _GivenValues {
  SinoTask parent;
};
G_DEFINE_TYPE (GivenValues, given_values, SINO_TYPE_TASK)

static SinoFormat *given_values_negotiate (SinoTask *task, GPtrArray *inputs, GError **error)
{
  (void)task, (void)inputs, (void)error;
  return sino_format_new_projections (SINO_ELEMENT_F32, angles, rows, columns, NULL);
}

static gboolean given_values_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)task, (void)inputs, (void)error;
  gsize count = 0;
  g_autofree gint64 *places = places_in_stream (output, &count);
  float *out = sino_buffer_get_pointer (output);
  for (gsize i = 0; i < count; i++)
    out[i] = given_value (places[i]);
  return TRUE;
}

static void given_values_class_init (GivenValuesClass *klass)
{
  SINO_TASK_CLASS (klass)->negotiate = given_values_negotiate;
  SINO_TASK_CLASS (klass)->process = given_values_process;
}

static void given_values_init (GivenValues *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_SOURCE);
}

/* --- a sink that keeps what comes --- */

static float kept[values];

G_DECLARE_FINAL_TYPE (KeptValues, kept_values, KEPT, VALUES, SinoTask)
struct _KeptValues {
  SinoTask parent;
};
G_DEFINE_TYPE (KeptValues, kept_values, SINO_TYPE_TASK)

static gboolean kept_values_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)task, (void)output, (void)error;
  gsize bytes = 0, count = 0;
  const float *in = (const float *)sino_buffer_get_data (g_ptr_array_index (inputs, 0), &bytes);
  g_autofree gint64 *places = places_in_stream (g_ptr_array_index (inputs, 0), &count);
  for (gsize i = 0; i < count; i++)
    kept[places[i]] = in[i];
  return TRUE;
}

static void kept_values_class_init (KeptValuesClass *klass)
{
  SINO_TASK_CLASS (klass)->process = kept_values_process;
}

static void kept_values_init (KeptValues *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_SINK);
}

/* --- the tests --- */

/* Runs the node with these properties on the device; the results are in `kept`. */
static void run (const char *device, const char *properties)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_strdup_printf ("given-values ! my-gain %s ! kept-values", properties);
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch (line, &error);
  g_assert_no_error (error);
  g_autoptr (SinoRunner) runner = g_object_new (SINO_TYPE_RUNNER, "device", device, NULL);
  for (gsize i = 0; i < values; i++)
    kept[i] = NAN;
  sino_runner_run (runner, graph, NULL, &error);
  g_assert_no_error (error);
}

static void test_native (void)
{
  g_autofree char *properties = g_strdup_printf ("factor=%g", factor);
  run ("native", properties);
  for (gsize i = 0; i < values; i++) {
    const double expected = factor * (double)given_value ((gint64)i);
    g_assert_cmpfloat (fabs (kept[i] - expected), <=, most_error * fabs (expected));
  }
}

static void test_kernel (gconstpointer name)
{
  float reference[values];
  g_autofree char *properties = g_strdup_printf ("factor=%g", factor);
  run ("native", properties);
  memcpy (reference, kept, sizeof kept);
  g_autofree char *of_kernel = g_strdup_printf ("factor=%g variant=%s", factor, (const char *)name);
  g_autoptr (GPtrArray) devices = sino_device_list ();
  gboolean any = FALSE;
  for (guint i = 0; i < devices->len; i++) {
    SinoDevice *device = g_ptr_array_index (devices, i);
    if (sino_device_get_kind (device) != SINO_DEVICE_OPENCL)
      continue;
    any = TRUE;
    run (sino_device_get_id (device), of_kernel);
    for (gsize j = 0; j < values; j++)
      g_assert_cmpfloat (fabs ((double)kept[j] - reference[j]), <=, most_error * fabs ((double)reference[j]));
  }
  if (!any)
    g_test_skip ("there is no OpenCL device");
}

int main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  sino_registry_register ("given-values", given_values_get_type (), &error);
  g_assert_no_error (error);
  sino_registry_register ("kept-values", kept_values_get_type (), &error);
  g_assert_no_error (error);
  g_test_add_func ("/my-gain/native", test_native);
  for (int i = 1; i < argc; i++) {
    g_autofree char *path = g_strdup_printf ("/my-gain/kernels/%s", argv[i]);
    g_test_add_data_func (path, argv[i], test_kernel);
  }
  return g_test_run ();
}
