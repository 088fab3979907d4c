// SPDX-License-Identifier: LGPL-3.0-or-later
// What a file of a module includes to add nodes (SINO_REGISTER) and formats of files (formats/formats.hpp).
#pragma once
#include "glue/binding.hpp"
#include "glue/registry.hpp"
