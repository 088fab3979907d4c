// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels that take values of any element type: kernels/point/values.cl.
#pragma once
#include "families/program.hpp"
#include "stream/element.hpp"

namespace sino::point {

// The element that comes in, as a word of a family: a place in the list is a number of Element.
families::Word element_word ();
// The options that values.cl has for it.
std::string element_option (Element element);

// Built so that divisions round as those of CPUs do, where the device can.
cl::Program build_precise (const OpenclDevice &device, const families::Setting &setting,
                           const families::Problem &problem, families::Options options);

// Whether an OpenCL device computes in float64.
bool has_doubles (const Device &device);

// For trials: a value of the element, and the largest error of floats relative to values of 1, huge where one is no
// number and the other is.
void store_value (Element element, std::byte *to, float value);
double largest_error (const std::vector<float> &values, const std::vector<float> &truth);

} // namespace sino::point
