// SPDX-License-Identifier: LGPL-3.0-or-later
// The values in XML files of scanners.
#pragma once
#include <functional>
#include <string>

namespace sino::files {

// An element that has ended: its name and that of the element around it, without namespaces, and its own text.
using TakeElement = std::function<void (const std::string &parent, const std::string &name, const std::string &text)>;

// Calls `take` for all elements, in the order in which they end. Throws Error if the file is no XML.
void each_element (const std::string &path, const TakeElement &take);

} // namespace sino::files
