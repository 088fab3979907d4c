// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters that make each value of those around it. The filter states how far it looks along each axis and how a line is
// made; the base asks for the rows that this takes, keeps what of earlier blocks is still needed, and has the borders:
// beyond the border of the stream, the nearest value in it stands (scipy's mode 'nearest'). As the neighbours of a
// value are those of the stream, however it was cut, so is the result.
//
// The stream is seen as frames of lines of columns, which are its axes from the outside to the inside: angle, row and
// column of projections; row, angle and column of sinograms; z, y and x of slices. Lanes lie side by side in a line, so
// that a value's neighbour is `step` values away.
#pragma once
#include "glue/facets.hpp"
#include "glue/workers/native-neighbours.hpp"
#include "glue/workers/opencl-neighbours.hpp"

namespace sino {

class SINO_VISIBLE NeighbourFilter : public Task, public Holds
{
public:
  // Number of neighbours on either side along `axis` that a value depends on. Asked after filtered ().
  virtual int64_t reach_along (Axis axis) const = 0;
  // Format of the output, for an input of projections, sinograms or slices. Both have the same axes.
  virtual Format filtered (const Format &input) = 0;

  // On the CPU; `step` from a column to the next.
  virtual std::unique_ptr<LineMaker> line_maker (int64_t step) const = 0;
  virtual size_t line_memory (int64_t /*step*/) const { return 0; } // bytes of a LineMaker
  // Before there are makers of a replica, for those that count: its counters outlive them, and take any thread.
  virtual void prepare (const Replica &) {}

  // Gives an OpenCL kernel its own arguments, from that number on.
  virtual void set_arguments (cl::Kernel & /*kernel*/, unsigned /*first*/) const {}

  // The share of bytes that a kernel makes otherwise than the filter, with the properties that it has, on the CPU: of
  // some projections, or sinograms, of noise, with NaN where there can be some, in two blocks.
  double trial (Kind kind, Element element, const OpenclDevice &device, const families::Setting &setting,
                const families::Problem &problem);

  Format negotiate (std::span<const Format *const> inputs) final;
  Rows demand (size_t port, const Format &input, const Rows &rows) const final;
  bool holds_back (size_t) const final { return reach.frames > 0; }
  bool takes_lanes () const final { return angles_first || reach.frames == 0; }
  int wanted_lanes (const Device &, int downstream) const final { return takes_lanes () ? downstream : 1; }
  void memory (const Sizing &sizing, Bill &bill) const final;
  std::unique_ptr<Worker> start (const Replica &replica) final;

private:
  Reach reach;
  bool angles_first = false; // projections
  Format negotiated;         // of the input

  size_t kept_bytes (const Sizing &sizing) const;
  void native_memory (const Sizing &sizing, Bill &bill) const;
  void device_memory (const Sizing &sizing, Bill &bill) const;
  std::unique_ptr<Worker> native (const Replica &replica) const;
  std::unique_ptr<Worker> on (const Replica &replica, const families::Setting &setting,
                              const families::Problem &problem) const;
};

// GROUP, its one parameter, is the size of groups.
SINO_VISIBLE families::Kernel neighbour_kernel (const char *name, const char *summary,
                                                const families::KernelSource &source);

} // namespace sino
