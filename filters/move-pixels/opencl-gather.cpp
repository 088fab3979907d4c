// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/move-pixels/gather.hpp"
#include "filters/move-pixels/opencl-families.hpp"
#include "filters/move-pixels/opencl-move.hpp"
#include "filters/opencl/block-table.hpp"

namespace sino::move_pixels {

namespace {

constexpr char columns_item[] = "places of columns", rows_item[] = "places of rows";

std::vector<cl_int> whole (const Indices &places)
{
  return {places.begin (), places.end ()};
}

class GatherThere final : public OpenclMove
{
public:
  GatherThere (const OpenclSite &site, const Indices &from_columns, const Indices &r)
      : from_rows (r), queues (site.queues), rows (queues, site.memory, rows_item),
        columns (take_table (queues.device, site.memory, columns_item, whole (from_columns))),
        kernel (kernel_of (site, "gather"))
  {
  }

  Span enqueue (const Images &from, const cl::Buffer &in, const Images &to, const cl::Buffer &out) override
  {
    std::vector<cl_int> places;
    for (auto row = to.rows.begin; row < to.rows.end; row++) {
      const auto source = from_rows[static_cast<size_t> (row)];
      places.push_back (static_cast<cl_int> (source == nowhere ? nowhere : from.rows.place (source)));
    }
    const auto &places_there = rows.put (std::span<const cl_int> (places));
    kernel.take (in, columns, places_there, to.lanes, from.line (), to.line (), from.rows.size (), to.rows.size (),
                 out);
    auto ran = kernel.enqueue (queues.kernels, to.line (), {0, to.count * to.rows.size ()});
    rows.until (ran.last);
    return ran;
  }

private:
  const Indices from_rows;
  OpenclQueues &queues;
  opencl::BlockTable rows;
  const cl::Buffer columns;
  point::OpenclLines kernel;
};

} // namespace

families::Problem Gather::problem () const
{
  return copying_problem (element);
}

void Gather::device_memory (const DeviceSizes &sizes, Bill &bill) const
{
  add_buffers (bill, columns_item, columns_from.size () * sizeof (cl_int));
  opencl::BlockTable::memory (rows_item, static_cast<size_t> (sizes.rows_out) * sizeof (cl_int), bill);
}

std::unique_ptr<OpenclMove> Gather::on (const OpenclSite &site) const
{
  return std::make_unique<GatherThere> (site, columns_from, rows_from);
}

} // namespace sino::move_pixels
