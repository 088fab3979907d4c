/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The control system of a beamline in small: it takes scans with a camera, has each one reconstructed while its frames
 * come, and shows the slices. docs/guide/embedding.md explains it step by step.
 *
 *     cc control.c camera.c -o control $(pkg-config --cflags --libs sinograph-1.0) -lm
 *     ./control --frames=180 --rate=60
 *
 * All that is done here is done in the main thread, by its main loop, but for on_frame () and on_camera_done (): these
 * are the camera's thread. The run of Sinograph has threads of its own, none of which calls a function of this file.
 *
 * The exit code is 0 when the last scan was reconstructed, 1 when one failed, 2 for options that are wrong and 130, as
 * for a shell, when the last scan was cancelled. */
#include "camera.h"
#include <glib-unix.h>
#include <locale.h>
#include <sinograph.h>

enum { exit_failed = 1, exit_usage = 2, exit_cancelled = 130 };

typedef enum { IDLE, ARMING, SCANNING, FINISHING, FAILED } State;

static const gchar *const state_names[] = {"idle", "arming", "scanning", "finishing", "failed"};

/* What the command line sets. */
static gint rows = 16, columns = 128, frames = 180, extras = 5, scans = 1, watch = 1000, cancel_after = 0, lost = -1;
static gdouble rate = 0, wait_bytes = 64e6;
static gchar *device = NULL, *memory = NULL, *pictures = NULL;

static const GOptionEntry options[] = {
    {"rows", 0, 0, G_OPTION_ARG_INT, &rows, "Rows of a frame (16)", "N"},
    {"columns", 0, 0, G_OPTION_ARG_INT, &columns, "Columns of a frame (128)", "N"},
    {"frames", 0, 0, G_OPTION_ARG_INT, &frames, "Projections of a scan (180)", "N"},
    {"extras", 0, 0, G_OPTION_ARG_INT, &extras, "Darks, and flats, before each scan (5)", "N"},
    {"rate", 0, 0, G_OPTION_ARG_DOUBLE, &rate, "Frames per second; 0: as many as can be (0)", "NUMBER"},
    {"scans", 0, 0, G_OPTION_ARG_INT, &scans, "Scans to take, one after the other (1)", "N"},
    {"wait-bytes", 0, 0, G_OPTION_ARG_DOUBLE, &wait_bytes, "Bytes of frames that may wait for the run", "NUMBER"},
    {"device", 0, 0, G_OPTION_ARG_STRING, &device, "Where to reconstruct: native, cl:0, ...", "ID"},
    {"memory", 0, 0, G_OPTION_ARG_STRING, &memory, "How much memory may be used: 4G, 50%", "SIZE"},
    {"pictures", 0, 0, G_OPTION_ARG_FILENAME, &pictures, "Write the slices there, as PGM files", "FOLDER"},
    {"watch", 0, 0, G_OPTION_ARG_INT, &watch, "Milliseconds between two lines of statistics (1000)", "N"},
    {"cancel-after", 0, 0, G_OPTION_ARG_INT, &cancel_after, "Cancel the first scan after so many frames", "N"},
    {"lose", 0, 0, G_OPTION_ARG_INT, &lost, "Have the camera lose the frame of this number", "N"},
    {0},
};

typedef struct {
  GMainLoop *loop;
  Camera *camera;
  SinoGraph *graph;
  SinoAppSource *source; /* the graph's, as the next one */
  SinoAppSink *sink;
  SinoRunner *runner;
  State state;
  gint scan; /* counts from 1 */
  gint exit_code;
  gint tenth; /* of the progress that was told */
  /* Of one scan. The camera's thread may write these, too; this one reads them when that has ended. */
  GCancellable *cancellable;
  gint is_cancelled; /* by the operator */
  GError *fault;     /* why a frame could not be pushed */
} Control;

static void enter (Control *control, State state)
{
  g_print ("state: %s -> %s\n", state_names[control->state], state_names[state]);
  control->state = state;
}

/* Says what went wrong, and ends the program. A real control system stays in this state until the operator has seen
 * it, and then goes on from `idle` as after any other scan. */
