/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-task.h"

G_BEGIN_DECLS

#define SINO_TYPE_GRAPH (sino_graph_get_type ())

/**
 * SinoGraph:
 *
 * Nodes, which are tasks with a name, and the edges between them. An edge leads from the output of a node to an input
 * of another; an output may feed several inputs.
 *
 * Nothing here looks at files or formats: [method@Sino.Runner.check] does. A run works with the graph as it was when
 * the run began. A graph must not be changed by two threads at once.
 */
SINO_PUBLIC
G_DECLARE_FINAL_TYPE (SinoGraph, sino_graph, SINO, GRAPH, GObject)

/**
 * sino_graph_new:
 *
 * Makes an empty graph.
 *
 * Returns: (transfer full): a graph
 */
SINO_PUBLIC
SinoGraph *sino_graph_new (void);

/**
 * sino_graph_new_from_file:
 * @path: (type filename): path of a JSON file
 * @error: return location for an error
 *
 * Reads a graph from a JSON file, one of ours or of UFO.
 *
 * Fails with %SINO_ERROR_BAD_FILE when the file cannot be read, and as [ctor@Sino.Graph.new_from_json] does.
 *
 * Returns: (transfer full): a graph
 */
SINO_PUBLIC
SinoGraph *sino_graph_new_from_file (const gchar *path, GError **error);

/**
 * sino_graph_new_from_json:
 * @json: a graph as JSON
 * @error: return location for an error
 *
 * Reads a graph from JSON. One of UFO becomes one of ours, as far as its nodes and properties have a like here.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when it is no graph, %SINO_ERROR_NOT_FOUND for an unknown node and
 * %SINO_ERROR_BAD_PROPERTY for an unknown property or a value that is not valid; the message has the place.
 *
 * Returns: (transfer full): a graph
 */
SINO_PUBLIC
SinoGraph *sino_graph_new_from_json (const gchar *json, GError **error);

/**
 * sino_graph_new_from_launch:
 * @line: a launch line, as in `read path=scan.h5 ! flat-field ! write path=out.tif`
 * @error: return location for an error
 *
 * Reads a graph from a launch line, one of ours or of UFO.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when the line is not well-formed, %SINO_ERROR_NOT_FOUND for an unknown node and
 * %SINO_ERROR_BAD_PROPERTY for an unknown property or a value that is not valid; the message shows the place.
 *
 * Returns: (transfer full): a graph
 */
SINO_PUBLIC
SinoGraph *sino_graph_new_from_launch (const gchar *line, GError **error);

/**
 * sino_graph_save:
 * @self: a graph
 * @path: (type filename): path of the new JSON file
 * @error: return location for an error
 *
 * Writes the graph to a JSON file that does not exist yet.
 *
 * Fails with %SINO_ERROR_EXISTS when it does, and with %SINO_ERROR_BAD_FILE when it cannot be written.
 *
 * Returns: whether the file was written
 */
SINO_PUBLIC
gboolean sino_graph_save (SinoGraph *self, const gchar *path, GError **error);

/**
 * sino_graph_to_json:
 * @self: a graph
 * @error: return location for an error
 *
 * Writes the graph as JSON; the same graph gives the same text. Properties that have their default value are left out.
 *
 * Fails with %SINO_ERROR_BAD_PROPERTY when the value of a property is not UTF-8.
 *
 * Returns: (transfer full): the JSON text
 */
SINO_PUBLIC
gchar *sino_graph_to_json (SinoGraph *self, GError **error);

/**
 * sino_graph_add_node:
 * @self: a graph
 * @plugin: what the node is, as in `back-project`
 * @name: (nullable): its name in the graph; %NULL names it after the plugin, numbered when that is taken
 * @error: return location for an error
 *
 * Adds a node of the registry.
 *
 * Fails with %SINO_ERROR_NOT_FOUND when there is no such node, and with %SINO_ERROR_BAD_GRAPH when the name is taken.
 *
 * Returns: (transfer none): the name of the node
 */
