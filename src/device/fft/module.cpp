// SPDX-License-Identifier: LGPL-3.0-or-later
// Finds and loads the module that brings FFTW, for builds with -Dfftw=enabled.
#include "base/error.hpp"
#include "base/modules.hpp"
#include "device/fft/backend.hpp"
#include <gmodule.h>

namespace sino {

static constexpr const char *fft_module = "fft/sinograph-fft-fftw.so";

// The backend in a file, or null with the reason in `why`.
static const SinoFftBackend *load (const std::string &path, std::string &why)
{
  if (const auto fault = module_fault (path); !fault.empty ()) {
    why = text ("%s: %s", path.c_str (), fault.c_str ());
    return nullptr;
  }
  const auto api = module_mark (path, SINO_FFT_MARK);
  if (api != SINO_FFT_API) {
    why = api.empty () ? text ("%s is not an FFT module", path.c_str ())
                       : text ("%s was made for FFT API %s, this is API %s: build it again", path.c_str (),
                               api.c_str (), SINO_FFT_API);
    return nullptr;
  }
  GModule *module = g_module_open (path.c_str (), GModuleFlags (G_MODULE_BIND_LOCAL | G_MODULE_BIND_LAZY));
  gpointer symbol = nullptr;
  if (!module || !g_module_symbol (module, "sino_fft_backend", &symbol)) {
    why = text ("%s: %s", path.c_str (), g_module_error ());
    return nullptr;
  }
  g_module_make_resident (module);
  return reinterpret_cast<SinoFftBackendFunction> (symbol) ();
}

// Throws until a module is found; it is then kept.
const SinoFftBackend &fft_backend ()
{
  static const SinoFftBackend *const found = [] {
    std::string why;
    for (const auto &path : module_files (fft_module))
      if (const auto *loaded = load (path, why))
        return loaded;
    if (why.empty ())
      why = text ("%s is not in %s", fft_module, join (module_folders ()).c_str ());
    fail (SINO_ERROR_NOT_FOUND,
          "the FFT module is missing: %s; install its package, or add its parent folder to SINOGRAPH_PLUGIN_PATH",
          why.c_str ());
  }();
  return *found;
}

} // namespace sino