static void fail (Control *control, const GError *error)
{
  enter (control, FAILED);
  g_printerr ("control: scan %d failed: %s\n", control->scan, error->message);
  control->exit_code = exit_failed;
  g_main_loop_quit (control->loop);
}

/* --- slices --- */

static gboolean write_picture (const gfloat *slice, gint64 height, gint64 width, gint64 number, gfloat low, gfloat high,
                               GError **error)
{
  g_autofree gchar *path = g_strdup_printf ("%s/slice-%05" G_GINT64_FORMAT ".pgm", pictures, number);
  g_autoptr (GString) file = g_string_new (NULL);
  g_string_printf (file, "P5\n%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n255\n", width, height);
  for (gint64 i = 0; i < height * width; i++)
    g_string_append_c (file, high > low ? (gchar)(guint8)(255 * (slice[i] - low) / (high - low)) : 0);
  return g_file_set_contents (path, file->str, (gssize)file->len, error);
}

/* A block of slices is some of them, as they lie in memory: a line for each. */
static void show (SinoBuffer *block)
{
  gsize axes = 0, bytes = 0;
  g_autofree gint64 *shape = sino_buffer_get_shape (block, &axes); /* z, y, x */
  const gfloat *slice = (const gfloat *)(gconstpointer)sino_buffer_get_data (block, &bytes);
  const gint64 first = sino_buffer_get_first_row (block), size = shape[1] * shape[2];
  for (gint64 z = 0; z < shape[0]; z++, slice += size) {
    gfloat low = slice[0], high = slice[0];
    gdouble sum = 0;
    for (gint64 i = 0; i < size; i++) {
      low = MIN (low, slice[i]);
      high = MAX (high, slice[i]);
      sum += slice[i];
    }
    g_print ("slice %" G_GINT64_FORMAT ": mean %.5f, from %.5f to %.5f\n", first + z, sum / (gdouble)size, low, high);
    g_autoptr (GError) error = NULL;
    if (pictures && !write_picture (slice, shape[1], shape[2], first + z, low, high, &error))
      g_printerr ("control: no picture was written: %s\n", error->message); /* which is no reason to lose the scan */
  }
}

/* Takes what has come without waiting, as the main loop must not. A block is given back when it is dropped here. An
 * error of the run is not looked at: its end tells it, once. */
static void on_new_buffer (SinoAppSink *sink, Control *control)
{
  (void)control;
  for (;;) {
    g_autoptr (SinoBuffer) block = sino_app_sink_try_pull (sink, 0, NULL);
    if (!block)
      return;
    show (block);
  }
}

/* --- the camera's thread --- */

/* Pushes copy the frame, and wait where too many wait already. They do not wait for a run that has ended: then they
 * fail. That is this scan's error unless the run has one of its own or was cancelled. */
static gboolean on_frame (const guint8 *frame, gsize bytes, gint64 number, gpointer data)
{
  Control *control = data;
  if (control->scan == 1 && cancel_after > 0 && number == cancel_after) {
    g_atomic_int_set (&control->is_cancelled, TRUE);
    g_cancellable_cancel (control->cancellable); /* as the operator could at any time, in any thread */
  }
  if (sino_app_source_push_frame (control->source, frame, bytes, number, 0, &control->fault))
    return TRUE;
  g_cancellable_cancel (control->cancellable);
  return FALSE;
}

static gboolean after_camera (gpointer data)
{
  Control *control = data;
  if (control->state == SCANNING)
    enter (control, FINISHING);
  return G_SOURCE_REMOVE;
}

static void on_camera_done (gpointer data)
{
  Control *control = data;
  sino_app_source_end_of_stream (control->source); /* a lost frame at the end is not waited for */
  g_main_context_invoke (NULL, after_camera, control);
}

/* --- what the run says --- */

/* The run is ready for the first frame, or has caught up with the camera. */
static void on_need_data (SinoAppSource *source, Control *control)
{
  (void)source;
  if (control->state == ARMING) {
    enter (control, SCANNING);
    camera_start (control->camera, on_frame, on_camera_done, control);
  } else if (control->state == SCANNING)
    camera_hold (control->camera, FALSE);
}

