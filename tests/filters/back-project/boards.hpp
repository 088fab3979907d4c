// SPDX-License-Identifier: LGPL-3.0-or-later
// GPUs that are not there.
#pragma once
#include "device/facts.hpp"

namespace sino::test {

inline OpenclFacts gpu (const char *vendor, const char *architecture, bool images = true)
{
  OpenclFacts facts{.vendor = vendor, .architecture = architecture, .gpu = true, .images = images, .units = 32};
  facts.local_memory = facts.constant_memory = images || facts.vendor == "nvidia" ? 49152 : 65536;
  facts.largest_group = 256;
  facts.image_width = facts.image_height = images ? 16384 : 0;
  return facts;
}

} // namespace sino::test
