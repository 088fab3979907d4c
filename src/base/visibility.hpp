// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

// Exported from the library for modules in C++ and for Sinograph's own programs, without any promise of stability:
// the public interface is the C one in src/api. A module built with other headers is refused by its mark.
#define SINO_VISIBLE __attribute__ ((visibility ("default")))
