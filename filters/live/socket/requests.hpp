// SPDX-License-Identifier: LGPL-3.0-or-later
// What clients ask for, one JSON object a line: {"move": 3, "to": "x=0"}, {"pull": 3, "newer-than": 17, "timeout": 2}.
#pragma once
#include "filters/live/contrast.hpp"
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sino::live {

struct Add {
  std::string plane;
};
struct Move {
  int number;
  std::string plane;
};
struct Remove {
  int number;
};
struct List {
};
struct SetAxis {
  double column; // NaN: as the scan has it
};
struct SetContrast {
  Contrast contrast;
};
struct Pull {
  int number = 0;
  int64_t newer_than = 0;
  std::optional<std::chrono::steady_clock::time_point> until; // none: any time
  bool grey = false;
  std::optional<Contrast> contrast; // none: that of the node
};

using Request = std::variant<Add, Move, Remove, List, SetAxis, SetContrast, Pull>;

// Throws NamedError with the field that is wrong.
Request parse_request (std::string_view line);

} // namespace sino::live
