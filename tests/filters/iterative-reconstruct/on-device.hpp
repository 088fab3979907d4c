// SPDX-License-Identifier: LGPL-3.0-or-later
// Scans of discs with noise for iterations on an OpenCL device, without a node.
#pragma once
#include "filters/iterative-reconstruct/opencl/solved.hpp"

namespace sino::test {

using iterative_reconstruct::Method;

struct IteratedSetup {
  int64_t columns = 64, projections = 24;
  int rows = 3, lanes = 4, at_once = iterate::most_lanes;
  Method method = Method::tv;
  bool truncated = false, non_negative = true, mask = false;
  std::optional<double> noise = {};
  int iterations = 20;
  double tolerance = 0, pixel_size = 1;
  iterative_reconstruct::Roi roi = {}; // no width: all
  std::string parameters = {};         // of kernels, each after a comma
};

iterative_reconstruct::Problem iterated_problem (const IteratedSetup &setup);
// A disc for each row.
iterative_reconstruct::SomeRows iterated_rows (const IteratedSetup &setup);

// Begins a test program, of which the arguments are a mode and a platform. Returns whether there is a device.
bool begin_on_device (int argc, char **argv, std::string &mode, std::string &platform);

// The first device with this in its name; null: there is none.
const OpenclDevice *device_named (const std::string &platform);
// Kernels that are built soon on CPUs; `more`: parameters, each after a comma.
families::Setting iterated_setting (const OpenclDevice &device, const std::string &more = {});

} // namespace sino::test
