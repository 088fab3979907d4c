// SPDX-License-Identifier: LGPL-3.0-or-later
// Includes for a file of a module that adds nodes (SINO_REGISTER) and file formats (formats/formats.hpp).
#pragma once
#include "glue/binding.hpp"
#include "glue/registry.hpp"
