// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/spans.hpp"
#include <utility>

namespace sino {

static thread_local DeviceSpans *current = nullptr;

DeviceSpans::~DeviceSpans () = default;

DeviceSpans::Starting::Starting (DeviceSpans *spans) : before (std::exchange (current, spans)) {}

DeviceSpans::Starting::~Starting ()
{
  current = before;
}

DeviceSpans *DeviceSpans::taken ()
{
  return current;
}

} // namespace sino
