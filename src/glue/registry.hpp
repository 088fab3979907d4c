// SPDX-License-Identifier: LGPL-3.0-or-later
// All nodes: the library's own, those of modules in the installation folder and in SINOGRAPH_PLUGIN_PATH, and those
// added by the embedding program.
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
  // The type of a node; throws SINO_ERROR_NOT_FOUND with the most similar name.
  GType find (const std::string &name);
  // Adds a node; throws if the name is invalid or used by another type, or the type is no SinoTask.
  void add (const std::string &name, GType type);
  // The name a type was registered under, or the type's own name.
  std::string name_of (GType type);
  // Path of the module that a node belongs to; "" for nodes of the library and of the program.
  std::string module_of (const std::string &name);
  // Messages about modules, and nodes of modules, that were refused; printed by `sinograph inspect`.
  std::vector<std::string> refused ();
  // The reason why only the library's own nodes exist; "" if there are more.
  std::string none_text ();

  // Adds the formats of the module that is being loaded.
  static void add_formats (const formats::AnyFormat *first) noexcept;

private:
  void ensure_loaded ();
  void load ();
  std::string nothing_found () const;
  void load_folder (const std::string &folder);
  void refuse_current (); // called in an exception handler: records the reason why a module or a part of it is not used
  static void add_from_module (const char *name, GType (*get_type) ()) noexcept;

  std::recursive_mutex mutex;
  bool loaded = false;
  bool no_memory = false; // memory was short: some nodes of modules are missing permanently
  size_t own = 0;         // number of nodes of the library
  std::map<std::string, GType> types;
  std::map<std::string, std::string> origins; // paths of the modules of nodes
  std::set<std::string> modules;              // names of the files that were loaded
  std::string current;                        // path of the module that is being loaded
  std::vector<std::string> messages;
};

} // namespace sino
