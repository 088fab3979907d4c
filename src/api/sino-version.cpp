// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/sino-version.h"

void sino_version (guint *major, guint *minor, guint *micro)
{
  if (major)
    *major = SINO_MAJOR_VERSION;
  if (minor)
    *minor = SINO_MINOR_VERSION;
  if (micro)
    *micro = SINO_MICRO_VERSION;
}
