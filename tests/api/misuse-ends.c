/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of AppSource and AppSink. */
#include "tests/api/misuse.h"
#include <math.h>

static gboolean push (Fixture *f, gsize bytes, GError **error)
{
  return sino_app_source_push (f->source, frame, bytes, error);
}

/* --- frames --- */

ROW (push_of_unknown_size)
{
  g_object_set (f->source, "rows", 0, NULL);
  g_assert_false (push (f, frame_bytes, error));
}

ROW (push_of_half_a_frame)
{
  g_assert_false (push (f, frame_bytes + frame_bytes / 2, error));
}

ROW (push_of_nothing)
{
  g_assert_false (sino_app_source_push (f->source, NULL, 0, error));
}

ROW (push_of_null)
{
  g_assert_false (sino_app_source_push (f->source, NULL, frame_bytes, error));
}

ROW (push_to_a_sink)
{
  g_assert_false (sino_app_source_push ((SinoAppSource *)f->sink, frame, frame_bytes, error));
}

ROW (push_after_the_end)
{
  sino_app_source_end_of_stream (f->source);
  sino_app_source_end_of_stream (f->source);
  g_assert_false (push (f, frame_bytes, error));
}

ROW (push_of_too_many)
{
  push_scan (f);
  g_assert_false (push (f, frame_bytes, error));
}

ROW (push_of_too_many_at_once)
{
  g_assert_false (push (f, sizeof frame, error));
}

ROW (push_without_room)
{
  g_object_set (f->source, "max-buffers", 1, "block", FALSE, NULL);
  g_assert_true (push (f, frame_bytes, error));
  g_assert_false (push (f, frame_bytes, error));
}

ROW (try_push_without_room)
{
  g_object_set (f->source, "max-buffers", 1, NULL);
  g_assert_true (sino_app_source_try_push (f->source, frame, frame_bytes, error));
  g_assert_false (sino_app_source_try_push (f->source, frame, frame_bytes, error));
}

static gpointer push_two (gpointer data)
{
  Fixture *f = data;
  GError *error = NULL;
  if (push (f, frame_bytes, &error))
    push (f, frame_bytes, &error);
  return error;
}

/* A push in a thread that waits for room must not wait for ever. */
ROW (push_that_waits_for_a_run_that_fails)
{
  g_object_set (f->source, "max-buffers", 1, NULL);
  g_object_set (f->runner, "device", "cl:99", NULL);
  GThread *thread = g_thread_new ("push", push_two, f);
  while (sino_app_source_get_frames_pushed (f->source) < 1)
    g_usleep (1000);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, NULL));
  g_propagate_error (error, g_thread_join (thread));
}

ROW (push_after_the_run)
{
  g_object_unref (run_scan (f));
  g_assert_false (push (f, frame_bytes, error));
}

ROW (push_after_cancelling)
{
  wait_for_need (f);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (end_run (f, NULL));
  g_assert_false (push (f, frame_bytes, error));
}

ROW (number_that_does_not_rise)
{
  g_assert_true (sino_app_source_push_frame (f->source, frame, frame_bytes, 1, 0, NULL));
  g_assert_false (sino_app_source_push_frame (f->source, frame, frame_bytes, 1, 0, error));
}

ROW (number_below_none)
{
  g_assert_false (sino_app_source_push_frame (f->source, frame, frame_bytes, -2, 0, error));
}

ROW (number_of_the_largest)
{
  g_assert_false (sino_app_source_push_frame (f->source, frame, frame_bytes, G_MAXINT64, 0, error));
}

ROW (number_after_the_scan)
{
  g_assert_false (sino_app_source_push_frame (f->source, frame, frame_bytes, 1000, 0, error));
}

ROW (number_of_two_frames)
{
  g_assert_false (sino_app_source_push_frame (f->source, frame, 2 * frame_bytes, 0, 0, error));
}

ROW (angle_that_is_none)
{
  g_object_set (f->source, "own-angles", TRUE, NULL);
  g_assert_false (sino_app_source_push_frame (f->source, frame, frame_bytes, 0, (gdouble)NAN, error));
}

