// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once

// Exported from the library for C++ modules and for Sinograph's own programs, without any promise of stability: the
// public interface is the C one in src/api. A module built with other headers is recognised by its mark and refused.
#define SINO_VISIBLE __attribute__ ((visibility ("default")))
