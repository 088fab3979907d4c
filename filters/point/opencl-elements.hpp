// SPDX-License-Identifier: LGPL-3.0-or-later
// Kernels for values of any element type: kernels/point/values.cl.
#pragma once
#include "families/program.hpp"
#include "families/use.hpp"
#include "stream/element.hpp"

namespace sino::point {

// The input element as a parameter of a family: its value is the number of an Element.
families::Word element_word ();
// Compiler options of values.cl for the element.
std::string element_option (Element element);

// Compiler option that rounds divisions as on CPUs, if the device can.
std::string precise_option (const OpenclDevice &device);
// Builds with that option.
cl::Program build_precise (const OpenclDevice &device, const families::Setting &setting,
                           const families::Problem &problem, families::Options options);

// For nodes whose kernels compute in float64: whether one of them runs on the device, which may not support float64.
// Throws if the properties ask for a kernel there.
bool runs_in_doubles (const families::Use &use, const Device &device);
// Text for 'sinograph devices' if an OpenCL device does not support float64; otherwise none.
std::vector<std::string> explain_doubles (const Device &device);

// For trials. store_value (): stores a float as a value of the element. largest_error (): largest error of floats,
// relative to values of 1; huge if only one of two values is NaN.
void store_value (Element element, std::byte *to, float value);
double largest_error (std::span<const float> values, std::span<const float> truth);

} // namespace sino::point
