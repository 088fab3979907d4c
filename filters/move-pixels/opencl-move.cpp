// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/opencl-move.hpp"
#include "filters/point/opencl-elements.hpp"

namespace sino::move_pixels {

std::unique_ptr<OpenclMove> Move::on (const OpenclSite &) const
{
  fail (SINO_ERROR_FAILED, "has no OpenCL kernels");
}

point::OpenclLines kernel_of (const OpenclSite &site, const char *name)
{
  const auto &device = site.queues.device;
  return {device, point::build_precise (device, site.setting, site.problem, site.options), name,
          site.setting.kernel->shape (site.setting, site.problem).group[0]};
}

} // namespace sino::move_pixels