ROW (frame_that_was_lost)
{
  g_assert_true (sino_app_source_push_frame (f->source, frame, frame_bytes, 0, 0, NULL));
  g_assert_true (sino_app_source_push_frame (f->source, frame, frame_bytes, 2, 0, NULL));
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (scan_that_ends_early)
{
  g_assert_true (push (f, frame_bytes, NULL));
  sino_app_source_end_of_stream (f->source);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (scan_without_a_frame)
{
  g_object_set (f->source, "frames", 0, NULL);
  sino_app_source_end_of_stream (f->source);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

static void count_release (gpointer data)
{
  ++*(gint *)data;
}

/* Memory that is not taken is given back all the same. */
ROW (owned_frames_that_are_none)
{
  gint released = 0;
  g_assert_false (sino_app_source_push_owned (f->source, frame, 3, count_release, &released, error));
  g_assert_cmpint (released, ==, 1);
}

ROW (owned_frames_of_null)
{
  gint released = 0;
  g_assert_false (sino_app_source_push_owned (f->source, NULL, frame_bytes, count_release, &released, error));
}

ROW (owned_frames_of_no_object)
{
  g_assert_false (sino_app_source_push_object (f->source, (guint64)(guintptr)frame, frame_bytes, NULL, error));
}

ROW (frames_of_another_size)
{
  push_scan (f);
  g_object_set (f->source, "columns", 2 * frame_columns, NULL);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (gathered_frames_of_another_size)
{
  push_scan (f);
  g_object_set (f->source, "columns", frame_columns / 2, "short-scan", 1, NULL);
  sino_app_source_end_of_stream (f->source);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, error));
}

ROW (darks_of_another_size)
{
  g_assert_true (sino_app_source_push_darks (f->source, frame, frame_bytes, NULL));
  g_object_set (f->source, "rows", 2 * frame_rows, NULL);
  g_assert_null (sino_runner_check (f->runner, f->graph, error));
}

ROW (flats_of_half_a_frame)
{
  g_assert_false (sino_app_source_push_flats (f->source, frame, 1, error));
}

ROW (geometry_that_is_a_graph)
{
  sino_app_source_set_geometry (f->source, (SinoGeometry *)f->graph);
}

ROW (geometry_of_other_projections)
{
  const gdouble angles[] = {0, 90};
  g_autoptr (SinoGeometry) geometry = sino_geometry_new (angles, 2);
  sino_app_source_set_geometry (f->source, geometry);
  g_assert_null (sino_runner_check (f->runner, f->graph, error));
}

ROW (begin_while_it_runs)
{
  wait_for_need (f);
  g_assert_false (sino_app_source_begin (f->source, error));
  push_scan (f);
  g_assert_true (end_run (f, NULL));
}

ROW (begin_twice)
{
  g_assert_true (sino_app_source_begin (f->source, error));
  g_assert_true (sino_app_source_begin (f->source, error));
  g_object_unref (run_scan (f));
}

ROW (source_that_is_dropped_with_its_graph)
{
  wait_for_need (f);
  clear_object (&f->graph);
  clear_object (&f->source);
  g_assert_false (end_run (f, error));
}

/* --- blocks --- */

ROW (pull_from_a_source)
{
  g_assert_null (sino_app_sink_pull ((SinoAppSink *)f->source, error));
}

ROW (pull_before_the_run)
{
  g_assert_null (sino_app_sink_try_pull (f->sink, 0, error));
}

ROW (pull_after_the_end)
{
  g_object_unref (run_scan (f));
  for (int i = 0; i < 5; i++) {
    SinoBuffer *block = sino_app_sink_pull (f->sink, error);
    clear_object (&block);
  }
  g_assert_null (sino_app_sink_pull (f->sink, error));
  g_assert_true (sino_app_sink_is_end_of_stream (f->sink));
}

ROW (pull_after_a_failure)
{
  g_assert_true (push (f, frame_bytes, NULL));
  sino_app_source_end_of_stream (f->source);
  g_assert_false (sino_runner_run (f->runner, f->graph, NULL, NULL));
  while (TRUE) {
    g_autoptr (SinoBuffer) block = sino_app_sink_pull (f->sink, error);
    if (!block)
      break;
  }
}

static gpointer pull_one (gpointer data)
{
  GError *error = NULL;
  SinoBuffer *block = sino_app_sink_pull (((Fixture *)data)->sink, &error);
  clear_object (&block);
  return error;
}

/* A pull in a thread that waits must not wait for ever. */
ROW (pull_that_waits_for_a_run_that_is_cancelled)
{
  wait_for_need (f);
  GThread *thread = g_thread_new ("pull", pull_one, f);
  g_cancellable_cancel (f->cancellable);
  g_propagate_error (error, g_thread_join (thread));
  g_assert_false (end_run (f, NULL));
}

/* A run that waits for blocks to be pulled. */
static void begin_large_run (Fixture *f)
{
  const gsize large = 512 * 1024; /* such frames are not copied together */
  g_autofree guint8 *frames = g_malloc0 (frame_count * large);
  g_object_set (f->sink, "max-buffers", 1, NULL);
  g_object_set (f->source, "rows", 512, "columns", 512, NULL);
  begin_run (f);
  g_assert_true (sino_app_source_push (f->source, frames, frame_count * large, NULL));
  while (sino_app_sink_get_current_level_buffers (f->sink) < 1)
    g_usleep (1000);
}

ROW (run_that_nobody_pulls_from)
{
  begin_large_run (f);
  g_cancellable_cancel (f->cancellable);
  g_assert_false (end_run (f, error));
}

/* Nobody can pull any more, so nothing must wait for that. */
ROW (sink_that_is_dropped_with_its_graph)
{
  begin_large_run (f);
  clear_object (&f->graph);
  clear_object (&f->sink);
  g_assert_true (end_run (f, error));
}

ROW (sink_of_two_runs)
{
  g_autoptr (SinoGraph) graph = sino_graph_new_from_launch ("simulate width=8 height=2 projections=2", NULL);
  g_autoptr (SinoRunner) other = sino_runner_new ();
  g_assert_nonnull (sino_graph_add_task (graph, SINO_TASK (f->sink), "blocks", NULL));
  g_assert_true (sino_graph_connect (graph, "simulate", "blocks", 0, NULL));
  wait_for_need (f);
  g_assert_false (sino_runner_run (other, graph, NULL, error));
  push_scan (f);
  g_assert_true (end_run (f, NULL));
}

static const Misuse sources[] = {
    {"rows that are not set", push_of_unknown_size, SINO, SINO_ERROR_BAD_PROPERTY, "set rows and columns"},
    {"a frame and a half", push_of_half_a_frame, SINO, SINO_ERROR_BAD_FORMAT,
     "96 bytes are not a whole number of frames"},
    {"no bytes", push_of_nothing, SINO, SINO_ERROR_BAD_FORMAT, "0 bytes are not a whole number of frames"},
    {"NULL", push_of_null, CRITICAL, 0, "data"},
    {"a sink in place of a source", push_to_a_sink, CRITICAL, 0, "SINO_IS_APP_SOURCE"},
    {"a frame after the end, said twice", push_after_the_end, SINO, SINO_ERROR_FAILED, "after the end of the stream"},
    {"a frame too many", push_of_too_many, SINO, SINO_ERROR_FAILED, "frame 3 was pushed, but the scan has 3"},
    {"frames too many at once", push_of_too_many_at_once, SINO, SINO_ERROR_FAILED, "frame 3 was pushed"},
    {"no room without waiting", push_without_room, SINO, SINO_ERROR_MEMORY, "no room for 64 bytes"},
    {"no room to try", try_push_without_room, FINE, 0, NULL},
    {"waiting for a run that fails", push_that_waits_for_a_run_that_fails, SINO, SINO_ERROR_FAILED,
     "no device 'cl:99'"},
    {"a frame after the run", push_after_the_run, SINO, SINO_ERROR_FAILED, "'begin' starts a new scan"},
    {"a frame after cancelling", push_after_cancelling, SINO, SINO_ERROR_FAILED, "the run was cancelled"},
    {"a number twice", number_that_does_not_rise, SINO, SINO_ERROR_LOST_FRAME, "numbers must increase"},
    {"a number below none", number_below_none, SINO, SINO_ERROR_FAILED, "frame -2: numbers are from 0"},
    {"the largest number", number_of_the_largest, SINO, SINO_ERROR_FAILED, "to 1073741823"},
    {"a number after the scan", number_after_the_scan, SINO, SINO_ERROR_FAILED, "the scan has 3 frames"},
    {"a number for two frames", number_of_two_frames, SINO, SINO_ERROR_BAD_FORMAT, "more than one frame"},
    {"an angle that is no number", angle_that_is_none, SINO, SINO_ERROR_BAD_FORMAT, "own-angles"},
    {"a lost frame", frame_that_was_lost, SINO, SINO_ERROR_LOST_FRAME, "frame 1 is lost"},
    {"a scan that ends early", scan_that_ends_early, SINO, SINO_ERROR_SHORT_SCAN, "after 1 of 3 frames"},
    {"a scan without a frame", scan_without_a_frame, SINO, SINO_ERROR_SHORT_SCAN, "before its first frame"},
    {"owned memory that is no frame", owned_frames_that_are_none, SINO, SINO_ERROR_BAD_FORMAT, "3 bytes"},
    {"owned memory that is NULL", owned_frames_of_null, CRITICAL, 0, "data"},
    {"memory of no object", owned_frames_of_no_object, CRITICAL, 0, "G_IS_OBJECT"},
    {"a size changed after a push", frames_of_another_size, SINO, SINO_ERROR_BAD_FORMAT, "frames of 4 x 8 u16"},
    {"a size changed before all came", gathered_frames_of_another_size, SINO, SINO_ERROR_BAD_FORMAT,
     "frames of 4 x 8 u16 were pushed"},
    {"a size changed after darks", darks_of_another_size, SINO, SINO_ERROR_BAD_FORMAT, "darks or flats of 4 x 8 u16"},
    {"a byte of a flat", flats_of_half_a_frame, SINO, SINO_ERROR_BAD_FORMAT,
     "1 bytes are not a whole number of frames"},
    {"a graph in place of a geometry", geometry_that_is_a_graph, CRITICAL, 0, "SINO_IS_GEOMETRY"},
    {"a geometry of fewer projections", geometry_of_other_projections, SINO, SINO_ERROR_BAD_FORMAT, "2 projections"},
    {"begun while a run takes it", begin_while_it_runs, SINO, SINO_ERROR_FAILED, "a run is using the frames"},
    {"begun twice", begin_twice, FINE, 0, NULL},
    {"dropped with its graph", source_that_is_dropped_with_its_graph, SINO, SINO_ERROR_FAILED,
     "no more frames come: the program has released"},
};

static const Misuse sinks[] = {
    {"a source in place of a sink", pull_from_a_source, CRITICAL, 0, "SINO_IS_APP_SINK"},
    {"a try before the run", pull_before_the_run, FINE, 0, NULL},
    {"pulls after the end", pull_after_the_end, FINE, 0, NULL},
    {"a pull after a failure", pull_after_a_failure, SINO, SINO_ERROR_FAILED, "after 1 of 3 frames"},
    {"waiting for a run that is cancelled", pull_that_waits_for_a_run_that_is_cancelled, SINO, SINO_ERROR_FAILED,
     "the run was cancelled"},
    {"a run that nobody pulls from", run_that_nobody_pulls_from, GIO, G_IO_ERROR_CANCELLED, "cancelled"},
    {"dropped with its graph", sink_that_is_dropped_with_its_graph, FINE, 0, NULL},
    {"in two runs", sink_of_two_runs, SINO, SINO_ERROR_FAILED, "another run uses this object"},
};

void add_misuses_of_ends (void)
{
  add_misuses ("app-source", sources, G_N_ELEMENTS (sources));
  add_misuses ("app-sink", sinks, G_N_ELEMENTS (sinks));
}
