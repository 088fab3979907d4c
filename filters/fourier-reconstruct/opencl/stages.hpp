// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of fourier-reconstruct.cl and their buffers. Each call enqueues one launch.
#pragma once
#include "families/program.hpp"
#include "filters/fourier-reconstruct/opencl/plan.hpp"

namespace sino::fourier_reconstruct {

constexpr size_t spreading_items = 256; // work-items per group of the spreading kernel
constexpr const char *stages_source = "fourier-reconstruct/fourier-reconstruct.cl";

// Number of work-items, rounded up to whole groups.
inline size_t groups (int64_t items, size_t group)
{
  return round_up (static_cast<size_t> (items), group);
}

// A range of `count` numbers that begins with `first`.
struct Part {
  int64_t first, count;
};

class Stages
{
public:
  // `lanes`: number of lanes of the sinograms. `gridding` includes its filter.
  Stages (const OpenclDevice &device, const cl::CommandQueue &queue, const OpenclPlan &plan, const Gridding &gridding,
          const Batches &batches, const families::Setting &setting, int lanes, Allotment &allotment);

  void clear (); // clears the grid and the marks of broken values; call it before each group of slices
  // Sets another response, [ray][stride]; 0: the same for all rays. At first, and again with respond (), it is
  // the filter of `gridding`.
  void respond (const cl::Buffer &response, int64_t stride);
  void respond () { respond (response, 0); }
  // Finds the factors for terms. Call it before any term is stored as half.
  void scale (const cl::Buffer &bins, int lane, int slices);
  // lay (): copies rays to lines, of the sinograms that begin with `lane`; `slices`: number of slices in all groups.
  // weigh (): makes terms of transformed lines.
  cl::Event lay (const cl::Buffer &bins, int lane, int slices, const Part &rays);
  void weigh (const Part &rays);
  // Spreads terms over these tiles; `first_column`: first column of the grid in the batch.
  void spread (const Part &tiles, int64_t first_column);
  void crop (const Part &columns);
  void gather (const Part &rows);
  // Stores rows to dense slices; `slices` is the number in all groups.
  cl::Event store (const Part &rows, int lane, int slices, const cl::Buffer &out);

  const cl::CommandQueue &queue () const { return queue_; }
  const cl::Buffer &lines () const { return lines_; }
  const cl::Buffer &cropped () const { return cropped_; }
  const cl::Buffer &correction () const { return correction_; }
  const cl::Buffer &broken () const { return broken_; }

private:
  const OpenclDevice &device;
  const cl::CommandQueue queue_;
  const OpenclPlan &plan;
  const Batches batches;
  const size_t pairs; // of slices
  cl::Kernel find_largest_, find_scales_, lay_, weigh_, spread_, crop_, gather_, store_;
  cl::Buffer lines_, terms, cropped_, rays, tiles, pieces, phi, response, correction_, broken_, largest, scales;

  void make_kernels (families::Setting setting, int lanes);
  void make_buffers (const Gridding &with_filter, Allotment &allotment);
  void set_arguments (const Gridding &with_filter);
};

} // namespace sino::fourier_reconstruct