SINO_PUBLIC
const gchar *sino_graph_add_node (SinoGraph *self, const gchar *plugin, const gchar *name, GError **error);

/**
 * sino_graph_add_task:
 * @self: a graph
 * @task: an object of a task's type
 * @name: (nullable): its name in the graph; %NULL names it after its type, numbered when that is taken
 * @error: return location for an error
 *
 * Adds an object as a node. Its type need not be registered, but a graph that is saved can be read again only where
 * it is.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when the name is taken or the object is in the graph already.
 *
 * Returns: (transfer none): the name of the node
 */
SINO_PUBLIC
const gchar *sino_graph_add_task (SinoGraph *self, SinoTask *task, const gchar *name, GError **error);

/**
 * sino_graph_connect:
 * @self: a graph
 * @source: name of the node whose output is taken
 * @target: name of the node that takes it
 * @input: which input of @target, from 0
 * @error: return location for an error
 *
 * Makes an edge.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when there is no such node, output or input, when the input is taken, or when the
 * edge would close a cycle.
 *
 * Returns: whether the edge was made
 */
SINO_PUBLIC
gboolean sino_graph_connect (SinoGraph *self, const gchar *source, const gchar *target, guint input, GError **error);

/**
 * sino_graph_set:
 * @self: a graph
 * @node: name of a node
 * @property: name of one of its properties
 * @word: the value as text, as in a launch line: `296.5`, `true`, `hann`
 * @error: return location for an error
 *
 * Sets a property from text.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when there is no such node, and with %SINO_ERROR_BAD_PROPERTY when it has no such
 * property or the value is not valid; the message says what is.
 *
 * Returns: whether the property was set
 */
SINO_PUBLIC
gboolean sino_graph_set (SinoGraph *self, const gchar *node, const gchar *property, const gchar *word, GError **error);

/**
 * sino_graph_set_value:
 * @self: a graph
 * @node: name of a node
 * @property: name of one of its properties
 * @value: the value: a number, a boolean, a string, or the word of a choice as a string
 * @error: return location for an error
 *
 * Sets a property from a value of its type. Unlike [method@GObject.Object.set_property] this reports values that are
 * not valid.
 *
 * Fails as [method@Sino.Graph.set] does.
 *
 * Returns: whether the property was set
 */
SINO_PUBLIC
gboolean sino_graph_set_value (SinoGraph *self, const gchar *node, const gchar *property, const GValue *value,
                               GError **error);

/**
 * sino_graph_list_nodes:
 * @self: a graph
 *
 * Lists the names of the nodes.
 *
 * Returns: (array zero-terminated=1) (transfer full): the names, in the order in which they were added
 */
SINO_PUBLIC
gchar **sino_graph_list_nodes (SinoGraph *self);

/**
 * sino_graph_list_edges:
 * @self: a graph
 *
 * Lists the edges.
 *
 * Returns: (transfer full): an array of (source, target, input), of type `a(ssu)`, in the order in which they were made
 */
SINO_PUBLIC
GVariant *sino_graph_list_edges (SinoGraph *self);

/**
 * sino_graph_get_task:
 * @self: a graph
 * @node: name of a node
 * @error: return location for an error
 *
 * Gives the object behind a node, whose properties can be read and set.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when there is no such node.
 *
 * Returns: (transfer none): the task
 */
SINO_PUBLIC
SinoTask *sino_graph_get_task (SinoGraph *self, const gchar *node, GError **error);

/**
 * sino_graph_get_plugin:
 * @self: a graph
 * @node: name of a node
 * @error: return location for an error
 *
 * Says what a node is.
 *
 * Fails with %SINO_ERROR_BAD_GRAPH when there is no such node.
 *
 * Returns: (transfer none): the name under which its type is registered, or the name of the type
 */
SINO_PUBLIC
const gchar *sino_graph_get_plugin (SinoGraph *self, const gchar *node, GError **error);

G_END_DECLS
