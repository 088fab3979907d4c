// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/opencl-move.hpp"
#include "filters/move-pixels/transposed.hpp"

namespace sino::move_pixels {

namespace {

class TransposedThere final : public OpenclMove
{
public:
  explicit TransposedThere (const OpenclSite &site)
      : group (site.setting["GROUP"]), queues (site.queues), kernel (kernel_of (site, "transpose"))
  {
  }

  Span enqueue (const Images &from, const cl::Buffer &in, const Images &to, const cl::Buffer &out) override
  {
    constexpr int64_t tile = 32; // as in transpose.cl
    const auto tiles = divide_up (to.rows.size (), tile);
    kernel.take (in, from.rows.size (), from.width, to.rows.begin, to.rows.size (), tiles, out);
    return kernel.enqueue (queues.kernels, divide_up (to.width, tile) * group, {0, to.count * tiles});
  }

private:
  const int64_t group; // work-items
  OpenclQueues &queues;
  point::OpenclLines kernel;
};

} // namespace

families::Problem Transposed::problem () const
{
  return copying_problem (element);
}

std::unique_ptr<OpenclMove> Transposed::on (const OpenclSite &site) const
{
  return std::make_unique<TransposedThere> (site);
}

} // namespace sino::move_pixels
