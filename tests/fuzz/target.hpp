// SPDX-License-Identifier: LGPL-3.0-or-later
// What a fuzz target defines: libFuzzer calls it, and feed.cpp where there is no libFuzzer.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerInitialize (int *argc, char ***argv);
extern "C" int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
