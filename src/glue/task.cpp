// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/task.hpp"

namespace sino {

Task::~Task () = default;

std::span<const Port> Task::inputs () const
{
  static constexpr Port only[] = {{"data"}};
  return only;
}

Rows Task::demand (size_t, const Format &, const Rows &rows) const
{
  return rows;
}

bool Task::collects (size_t) const
{
  return false;
}

bool Task::on_device (const Device &device) const
{
  return kernels () && kernels ()->runs_on (device);
}

std::string Task::remark (const Device &device, int lanes) const
{
  return kernels () ? kernels ()->remark (device, lanes) : "";
}

std::vector<std::string> Task::explain (const Device &device) const
{
  return kernels () && device.kind == Device::Kind::opencl ? kernels ()->explain (device) : std::vector<std::string> ();
}

int Task::wanted_lanes (const Device &, int) const
{
  return 1;
}

int Task::output_lanes (int input, int) const
{
  return input;
}

} // namespace sino
