// SPDX-License-Identifier: LGPL-3.0-or-later
// Arithmetic expressions as lists of steps:
//
//   sum      product { ("+" | "-") product }
//   product  signed { ("*" | "/") signed }
//   signed   ("-" | "+") signed | power
//   power    primary [ "^" signed ]
//   primary  number | x | y | function "(" sum { "," sum } ")" | "(" sum ")"
#pragma once
#include "kernels/calculate/operations.hpp"
#include <string>
#include <vector>

namespace sino::calculate {

inline constexpr int most_temporaries = 12;

struct Expression {
  std::vector<float> constants;
  std::vector<Step> steps; // operand 0 is x, 1 is y, then come the constants, then the temporaries
  int result = 0;          // the operand that is the result
  int temporaries = 0;
  int x_column = 0, y_column = 0; // columns of their first use, counted from 1; 0: not used

  int first_temporary () const { return 2 + static_cast<int> (constants.size ()); }
};

// Throws Error with the column of the mistake. Subexpressions of constants are computed in float64.
Expression parse_expression (const std::string &text);

} // namespace sino::calculate
