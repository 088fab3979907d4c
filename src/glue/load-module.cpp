// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/load-module.hpp"
#include "api/sino-version.h"
#include "base/error.hpp"
#include "base/modules.hpp"
#include "base/text.hpp"
#include "glue/build.hpp"
#include <algorithm>
#include <gmodule.h>

namespace sino {

// An exception in a static constructor would unwind the dynamic loader and leave its lock held: all other threads that
// load something, as drivers and TBB do, would wait for ever. So the process ends with a message instead.
static GModule *open_module (const std::string &path)
{
  try {
    return g_module_open (path.c_str (), G_MODULE_BIND_LOCAL);
  } catch (const std::exception &e) {
    g_error ("module %s threw an exception during loading (%s): nothing can be loaded after that, remove it",
             path.c_str (), e.what ());
  } catch (...) {
    g_error ("module %s threw an exception during loading: nothing can be loaded after that, remove it", path.c_str ());
  }
}

// The mark contains the number of the C interface, the version of the headers and, for a C++ module, their build.
static void check_mark (const std::string &mark)
{
  if (mark.empty ())
    fail (SINO_ERROR_BAD_FILE, "not a Sinograph module: it has no 'sino_module_mark'");
  auto words = split (mark, ' ');
  words.resize (3);
  const auto &[api, version, build] = std::tie (words[0], words[1], words[2]);
  int64_t number = 0, own = 0;
  if (!parse_integer (api, number) || !parse_integer (SINO_MODULE_API, own) ||
      !std::ranges::all_of (mark, [] (char c) { return c == ' ' || g_ascii_isgraph (c); }))
    fail (SINO_ERROR_BAD_FILE, "not a Sinograph module: its mark is damaged");
  const auto made = version.empty () ? std::string ("another Sinograph") : "Sinograph " + version;
  if (number != own)
    fail (SINO_ERROR_BAD_FILE,
          "made for %s with module interface %s, and this is Sinograph " SINO_VERSION " with module interface %s: %s",
          made.c_str (), api.c_str (), SINO_MODULE_API,
          number > own ? "use it with that version, or build it again with the headers of this one"
                       : "build it again with the headers of this one");
  if (!build.empty () && build != build_of_headers ())
    fail (SINO_ERROR_BAD_FILE,
          "made for the C++ headers of %s (build %s), and this is Sinograph " SINO_VERSION
          " (build %s): a C++ module works only with the headers that it was built with, build it again with the "
          "headers of this one",
          made.c_str (), build.c_str (), build_of_headers ());
}

void load_module (const std::string &path, SinoModuleAdd add)
{
  if (const auto fault = module_fault (path); !fault.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s", fault.c_str ());
  check_mark (module_mark (path, SINO_MODULE_PREFIX));
  GModule *module = open_module (path);
  if (!module)
    fail (SINO_ERROR_BAD_FILE, "%s", g_module_error ());
  g_module_make_resident (module);
  gpointer symbol = nullptr;
  if (!g_module_symbol (module, "sino_module_register", &symbol))
    fail (SINO_ERROR_BAD_FILE, "%s", g_module_error ());
  try {
    reinterpret_cast<decltype (&sino_module_register)> (symbol) (add);
  } catch (const std::bad_alloc &) {
    throw;
  } catch (const std::exception &e) {
    fail (SINO_ERROR_FAILED, "threw an exception when it added its nodes: %s", e.what ());
  } catch (...) {
    fail (SINO_ERROR_FAILED, "threw an exception when it added its nodes");
  }
}

} // namespace sino
