// SPDX-License-Identifier: LGPL-3.0-or-later
#include "stream/count-noise.hpp"

namespace sino {

CountNoise::~CountNoise () = default;

} // namespace sino
