// SPDX-License-Identifier: LGPL-3.0-or-later
// The entry of the project's own modules.
#include "glue/module-entry.hpp"

SINO_MODULE
