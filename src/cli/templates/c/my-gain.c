/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Multiplies values by a factor. */
#include <sino-module.h>

G_DECLARE_FINAL_TYPE (MyGainFilter, my_gain_filter, MY_GAIN, FILTER, SinoTask)

struct _MyGainFilter {
  SinoTask parent;
  double factor;
};

G_DEFINE_TYPE (MyGainFilter, my_gain_filter, SINO_TYPE_TASK)

enum { FACTOR = 1 };

static void my_gain_filter_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == FACTOR)
    MY_GAIN_FILTER (object)->factor = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void my_gain_filter_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == FACTOR)
    g_value_set_double (value, MY_GAIN_FILTER (object)->factor);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

/* From the format of the input to that of the output, without touching a pixel. */
static SinoFormat *my_gain_filter_negotiate (SinoTask *task, GPtrArray *inputs, GError **error)
{
  (void)task;
  SinoFormat *format = g_ptr_array_index (inputs, 0);
  if (sino_format_get_element (format) != SINO_ELEMENT_F32) {
    g_set_error (error, SINO_ERROR, SINO_ERROR_BAD_FORMAT, "wants f32 values: put 'flat-field' before it");
    return NULL;
  }
  return g_object_ref (format);
}

/* One block of the input becomes one of the output: the same rows and angles, dense in memory. */
static gboolean my_gain_filter_process (SinoTask *task, GPtrArray *inputs, SinoBuffer *output, GError **error)
{
  (void)error;
  const float factor = (float)MY_GAIN_FILTER (task)->factor;
  gsize bytes = 0;
  const float *in = (const float *)sino_buffer_get_data (g_ptr_array_index (inputs, 0), &bytes);
  float *out = sino_buffer_get_pointer (output);
  for (gsize i = 0; i < bytes / sizeof *in; i++)
    out[i] = factor * in[i];
  return TRUE;
}

static void my_gain_filter_class_init (MyGainFilterClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = my_gain_filter_set_property;
  G_OBJECT_CLASS (klass)->get_property = my_gain_filter_get_property;
  SINO_TASK_CLASS (klass)->negotiate = my_gain_filter_negotiate;
  SINO_TASK_CLASS (klass)->process = my_gain_filter_process;
  g_object_class_install_property (
      G_OBJECT_CLASS (klass), FACTOR,
      g_param_spec_double ("factor", NULL, "What values are multiplied by", -G_MAXFLOAT, G_MAXFLOAT, 2,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_STATIC_STRINGS));
}

static void my_gain_filter_init (MyGainFilter *self)
{
  sino_task_set_flow (SINO_TASK (self), SINO_FLOW_POINT);
  sino_task_set_replicable (SINO_TASK (self), TRUE); /* process keeps no state */
}

/* --- the module --- */

const char sino_module_mark[] = SINO_MODULE_MARK;

void sino_module_register (SinoModuleAdd add)
{
  add ("my-gain", my_gain_filter_get_type);
}
