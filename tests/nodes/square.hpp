// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "families/family.hpp"
#include <fstream>
#include <iterator>

namespace sino::test {

inline const families::KernelSource square_source{"square.cl", [] (const std::string &name) {
                                                    std::ifstream file (TEST_NODES_FOLDER "/" + name);
                                                    return std::string (std::istreambuf_iterator<char> (file), {});
                                                  }};

} // namespace sino::test
