// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters that compute each value from its neighbours. A filter defines its reach along each axis, and how a line is
// computed. The base class requests the needed rows, keeps the needed part of earlier blocks, and extends the stream at
// its borders by the nearest value (scipy's mode 'nearest'). Neighbours are values of the whole stream, so the result
// does not depend on the division into blocks.
//
// A stream consists of frames, frames of lines, and lines of columns. These are its axes in order: angle, row, column
// of projections; row, angle, column of sinograms; z, y, x of slices. Lanes lie side by side in a line, so that the
// next value along the line is `step` values away.
#pragma once
#include "glue/facets.hpp"
#include "glue/workers/native-neighbours.hpp"
#include "glue/workers/opencl-neighbours.hpp"

namespace sino {

class SINO_VISIBLE NeighbourFilter : public Task, public Holds
{
public:
  static constexpr Signature signature{
      .takes = {image_kinds, any_element}}; // filters with other formats have their own

  // Number of neighbours on either side along `axis` that a value depends on. Asked after filtered ().
  virtual int64_t reach_along (Axis axis) const = 0;
  // Format of the output, for an input of projections, sinograms or slices. Both have the same axes.
  virtual Format filtered (const Format &input) = 0;

  // Makes the line maker on the CPU; `step`: distance of columns in values.
  virtual std::unique_ptr<LineMaker> line_maker (int64_t step) const = 0;
  virtual size_t line_memory (int64_t /*step*/) const { return 0; } // bytes of a LineMaker
  // Called before line makers of a replica are made, for filters that count: the replica's counters outlive the makers
  // and are thread-safe.
  virtual void prepare (const Replica &) {}

  // Sets the OpenCL kernel arguments of the filter itself; `first` is the number of the first one.
  virtual void set_arguments (cl::Kernel & /*kernel*/, unsigned /*first*/) const {}
  // For filters that count: a function that takes what OpenCL kernels have counted. Called after prepare ().
  virtual std::function<void (int64_t)> take_count () const { return {}; }

  // Share of bytes in which the results of a kernel and of the CPU differ, with the present properties; 1 if they count
  // differently. The input is noise in two blocks of projections or sinograms; it has NaN values if the element type
  // can have them.
  double trial (Kind kind, Element element, const OpenclDevice &device, const families::Setting &setting,
                const families::Problem &problem);

  Format negotiate (std::span<const Format *const> inputs) final;
  Rows demand (size_t port, const Format &input, const Rows &rows) const final;
  bool holds_back (size_t) const final { return reach.frames > 0; }
  bool takes_lanes () const final { return angles_first || reach.frames == 0; }
  int wanted_lanes (const Device &, int downstream) const final { return takes_lanes () ? downstream : 1; }
  void memory (const Sizing &sizing, Bill &bill) const final;
  std::unique_ptr<Worker> start (const Replica &replica) final;

protected:
  const Format &input_format () const { return negotiated; } // valid in filtered (), and later

private:
  Reach reach;
  bool angles_first = false; // the stream has projections
  Format negotiated;         // format of the input

  size_t kept_bytes (const Sizing &sizing) const;
  void native_memory (const Sizing &sizing, Bill &bill) const;
  void device_memory (const Sizing &sizing, Bill &bill) const;
  std::unique_ptr<Worker> native (const Replica &replica) const;
  std::unique_ptr<Worker> on (const Replica &replica, const families::Setting &setting,
                              const families::Problem &problem) const;
};

// Its only parameter GROUP is the work-group size.
SINO_VISIBLE families::Kernel neighbour_kernel (const char *name, const char *summary,
                                                const families::KernelSource &source);

} // namespace sino
