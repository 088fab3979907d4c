// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-registry.h"
#include "glue/boundary.hpp"
#include "glue/registry.hpp"
#include "graph/node-facts.hpp"

using sino::Registry;

static gchar **to_strv (const std::vector<std::string> &words)
{
  auto **list = g_new0 (gchar *, words.size () + 1);
  for (size_t i = 0; i < words.size (); i++)
    list[i] = g_strdup (words[i].c_str ());
  return list;
}

gchar **sino_registry_list (void)
{
  return sino::guarded (nullptr, [] { return to_strv (Registry::get ().names ()); });
}

GType sino_registry_find (const gchar *name, GError **error)
{
  g_return_val_if_fail (name, G_TYPE_INVALID);
  return sino::guarded (error, [name] { return Registry::get ().find (name); });
}

gboolean sino_registry_register (const gchar *name, GType type, GError **error)
{
  g_return_val_if_fail (name && *name, FALSE);
  return sino::guarded (error, [&] { Registry::get ().add (name, type); });
}

const gchar *sino_registry_get_summary (const gchar *name, GError **error)
{
  g_return_val_if_fail (name, nullptr);
  return sino::guarded (error, [name] {
    const auto *type = sino::task_type (Registry::get ().find (name));
    return type ? type->info.summary : "";
  });
}

GVariant *sino_registry_describe (const gchar *name, GError **error)
{
  g_return_val_if_fail (name, nullptr);
  return sino::guarded (error, [name] { return g_variant_ref_sink (to_variant (sino::facts_of (name))); });
}

gchar **sino_registry_list_refused (void)
{
  return sino::guarded (nullptr, [] { return to_strv (Registry::get ().refused ()); });
}
