// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/registry.hpp"
#include "base/error.hpp"
#include "base/modules.hpp"
#include "glue/module.hpp"
#include <algorithm>
#include <filesystem>
#include <gmodule.h>

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
  const auto near = nearest (name, names ());
  std::string why =
      near.empty () ? "'sinograph inspect' lists those there are" : text ("did you mean '%s'?", near.c_str ());
  if (types.empty ())
    why = none_text ();
  fail (SINO_ERROR_NOT_FOUND, "no node '%s': %s", name.c_str (), why.c_str ());
}

void Registry::add (const std::string &name, GType type)
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  if (!g_type_is_a (type, SINO_TYPE_TASK))
    fail (SINO_ERROR_FAILED, "node '%s': type %s is not a SinoTask", name.c_str (), g_type_name (type));
  const auto [place, fresh] = types.emplace (name, type);
  if (!fresh && place->second != type)
    fail (SINO_ERROR_EXISTS, "a node '%s' is there already (type %s)", name.c_str (), g_type_name (place->second));
}

std::string Registry::name_of (GType type)
{
  const std::lock_guard guard (mutex);
  for (const auto &[name, known] : types)
    if (known == type)
      return name;
  return g_type_name (type);
}

std::vector<std::string> Registry::refused ()
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  return messages;
}

std::string Registry::none_text ()
{
  const std::lock_guard guard (mutex);
  ensure_loaded ();
  if (messages.empty ())
    return text ("no modules were found in '%s' or in SINOGRAPH_PLUGIN_PATH", SINO_MODULE_FOLDER);
  std::string out = "no module could be loaded";
  for (const auto &message : messages)
    out += "\nrefused: " + message;
  return out;
}

void Registry::ensure_loaded ()
{
  if (loaded)
    return;
  loaded = true;
  for (const auto &folder : module_folders ())
    load_folder (folder);
}

void Registry::load_folder (const std::string &folder)
{
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator (folder, ignored))
    if (entry.path ().extension () == ".so")
      files.push_back (entry.path ());
  std::sort (files.begin (), files.end ());
  for (const auto &file : files)
    load_module (file);
}

void Registry::load_module (const std::string &path)
{
  const auto api = module_mark (path, SINO_MODULE_MARK);
  if (api != SINO_MODULE_API) {
    messages.push_back (api.empty () ? text ("%s: not a Sinograph module", path.c_str ())
                                     : text ("%s: made for module API %s, this is API %s: build it again",
                                             path.c_str (), api.c_str (), SINO_MODULE_API));
    return;
  }
  GModule *module = g_module_open (path.c_str (), GModuleFlags (G_MODULE_BIND_LOCAL | G_MODULE_BIND_LAZY));
  if (!module) {
    messages.push_back (text ("%s: %s", path.c_str (), g_module_error ()));
    return;
  }
  g_module_make_resident (module);
  using Register = void (*) (void (*) (const char *, GType));
  gpointer symbol = nullptr;
  if (!g_module_symbol (module, "sino_module_register", &symbol)) {
    messages.push_back (text ("%s: %s", path.c_str (), g_module_error ()));
    return;
  }
  reinterpret_cast<Register> (symbol) ([] (const char *name, GType type) {
    auto &self = get ();
    const auto [place, fresh] = self.types.emplace (name, type);
    if (!fresh)
      self.messages.push_back (text ("node '%s' is in two modules: the first found is used", name));
  });
}

} // namespace sino
