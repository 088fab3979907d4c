// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/registry.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/modules.hpp"
#include "base/pointers.hpp"
#include "glue/boundary.hpp"
#include "glue/load-module.hpp"
#include "glue/node-name.hpp"
#include <algorithm>
#include <filesystem>

#ifndef SINO_MODULE_FOLDER
#error "SINO_MODULE_FOLDER: where modules are installed"
#endif

namespace sino {

Registry &Registry::get ()
{
  static auto *registry = new Registry; // never destroyed: types live as long as the process
  return *registry;
}

std::vector<std::string> Registry::names ()
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  std::vector<std::string> list;
  for (const auto &[name, type] : types)
    list.push_back (name);
  return list;
}

GType Registry::find (const std::string &name)
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  const auto found = types.find (name);
  if (found != types.end ())
    return found->second;
  auto why = did_you_mean (name, names (), "", "'sinograph inspect' lists all nodes");
  if (name == "receive" || name == "send")
    why = "it is in sinograph-zeromq.so, which is not installed";
  if (types.size () == own)
    why = nothing_found ();
  constexpr size_t most = 3; // a wrong folder may contain many other shared objects
  for (size_t i = 0; i < std::min (messages.size (), most); i++)
    why += "; refused: " + messages[i];
  if (messages.size () > most)
    why += text ("; 'sinograph inspect' lists %zu more that were refused", messages.size () - most);
  fail (SINO_ERROR_NOT_FOUND, "no node '%s': %s", name.c_str (), why.c_str ());
}

static void check_node (const std::string &name, GType type)
{
  if (!is_node_name (name))
    fail (SINO_ERROR_FAILED, "'%s' cannot be the name of a node: it must be lower-case words joined by '-'",
          CharPtr (g_utf8_make_valid (name.c_str (), -1)).get ());
  if (!g_type_is_a (type, SINO_TYPE_TASK))
    fail (SINO_ERROR_FAILED, "node '%s': type %s is not a SinoTask", name.c_str (),
          type == G_TYPE_INVALID ? "0" : g_type_name (type));
}

void Registry::add (const std::string &name, GType type)
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  check_node (name, type);
  const auto [place, fresh] = types.emplace (name, type);
  if (!fresh && place->second != type)
    fail (SINO_ERROR_EXISTS, "a node '%s' exists already (type %s)", name.c_str (), g_type_name (place->second));
}

std::string Registry::name_of (GType type)
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  for (const auto &[name, known] : types)
    if (known == type)
      return name;
  return g_type_name (type);
}

std::string Registry::module_of (const std::string &name)
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  const auto found = origins.find (name);
  return found == origins.end () ? std::string () : found->second;
}

std::vector<std::string> Registry::refused ()
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  return messages;
}

std::string Registry::nothing_found () const
{
  return text ("no modules were found in '%s' or in SINOGRAPH_PLUGIN_PATH",
               installed_path (SINO_MODULE_FOLDER).c_str ());
}

std::string Registry::none_text ()
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  if (types.size () > own)
    return {};
  if (messages.empty ())
    return nothing_found ();
  std::string out = "no module could be loaded";
  for (const auto &message : messages)
    out += "\nrefused: " + message;
  return out;
}

// --- modules ---

void Registry::ensure_loaded ()
{
  try {
    if (!loaded)
      load ();
  } catch (const std::bad_alloc &) {
    no_memory = true;
  }
  if (no_memory) // a graph is not wrong just because nodes are missing for lack of memory
    throw std::bad_alloc ();
}

void Registry::load ()
{
  loaded = true;
  for (const auto *r = Registration::head; r; r = r->next)
    types.emplace (r->name, r->gtype ());
  own = types.size ();
  std::set<std::string> seen;
  for (const auto &folder : module_folders ()) {
    std::error_code failed;
    const auto path = std::filesystem::canonical (folder, failed);
    if (!failed && seen.insert (path).second)
      load_folder (path);
  }
}

// A module in an earlier folder hides those of the same name in later folders, for example a build folder the
// installation.
void Registry::load_folder (const std::string &folder)
{
  std::vector<std::filesystem::path> files;
  for (const auto &name : names_in (folder).list)
    if (std::filesystem::path (name).extension () == ".so" && !modules.contains (name))
      files.push_back (std::filesystem::path (folder) / name);
  std::ranges::sort (files);
  for (const auto &file : files) {
    current = file;
    try {
      load_module (file, add_from_module);
      modules.insert (file.filename ());
    } catch (...) {
      refuse_current ();
    }
  }
}

void Registry::refuse_current ()
{
  try {
    throw;
  } catch (const std::bad_alloc &) {
    no_memory = true;
  } catch (const std::exception &e) {
    messages.push_back (text ("%s: %s", current.c_str (), e.what ()));
  }
}

static GType type_of (const std::string &node, GType (*get_type) ())
{
  GError *error = nullptr;
  const GType type = guarded (&error, get_type);
  if (error)
    fail (SINO_ERROR_FAILED, "node '%s': its type is not available: %s", node.c_str (), ErrorPtr (error)->message);
  return type;
}

// Called by the module that is being loaded, perhaps through C.
void Registry::add_from_module (const char *name, GType (*get_type) ()) noexcept
{
  auto &self = get ();
  try {
    const std::string node = name ? name : "";
    if (self.types.contains (node))
      fail (SINO_ERROR_EXISTS, "node '%s' is in another module, which is used", node.c_str ());
    const GType type = type_of (node, get_type);
    check_node (node, type);
    self.types.emplace (node, type);
    self.origins.emplace (node, self.current);
  } catch (...) {
    self.refuse_current ();
  }
}

void Registry::add_formats (const formats::AnyFormat *first) noexcept
{
  for (const auto *format = first; format; format = format->next)
    try {
      format->add ();
    } catch (...) {
      get ().refuse_current ();
    }
}

} // namespace sino
