// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of iterate.cl for a batch of slices, and their buffers. Each call enqueues a stage.
#pragma once
#include "filters/iterative-reconstruct/opencl/plan.hpp"
#include "kernels/iterate/stack.hpp"
#include <array>
#include <span>

namespace sino::iterative_reconstruct {

class Images
{
public:
  // The plan's problem and `lines` are those that `normal` was made for.
  Images (const OpenclDevice &device, const cl::CommandQueue &queue, const OpenclPlan &plan, const Lines &lines,
          const Batch &batch, const iterate::Plan &normal, Allotment &allotment);

  // Dense slices, [slice][row][column], that pack () reads.
  const cl::Buffer &dense () const { return z[0]; }
  void clear_marks (size_t slot); // of broken slices, before the first pack () of a batch
  // Moves `count` dense slices to c, and to the slices to begin with. For several strengths, all are the first one.
  void pack_data (int count, size_t slot);
  void pack_start (int count, size_t slot);
  // Sets the rest of what iterations begin with.
  void begin_tv ();
  void begin_cgls ();

  // Lambdas, below 0 for slices that are finished; alphas; or betas.
  void set_factors (std::span<const float> of_slices);

  void lay_duals (float rise);
  void convolve ();
  void lay_gradient ();
  void divide ();
  void update ();

  void lay ();
  void take_product ();
  void step ();
  void turn ();

  // Adds up the sums of the last stages to the totals of a slot: [sum][pair], each with what it lost.
  void add_rows (size_t slot);
  const cl::Buffer &totals (size_t slot) const { return totals_[slot]; }
  const cl::Buffer &broken (size_t slot) const { return broken_[slot]; }

  // Stores slices from number `first` on, of `slices` in all; returns the end.
  cl::Event unpack (int first, int slices, size_t slot, const cl::Buffer &out);

private:
  enum Image { x, q, y0, y1, positive, data, all };
  static constexpr Image r = y0, p = y1; // of CGLS

  const OpenclDevice &device;
  const cl::CommandQueue queue;
  const OpenclPlan &plan;
  const Lines lines;
  const Batch batch;
  const size_t n, image_bytes;
  cl::Kernel lay_duals_, convolve_[2], lay_gradient_, divide_, update_, lay_, take_product_, step_, turn_, add_rows_,
      pack_, unpack_;
  std::array<cl::Buffer, all> images;
  cl::Buffer z[2], kernel, metric, circle, turns, half_turns, sums, factors;
  std::array<cl::Buffer, slots> totals_, broken_;

  bool tv () const { return plan.problem.solving.method == Method::tv; }
  void make_kernels ();
  void make_buffers (const iterate::Plan &normal, Allotment &allotment);
  void set_arguments ();
  void set_tv_arguments ();
  void set_cgls_arguments ();
  void of_rows (const cl::Kernel &kernel);
  void of_columns (const cl::Kernel &kernel);
  template <class Launch> void in_parts (Launch launch);
  void pack (Image to, int count, bool clips, size_t slot);
};

} // namespace sino::iterative_reconstruct
