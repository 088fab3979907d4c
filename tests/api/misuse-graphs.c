/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wrong uses of Graph, of the properties of nodes, of Registry and Device, and of Task. */
#include "tests/api/misuse.h"
#include <glib/gstdio.h>

/* --- graphs --- */

ROW (graph_of_null)
{
  g_assert_null (sino_graph_new_from_launch (NULL, error));
}

ROW (graph_of_no_line)
{
  g_assert_null (sino_graph_new_from_launch ("", error));
}

ROW (graph_of_a_broken_line)
{
  g_assert_null (sino_graph_new_from_launch ("simulate ! ! null", error));
}

ROW (graph_of_unknown_nodes)
{
  g_assert_null (sino_graph_new_from_launch ("simulat ! null", error));
}

ROW (graph_of_broken_json)
{
  g_assert_null (sino_graph_new_from_json ("{\"nodes\": [", error));
}

ROW (graph_of_no_file)
{
  g_assert_null (sino_graph_new_from_file ("/nonexistent/graph.json", error));
}

ROW (graph_that_is_a_runner)
{
  g_assert_null (sino_graph_list_nodes ((SinoGraph *)f->runner));
}

ROW (graph_with_two_of_a_name)
{
  g_assert_null (sino_graph_add_node (f->graph, "null", "camera", error));
}

ROW (graph_with_a_task_twice)
{
  g_assert_null (sino_graph_add_task (f->graph, SINO_TASK (f->source), "again", error));
}

ROW (graph_with_a_runner_as_task)
{
  g_assert_null (sino_graph_add_task (f->graph, (SinoTask *)f->runner, NULL, error));
}

ROW (graph_with_an_edge_from_nowhere)
{
  g_assert_false (sino_graph_connect (f->graph, "nowhere", "blocks", 0, error));
}

ROW (graph_with_an_edge_twice)
{
  g_assert_false (sino_graph_connect (f->graph, "camera", "blocks", 0, error));
}

ROW (graph_with_an_edge_from_a_sink)
{
  g_assert_nonnull (sino_graph_add_node (f->graph, "null", NULL, NULL));
  g_assert_false (sino_graph_connect (f->graph, "blocks", "null", 0, error));
}

ROW (graph_with_an_edge_to_no_input)
{
  g_assert_false (sino_graph_connect (f->graph, "camera", "blocks", 7, error));
}

ROW (graph_with_a_circle)
{
  g_assert_nonnull (sino_graph_add_node (f->graph, "minus-log", "a", NULL));
  g_assert_nonnull (sino_graph_add_node (f->graph, "minus-log", "b", NULL));
  g_assert_true (sino_graph_connect (f->graph, "a", "b", 0, NULL));
  g_assert_false (sino_graph_connect (f->graph, "b", "a", 0, error));
}

ROW (graph_without_that_task)
{
  g_assert_null (sino_graph_get_task (f->graph, "camara", error));
}