/* The run is slower than the camera, so the sample waits until it has caught up. Where a sample cannot wait,
 * `wait-bytes` has to be large enough, or `leaky-type` says which frames to drop. */
static void on_enough_data (SinoAppSource *source, gint64 bytes, Control *control)
{
  (void)source;
  g_print ("the camera is held: %" G_GINT64_FORMAT " bytes wait\n", bytes);
  camera_hold (control->camera, TRUE);
}

static void on_progress (SinoRunner *runner, gdouble fraction, gint64 done, gint64 total, gdouble seconds,
                         Control *control)
{
  (void)runner;
  const gint tenth = (gint)(10 * fraction);
  if (tenth == control->tenth)
    return;
  control->tenth = tenth;
  g_print ("progress: %d %%, %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " slices, %.1f s\n", 10 * tenth, done, total,
           seconds);
}

static void on_message (SinoRunner *runner, const gchar *node, SinoMessageLevel level, const gchar *text,
                        Control *control)
{
  (void)runner, (void)control;
  g_print ("%s: '%s': %s\n", level == SINO_MESSAGE_WARNING ? "warning" : "message", node, text);
}

/* Looks at a run that goes on. */
static gboolean on_watch (gpointer data)
{
  Control *control = data;
  if (control->state != SCANNING && control->state != FINISHING)
    return G_SOURCE_CONTINUE;
  g_autoptr (GVariant) statistics = sino_runner_get_statistics (control->runner);
  const gchar *bottleneck = "";
  gdouble resident = 0;
  if (statistics && g_variant_lookup (statistics, "bottleneck", "&s", &bottleneck) &&
      g_variant_lookup (statistics, "resident-memory", "d", &resident))
    g_print ("watch: %" G_GINT64_FORMAT " frames pushed, %" G_GINT64_FORMAT
             " bytes wait, %.0f MB in use, busiest '%s'\n",
             sino_app_source_get_frames_pushed (control->source),
             sino_app_source_get_current_level_bytes (control->source), resident / 1e6, bottleneck);
  return G_SOURCE_CONTINUE;
}

/* --- scans --- */

static void arm (Control *control);

/* The run has ended, well or not; no signal of it comes after this. */
static void on_ended (GObject *runner, GAsyncResult *result, gpointer data)
{
  Control *control = data;
  g_autoptr (GError) error = NULL;
  sino_runner_run_finish (SINO_RUNNER (runner), result, &error);
  camera_stop (control->camera);
  const gboolean is_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  const gboolean is_wanted = g_atomic_int_get (&control->is_cancelled);
  const GError *failure = !is_cancelled ? error : !is_wanted ? control->fault : NULL;
  if (failure) {
    fail (control, failure);
    return;
  }
  if (error)
    g_print ("scan %d: %s\n", control->scan, error->message);
  else {
    after_camera (control); /* the last frame may end a run before the camera's thread has said that it was the last */
    on_new_buffer (control->sink, control);
    g_print ("scan %d: reconstructed\n", control->scan);
  }
  control->exit_code = error ? exit_cancelled : 0;
  enter (control, IDLE);
  if (control->scan < scans)
    arm (control);
  else
    g_main_loop_quit (control->loop);
}

/* Takes darks or flats, which have to be there before the run begins. */
static gboolean take_extras (Control *control, CameraShot shot, GError **error)
{
  const gsize bytes = camera_get_frame_bytes (control->camera);
  g_autofree guint8 *frame = g_malloc (bytes);
  for (gint i = 0; i < extras; i++) {
    camera_expose (control->camera, shot, i, frame);
    if (!(shot == CAMERA_DARK ? sino_app_source_push_darks (control->source, frame, bytes, error)
                              : sino_app_source_push_flats (control->source, frame, bytes, error)))
      return FALSE;
  }
  return TRUE;
}

/* Begins the next scan: the source forgets the last one, and the run is prepared. Its first `need-data` says that it is
 * ready, which is when the sample begins to turn; what is wrong with the graph or the memory is known before. */
