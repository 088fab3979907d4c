// SPDX-License-Identifier: LGPL-3.0-or-later
#include "device/opencl/transfers.hpp"

namespace sino {

void hold_transfers (const OpenclDevice &device, const cl::CommandQueue &queue, const cl::Event &until)
{
  if (!device.pins_our_pages) // true for NVIDIA's GPUs
    hold (queue, until);
  else if (until ())
    until.wait ();
}

} // namespace sino
