// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-graph.h"
#include "api/contents.hpp"
#include "glue/held.hpp"
#include "graph/json-writer.hpp"
#include "graph/properties.hpp"
#include "ufo/ufo.hpp"

using sino::Graph;
using sino::guarded;
using GraphObject = sino::Held<Graph>;

GType sino_graph_get_type (void)
{
  return GraphObject::gtype ("SinoGraph");
}

namespace sino {

Graph &contents (SinoGraph *self)
{
  return GraphObject::of (self);
}

} // namespace sino

// --- making one ---

SinoGraph *sino_graph_new (void)
{
  return static_cast<SinoGraph *> (g_object_new (SINO_TYPE_GRAPH, nullptr));
}

template <class Read> static SinoGraph *make (GError **error, Read read)
{
  return guarded (error, [read] {
    Graph graph = read ();
    auto *self = sino_graph_new ();
    sino::contents (self) = std::move (graph);
    return self;
  });
}

SinoGraph *sino_graph_new_from_file (const gchar *path, GError **error)
{
  g_return_val_if_fail (path, nullptr);
  return make (error, [path] { return sino::ufo::load_file (path); });
}

SinoGraph *sino_graph_new_from_json (const gchar *json, GError **error)
{
  g_return_val_if_fail (json, nullptr);
  return make (error, [json] { return sino::ufo::parse_text (json); });
}

SinoGraph *sino_graph_new_from_launch (const gchar *line, GError **error)
{
  g_return_val_if_fail (line, nullptr);
  return make (error, [line] { return sino::ufo::parse_line (line); });
}

// --- writing it ---

gboolean sino_graph_save (SinoGraph *self, const gchar *path, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && path, FALSE);
  return guarded (error, [&] { sino::save_json (sino::contents (self), path); });
}

gchar *sino_graph_to_json (SinoGraph *self, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self), nullptr);
  return guarded (error, [self] { return g_strdup (sino::to_json (sino::contents (self)).c_str ()); });
}

// --- building it ---

// Interned, because the graph's own strings move when it grows.
static const gchar *name_of (SinoGraph *self, size_t node)
{
  return g_intern_string (sino::contents (self).nodes ()[node].name.c_str ());
}

const gchar *sino_graph_add_node (SinoGraph *self, const gchar *plugin, const gchar *name, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && plugin, nullptr);
  return guarded (error, [&] { return name_of (self, sino::contents (self).add (plugin, name ? name : "")); });
}

const gchar *sino_graph_add_task (SinoGraph *self, SinoTask *task, const gchar *name, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && SINO_IS_TASK (task), nullptr);
  return guarded (error, [&] {
    for (const auto &node : sino::contents (self).nodes ())
      if (node.task.get () == task)
        sino::fail (SINO_ERROR_BAD_GRAPH, "this object is in the graph already: it is node %s",
                    sino::title (node).c_str ());
    sino::ObjectPtr<SinoTask> reference (static_cast<SinoTask *> (g_object_ref (task)));
    return name_of (self, sino::contents (self).add (std::move (reference), name ? name : ""));
  });
}

gboolean sino_graph_connect (SinoGraph *self, const gchar *source, const gchar *target, guint input, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && source && target, FALSE);
  return guarded (error, [&] {
    sino::contents (self).connect (sino::contents (self).find (source), sino::contents (self).find (target), input);
  });
}

// --- properties ---

static const sino::Node &find (SinoGraph *self, const gchar *name)
{
  return sino::contents (self).nodes ()[sino::contents (self).find (name)];
}

gboolean sino_graph_set (SinoGraph *self, const gchar *node, const gchar *property, const gchar *word, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && node && property && word, FALSE);
  return guarded (error, [&] { sino::set_property (find (self, node), property, word); });
}

gboolean sino_graph_set_value (SinoGraph *self, const gchar *node, const gchar *property, const GValue *value,
                               GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && node && property && G_IS_VALUE (value), FALSE);
  return guarded (error, [&] { sino::set_property (find (self, node), property, value); });
}

// --- queries ---

gchar **sino_graph_list_nodes (SinoGraph *self)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self), nullptr);
  const auto &nodes = sino::contents (self).nodes ();
  auto **names = g_new0 (gchar *, nodes.size () + 1);
  for (size_t i = 0; i < nodes.size (); i++)
    names[i] = g_strdup (nodes[i].name.c_str ());
  return names;
}

GVariant *sino_graph_list_edges (SinoGraph *self)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self), nullptr);
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(ssu)"));
  for (const auto &edge : sino::contents (self).edges ())
    g_variant_builder_add (&builder, "(ssu)", name_of (self, edge.from), name_of (self, edge.to),
                           static_cast<guint> (edge.input));
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

SinoTask *sino_graph_get_task (SinoGraph *self, const gchar *node, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && node, nullptr);
  return guarded (error, [&] { return find (self, node).task.get (); });
}

const gchar *sino_graph_get_plugin (SinoGraph *self, const gchar *node, GError **error)
{
  g_return_val_if_fail (SINO_IS_GRAPH (self) && node, nullptr);
  return guarded (error, [&] { return g_intern_string (find (self, node).type.c_str ()); });
}