static void arm (Control *control)
{
  g_autoptr (GError) error = NULL;
  control->scan++;
  control->tenth = 0;
  g_atomic_int_set (&control->is_cancelled, FALSE);
  g_clear_error (&control->fault);
  g_clear_object (&control->cancellable); /* one that was cancelled is of no use any more */
  control->cancellable = g_cancellable_new ();
  enter (control, ARMING);
  sino_app_source_clear_darks_and_flats (control->source);
  if (!sino_app_source_begin (control->source, &error) || !take_extras (control, CAMERA_DARK, &error) ||
      !take_extras (control, CAMERA_FLAT, &error)) {
    fail (control, error);
    return;
  }
  sino_runner_run_async (control->runner, control->graph, control->cancellable, on_ended, control);
}

/* Ctrl-C cancels the scan, whose end then comes as any other one does, and the next scan begins. */
static gboolean on_interrupt (gpointer data)
{
  Control *control = data;
  g_atomic_int_set (&control->is_cancelled, TRUE);
  g_cancellable_cancel (control->cancellable);
  return G_SOURCE_CONTINUE;
}

/* --- the program --- */

/* The graph is a launch line, whose ends are looked up by name. */
static gboolean prepare (Control *control, GError **error)
{
  g_autofree gchar *line =
      g_strdup_printf ("app-source name=camera rows=%d columns=%d frames=%d max-bytes=%" G_GINT64_FORMAT " ! "
                       "flat-field ! reconstruct ! app-sink name=slices",
                       rows, columns, frames, (gint64)wait_bytes);
  control->graph = sino_graph_new_from_launch (line, error);
  if (!control->graph)
    return FALSE;
  control->source = SINO_APP_SOURCE (sino_graph_get_task (control->graph, "camera", NULL));
  control->sink = SINO_APP_SINK (sino_graph_get_task (control->graph, "slices", NULL));
  control->runner = sino_runner_new ();
  g_object_set (control->runner, "device", device ? device : "", "memory", memory ? memory : "", NULL);
  g_signal_connect (control->source, "need-data", G_CALLBACK (on_need_data), control);
  g_signal_connect (control->source, "enough-data", G_CALLBACK (on_enough_data), control);
  g_signal_connect (control->sink, "new-buffer", G_CALLBACK (on_new_buffer), control);
  g_signal_connect (control->runner, "progress", G_CALLBACK (on_progress), control);
  g_signal_connect (control->runner, "message", G_CALLBACK (on_message), control);
  return TRUE;
}

static void clear (Control *control)
{
  g_clear_pointer (&control->camera, camera_free);
  g_clear_object (&control->runner);
  g_clear_object (&control->graph);
  g_clear_object (&control->cancellable);
  g_clear_error (&control->fault);
  g_clear_pointer (&control->loop, g_main_loop_unref);
  g_free (device), g_free (memory), g_free (pictures);
}

/* Reads the command line. */
static gboolean parse (int *argc, char ***argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("- take scans and show their slices");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  const gchar *wrong = *argc > 1                                 ? "there are only options"
                       : frames < 1 || extras < 0 || scans < 1   ? "frames, extras or scans is out of range"
                       : watch < 1 || !(rate >= 0 && rate < 1e6) ? "watch or rate is out of range"
                                                                 : NULL;
  if (wrong)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s, see --help", wrong);
  return !wrong;
}

int main (int argc, char **argv)
{
  Control control = {.state = IDLE};
  g_autoptr (GError) error = NULL;
  setlocale (LC_ALL, "");
  if (!parse (&argc, &argv, &error) || !prepare (&control, &error)) {
    g_printerr ("control: %s\n", error->message);
    clear (&control);
    return exit_usage;
  }
  control.camera = camera_new ((guint)rows, (guint)columns, (guint)frames, rate, lost);
  control.loop = g_main_loop_new (NULL, FALSE);
  const guint interrupt = g_unix_signal_add (SIGINT, on_interrupt, &control);
  const guint watching = g_timeout_add ((guint)watch, on_watch, &control);
  arm (&control);
  if (control.state != FAILED) /* a main loop cannot be told to end before it runs */
    g_main_loop_run (control.loop);
  g_source_remove (interrupt);
  g_source_remove (watching);
  clear (&control);
  return control.exit_code;
}
