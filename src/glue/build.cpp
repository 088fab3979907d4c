// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/build.hpp"
#include "glue/build-mark.hpp"

namespace sino {

const char *build_of_headers ()
{
  return SINO_BUILD;
}

} // namespace sino
