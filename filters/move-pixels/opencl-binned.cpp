// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/binned.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/opencl-move.hpp"

namespace sino::move_pixels {

namespace {

class BinnedThere final : public OpenclMove
{
public:
  BinnedThere (const OpenclSite &site, Factors f, float s)
      : factors (f), scale (s), queues (site.queues), kernel (kernel_of (site, "bin"))
  {
  }

  Span enqueue (const Images &from, const cl::Buffer &in, const Images &to, const cl::Buffer &out) override
  {
    const auto before = from.rows.place (to.rows.begin * factors.rows) * from.line (); // values
    kernel.take (in, opencl::Long{before}, factors.rows, factors.columns, scale, to.lanes, from.line (), to.line (),
                 from.rows.size (), to.rows.size (), out);
    return kernel.enqueue (queues.kernels, to.line (), {0, to.count * to.rows.size ()});
  }

private:
  const Factors factors;
  const float scale;
  OpenclQueues &queues;
  point::OpenclLines kernel;
};

} // namespace

families::Problem Binned::problem () const
{
  return binning_problem (element);
}

std::unique_ptr<OpenclMove> Binned::on (const OpenclSite &site) const
{
  return std::make_unique<BinnedThere> (site, factors, scale);
}

} // namespace sino::move_pixels
