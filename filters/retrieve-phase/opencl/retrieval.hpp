// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval in the memory of an OpenCL device.
#pragma once
#include "device/bill.hpp"
#include "device/opencl-queues.hpp"
#include "families/counter.hpp"
#include "families/program.hpp"
#include "filters/retrieve-phase/plane.hpp"
#include "kernels/retrieve-phase/response.hpp"
#include <span>

namespace sino::retrieve_phase {

families::Problem problem_of (Method method, const Plane &plane);
// options for the OpenCL compiler
std::string options (const families::Setting &setting, const families::Problem &problem);

// Device, kernel and filter for the images of a scan.
struct RetrievalSetup {
  const OpenclDevice &device;
  const families::Setting &setting;
  const families::Problem &problem;
  const Plane &plane;
  std::span<const float> responses; // of responses_of ()
  Allotment &memory;
};

// Images of a block, [image][row][column]: `in` has all their rows, `out` only the wanted ones.
struct Images {
  const cl::Buffer &in;
  int64_t count;
  Interval wanted;
  const cl::Buffer &out;
};

class OpenclRetrieval
{
public:
  virtual ~OpenclRetrieval () = default;

  // Enqueues on an in-order queue, without waiting. One thread at a time. Returns the first and the last command.
  virtual std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const Images &images) = 0;

  // Numbers since the last call: values that were replaced and clamped, and images that are no transmission. They wait
  // for the queue.
  int64_t replaced (const cl::CommandQueue &queue) { return replaced_.take (queue); }
  int64_t clamped (const cl::CommandQueue &queue) { return clamped_.take (queue); }
  int64_t odd (const cl::CommandQueue &queue) { return odd_.take (queue); }

protected:
  explicit OpenclRetrieval (const RetrievalSetup &setup);

  const OpenclDevice &device;
  const Plane plane;
  families::KernelCounter replaced_, clamped_, odd_;
  cl::Buffer factors, half_turns; // of the filter, and of real rows
  cl::Buffer strange;             // counts of images that are processed at once

  // Builds the source with these compiler options and those of the method.
  static cl::Program program (const RetrievalSetup &setup, const std::string &options);
  // Adds what each retrieval needs for this number of images at once.
  static void add_tables (const Plane &plane, int64_t images, Bill &bill);
};

} // namespace sino::retrieve_phase
