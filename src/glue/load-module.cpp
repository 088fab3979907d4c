// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/load-module.hpp"
#include "base/error.hpp"
#include "base/modules.hpp"
#include <gmodule.h>

namespace sino {

// What static constructors throw unwinds the dynamic loader, whose lock then stays taken: every other thread that loads
// something, as drivers and TBB do, would wait for ever. Better an end that says why.
static GModule *open_module (const std::string &path)
{
  try {
    return g_module_open (path.c_str (), G_MODULE_BIND_LOCAL);
  } catch (const std::exception &e) {
    g_error ("module %s threw while it was loaded (%s): nothing can be loaded after that, take it away", path.c_str (),
             e.what ());
  } catch (...) {
    g_error ("module %s threw while it was loaded: nothing can be loaded after that, take it away", path.c_str ());
  }
}

void load_module (const std::string &path, SinoModuleAdd add)
{
  if (const auto fault = module_fault (path); !fault.empty ())
    fail (SINO_ERROR_BAD_FILE, "%s", fault.c_str ());
  const auto api = module_mark (path, SINO_MODULE_PREFIX);
  if (api.empty ())
    fail (SINO_ERROR_BAD_FILE, "not a Sinograph module");
  if (api != SINO_MODULE_API)
    fail (SINO_ERROR_BAD_FILE, "made for module API %s, this is API %s: build it again", api.c_str (), SINO_MODULE_API);
  GModule *module = open_module (path);
  if (!module)
    fail (SINO_ERROR_BAD_FILE, "%s", g_module_error ());
  g_module_make_resident (module);
  gpointer symbol = nullptr;
  if (!g_module_symbol (module, "sino_module_register", &symbol))
    fail (SINO_ERROR_BAD_FILE, "%s", g_module_error ());
  try {
    reinterpret_cast<decltype (&sino_module_register)> (symbol) (add);
  } catch (const std::exception &e) {
    fail (SINO_ERROR_FAILED, "threw while it added its nodes: %s", e.what ());
  } catch (...) {
    fail (SINO_ERROR_FAILED, "threw while it added its nodes");
  }
}

} // namespace sino