ROW (graph_saved_over_a_file)
{
  g_autofree gchar *path = NULL;
  const gint file = g_file_open_tmp ("misuse-XXXXXX.json", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_false (sino_graph_save (f->graph, path, error));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* --- properties --- */

ROW (property_that_is_none)
{
  g_assert_false (sino_graph_set (f->graph, "camera", "colums", "3", error));
}

ROW (property_of_another_type)
{
  g_assert_false (sino_graph_set (f->graph, "camera", "rows", "many", error));
}

ROW (property_out_of_range)
{
  g_assert_false (sino_graph_set (f->graph, "camera", "rows", "-1", error));
}

ROW (property_of_no_node)
{
  g_assert_false (sino_graph_set (f->graph, "nowhere", "rows", "1", error));
}

ROW (property_of_an_object)
{
  g_auto (GValue) value = G_VALUE_INIT;
  g_value_init (&value, G_TYPE_OBJECT);
  g_assert_false (sino_graph_set_value (f->graph, "camera", "rows", &value, error));
}

ROW (property_of_no_value)
{
  const GValue value = G_VALUE_INIT;
  g_assert_false (sino_graph_set_value (f->graph, "camera", "rows", &value, error));
}

ROW (property_that_gobject_does_not_know)
{
  g_object_set (f->source, "colums", 3, NULL);
}

ROW (runner_without_that_property)
{
  g_object_set (f->runner, "devices", "native", NULL);
}

/* --- registry, devices --- */

ROW (registry_with_a_bad_name)
{
  g_assert_false (sino_registry_register ("No Name", SINO_TYPE_APP_SINK, error));
}

ROW (registry_with_no_task)
{
  g_assert_false (sino_registry_register ("a-runner", SINO_TYPE_RUNNER, error));
}

ROW (registry_with_a_name_that_is_taken)
{
  g_assert_false (sino_registry_register ("null", SINO_TYPE_APP_SINK, error));
}

ROW (registry_without_that_node)
{
  g_assert_null (sino_registry_get_summary ("nul", error));
}

ROW (device_that_is_none)
{
  g_assert_null (sino_device_find ("gpu", error));
}

static const Misuse graphs[] = {
    {"a line of NULL", graph_of_null, CRITICAL, 0, "line"},
    {"an empty line", graph_of_no_line, SINO, SINO_ERROR_BAD_GRAPH, ""},
    {"a line with nothing between two marks", graph_of_a_broken_line, SINO, SINO_ERROR_BAD_GRAPH, "!"},
    {"an unknown node", graph_of_unknown_nodes, SINO, SINO_ERROR_NOT_FOUND, "simulate"},
    {"JSON that ends early", graph_of_broken_json, SINO, SINO_ERROR_BAD_GRAPH, ""},
    {"a file that is not there", graph_of_no_file, SINO, SINO_ERROR_BAD_FILE, "/nonexistent/graph.json"},
    {"a runner in place of a graph", graph_that_is_a_runner, CRITICAL, 0, "SINO_IS_GRAPH"},
    {"a name twice", graph_with_two_of_a_name, SINO, SINO_ERROR_BAD_GRAPH, "camera"},
    {"an object twice", graph_with_a_task_twice, SINO, SINO_ERROR_BAD_GRAPH, "this object is in the graph already"},
    {"a runner in place of a task", graph_with_a_runner_as_task, CRITICAL, 0, "SINO_IS_TASK"},
    {"an edge from no node", graph_with_an_edge_from_nowhere, SINO, SINO_ERROR_BAD_GRAPH, "nowhere"},
    {"an edge twice", graph_with_an_edge_twice, SINO, SINO_ERROR_BAD_GRAPH, "blocks"},
    {"an edge from a sink", graph_with_an_edge_from_a_sink, SINO, SINO_ERROR_BAD_GRAPH, "blocks"},
    {"an edge to no input", graph_with_an_edge_to_no_input, SINO, SINO_ERROR_BAD_GRAPH, "7"},
    {"a circle", graph_with_a_circle, SINO, SINO_ERROR_BAD_GRAPH, "cycle"},
    {"a task that is not there", graph_without_that_task, SINO, SINO_ERROR_BAD_GRAPH, "camara"},
    {"a file that is there", graph_saved_over_a_file, SINO, SINO_ERROR_EXISTS, "misuse-"},
};

static const Misuse properties[] = {
    {"no such property", property_that_is_none, SINO, SINO_ERROR_BAD_PROPERTY, "columns"},
    {"a word for a number", property_of_another_type, SINO, SINO_ERROR_BAD_PROPERTY, "many"},
    {"out of range", property_out_of_range, SINO, SINO_ERROR_BAD_PROPERTY, "-1"},
    {"no such node", property_of_no_node, SINO, SINO_ERROR_BAD_GRAPH, "nowhere"},
    {"an object for a number", property_of_an_object, SINO, SINO_ERROR_BAD_PROPERTY, "GObject"},
    {"a value without a type", property_of_no_value, CRITICAL, 0, "G_IS_VALUE"},
    {"no such property by GObject", property_that_gobject_does_not_know, WARNING, 0, "colums"},
    {"no such property of the runner", runner_without_that_property, WARNING, 0, "devices"},
};

static const Misuse registry[] = {
    {"a name that is none", registry_with_a_bad_name, SINO, SINO_ERROR_FAILED, "No Name"},
    {"a type that is no task", registry_with_no_task, SINO, SINO_ERROR_FAILED, "SinoRunner"},
    {"a name of another type", registry_with_a_name_that_is_taken, SINO, SINO_ERROR_EXISTS, "null"},
    {"a node that is not there", registry_without_that_node, SINO, SINO_ERROR_NOT_FOUND, "null"},
    {"a device that is not there", device_that_is_none, SINO, SINO_ERROR_DEVICE, "native"},
};

void add_misuses_of_graphs (void)
{
  add_misuses ("graph", graphs, G_N_ELEMENTS (graphs));
  add_misuses ("property", properties, G_N_ELEMENTS (properties));
  add_misuses ("registry", registry, G_N_ELEMENTS (registry));
}
