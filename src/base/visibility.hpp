// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

// Exported from the library for Sinograph's own modules and programs, without any promise of stability:
// the public interface is the C one in src/api. A module built for another version is refused by its mark.
#define SINO_VISIBLE __attribute__ ((visibility ("default")))
