/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of planes that are shown during a scan. */
#include "tests/api/misuse.h"

static SinoTask *live_node (Fixture *f)
{
  clear_object (&f->sink);
  clear_object (&f->source);
  clear_object (&f->graph);
  f->graph =
      sino_graph_new_from_launch ("simulate width=8 height=4 projections=6 ! live name=live planes=\"z=1 x=0\"", NULL);
  g_assert_nonnull (f->graph);
  return sino_graph_get_task (f->graph, "live", NULL);
}

ROW (planes_of_a_source)
{
  g_assert_cmpint (sino_live_add_plane (SINO_TASK (f->source), "z=1", error), ==, -1);
}

ROW (picture_of_a_source)
{
  g_assert_null (sino_live_pull (SINO_TASK (f->source), 0, 0, 0, NULL, NULL, NULL, NULL, error));
}

ROW (no_task)
{
  g_assert_null (sino_live_pull ((SinoTask *)f->graph, 0, 0, 0, NULL, NULL, NULL, NULL, error));
}

ROW (no_time)
{
  g_assert_null (sino_live_pull (live_node (f), 0, 0, -2, NULL, NULL, NULL, NULL, error));
}

ROW (no_words)
{
  g_assert_false (sino_live_move_plane (live_node (f), 0, NULL, error));
}

ROW (no_plane)
{
  g_assert_false (sino_live_move_plane (live_node (f), 0, "slice 5", error));
}

ROW (another_plane)
{
  g_assert_false (sino_live_remove_plane (live_node (f), 2, error));
}

ROW (too_many_planes)
{
  SinoTask *live = live_node (f);
  for (int number = 2; number < 8; number++)
    g_assert_cmpint (sino_live_add_plane (live, "x=1,tilt=30", error), ==, number);
  g_assert_cmpint (sino_live_add_plane (live, "x=2", error), ==, -1);
}

ROW (infinite_axis)
{
  g_assert_false (sino_live_set_axis (live_node (f), G_MAXDOUBLE, error));
}

ROW (wrong_property)
{
  SinoTask *live = live_node (f);
  g_object_set (live, "planes", "z=1 w=2", NULL);
  g_assert_null (sino_live_list_planes (live, error));
}

ROW (before_the_run)
{
  gint64 version = 5, projections = 5;
  gchar *plane = NULL;
  g_assert_null (sino_live_pull (live_node (f), 1, 0, 1000, &version, &projections, &plane, NULL, error));
  g_assert_cmpint (version, ==, 0);
  g_assert_cmpint (projections, ==, 0);
  g_assert_null (plane);
}

ROW (cancelled_before)
{
  g_cancellable_cancel (f->cancellable);
  g_assert_null (sino_live_pull (live_node (f), 1, 0, -1, NULL, NULL, NULL, f->cancellable, error));
}

ROW (after_the_run)
{
  SinoTask *live = live_node (f);
  g_assert_true (sino_runner_run (f->runner, f->graph, NULL, error));
  gint64 version = 0;
  SinoBuffer *picture = sino_live_pull (live, 0, 0, -1, &version, NULL, NULL, NULL, error);
  g_assert_nonnull (picture);
  clear_object (&picture);
  g_assert_null (sino_live_pull (live, 0, version, -1, NULL, NULL, NULL, NULL, error));
  g_autoptr (GVariant) planes = sino_live_list_planes (live, error);
  g_assert_cmpuint (g_variant_n_children (planes), ==, 2);
}

static const Misuse planes[] = {
    {"planes of a source", planes_of_a_source, SINO, SINO_ERROR_BAD_GRAPH, "shows no planes: use the node 'live'"},
    {"a picture of a source", picture_of_a_source, SINO, SINO_ERROR_BAD_GRAPH, "shows no planes: use the node 'live'"},
    {"a graph in place of a task", no_task, CRITICAL, 0, "SINO_IS_TASK"},
    {"a time below -1", no_time, CRITICAL, 0, "timeout >= -1"},
    {"NULL in place of a plane", no_words, CRITICAL, 0, "plane"},
    {"words that are no plane", no_plane, SINO, SINO_ERROR_BAD_PROPERTY, "'slice 5' is no plane: give"},
    {"a plane that is not there", another_plane, SINO, SINO_ERROR_BAD_PROPERTY, "there is no plane 2: there are 0, 1"},
    {"too many planes", too_many_planes, SINO, SINO_ERROR_BAD_PROPERTY, "there are 8 planes already"},
    {"an axis far away", infinite_axis, SINO, SINO_ERROR_BAD_PROPERTY, "the axis cannot be at column"},
    {"a property that is wrong", wrong_property, SINO, SINO_ERROR_BAD_PROPERTY, "'w=2' is no plane"},
    {"a pull before the run", before_the_run, FINE, 0, NULL},
    {"a pull that is cancelled", cancelled_before, FINE, 0, NULL},
    {"pulls after the run", after_the_run, FINE, 0, NULL},
};

void add_misuses_of_planes (void)
{
  add_misuses ("live", planes, G_N_ELEMENTS (planes));
}
