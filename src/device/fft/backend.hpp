// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "device/fft/backend.h"

namespace sino {

// The one that this build has: own.cpp, or the module that module.cpp loads. Throws if the module is missing.
const SinoFftBackend &fft_backend ();

} // namespace sino
