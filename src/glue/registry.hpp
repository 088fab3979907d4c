// SPDX-License-Identifier: LGPL-3.0-or-later
// The nodes that there are: the library's own, those of the modules found in the install folder and in
// SINOGRAPH_PLUGIN_PATH, and those that the embedding program adds.
#pragma once
#include "formats/formats.hpp"
#include "glue/binding.hpp"
#include <mutex>
#include <set>

namespace sino {

class SINO_VISIBLE Registry
{
public:
  // The process's registry; modules are loaded on first use. Thread-safe.
  static Registry &get ();

  // Node names, sorted.
  std::vector<std::string> names ();
  // The type of a node; throws SINO_ERROR_NOT_FOUND that names the nearest one.
  GType find (const std::string &name);
  // Adds a node; throws when the name is none or taken by another type, or the type is no SinoTask.
  void add (const std::string &name, GType type);
  // The name a type was registered under, or the type's own name.
  std::string name_of (GType type);
  // Path of the module that a node came with; "" of the library's own and of those that the program added.
  std::string module_of (const std::string &name);
  // Modules, and nodes of modules, that were refused, a message each; `sinograph inspect` prints them.
  std::vector<std::string> refused ();
  // Why there are no nodes but the library's own; "" when there are more.
  std::string none_text ();

  // Adds the formats of the module that is being loaded.
  static void add_formats (const formats::AnyFormat *first) noexcept;

private:
  void ensure_loaded ();
  void load ();
  std::string nothing_found () const;
  void load_folder (const std::string &folder);
  void refuse_current (); // within a handler: keeps why a module or a part of it is not used
  static void add_from_module (const char *name, GType (*get_type) ()) noexcept;

  std::recursive_mutex mutex;
  bool loaded = false;
  bool no_memory = false; // for all that the modules have: some of it is missing for good
  size_t own = 0;         // nodes of the library
  std::map<std::string, GType> types;
  std::map<std::string, std::string> origins; // modules of nodes
  std::set<std::string> modules;              // names of the files that were loaded
  std::string current;                        // path of the module that is being loaded
  std::vector<std::string> messages;
};

} // namespace sino
