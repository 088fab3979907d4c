// SPDX-License-Identifier: LGPL-3.0-or-later
// Entry point of the project's own modules.
#include "glue/module-entry.hpp"

SINO_MODULE
