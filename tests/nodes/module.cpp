// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/module.hpp"

SINO_MODULE
