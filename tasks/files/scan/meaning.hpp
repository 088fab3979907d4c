// SPDX-License-Identifier: LGPL-3.0-or-later
// The meaning of a scan's values: as the user gives it, as the file of a scanner states it, or as flats imply it.
#pragma once
#include "tasks/files/scan/input.hpp"
#include "tasks/files/scan/scan.hpp"

namespace sino::files {

// Throws if the user gives darks or flats for values that are not counts.
void refuse_frames (const Request &request);

// The images with the values that the stream has: floats for attenuation and emission, and for transmission whose value
// without sample the file states.
std::shared_ptr<const Stack> with_values (const Request &request, const Input &input);

// Sets the meaning of the values of the stream. Values that are no counts need no flats.
void settle_values (const Request &request, const Input &input, Scan &scan);

} // namespace sino::files
