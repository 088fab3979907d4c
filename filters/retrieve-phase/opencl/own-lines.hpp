// SPDX-License-Identifier: LGPL-3.0-or-later
// Phase retrieval with our own transforms (lines.cl): three launches for several images.
#pragma once
#include "filters/opencl/lines.hpp"
#include "filters/retrieve-phase/opencl/retrieval.hpp"

namespace sino::retrieve_phase {

struct OwnPlan {
  opencl::Lines rows, columns;
  size_t at_once; // bytes of frequencies of the images that are processed at once

  // Bytes of an image's frequencies.
  size_t frequencies (const Plane &plane) const;
  // Images at once, of `images`. Results do not depend on it.
  int64_t together (const Plane &plane, int64_t images) const;
};
// The reason why our transforms cannot do what the setting wants; "" if they can.
std::string own_refusal (const families::Setting &setting, const families::Problem &problem, const OpenclFacts &facts);
// None if the setting wants clFFT. The setting must not be refused.
std::optional<OwnPlan> own_plan (const OpenclDevice &device, const families::Setting &setting, const Plane &plane);

class OwnLines final : public OpenclRetrieval
{
public:
  static void memory (const Plane &plane, const OwnPlan &plan, int64_t images, Bill &bill);

  OwnLines (const RetrievalSetup &setup, const OwnPlan &plan);

  std::pair<cl::Event, cl::Event> enqueue (const cl::CommandQueue &queue, const Images &images) override;

  // Images that are processed at once, and the launches for them.
  struct Part {
    int64_t first, count;
  };
  int64_t at_once () const { return together; }
  cl::Event transform_rows (const cl::CommandQueue &queue, const Images &images, Part part);
  cl::Event filter_columns (const cl::CommandQueue &queue, Part part);
  cl::Event restore_rows (const cl::CommandQueue &queue, const Images &images, Part part);

private:
  const OwnPlan plan;
  int64_t together;
  cl::Kernel transform, filter, restore;
  cl::Buffer frequencies, row_turns, column_turns;

  void build (const RetrievalSetup &setup);
  cl::Event launch_rows (const cl::CommandQueue &queue, const cl::Kernel &kernel, int64_t rows, Part part) const;
};

} // namespace sino::retrieve_phase
