// SPDX-License-Identifier: LGPL-3.0-or-later
// Arithmetic on many values at once.
#pragma once
#include <cstdint>
#include <span>

namespace sino::calculate {

enum class Operation : uint8_t {
  add,
  subtract,
  multiply,
  divide,
  power,       // a ^ b
  whole_power, // a ^ exponent
  minimum,     // NaN where one of both is, as of maximum
  maximum,
  negate, // from here on, of a alone
  absolute,
  square_root,
  exponential,
  logarithm
};

// Many values, or one.
struct Operand {
  const float *values; // null: `value`
  float value;
};

struct Step {
  Operation operation;
  int a, b;     // operands: numbers in a table
  int out;      // the temporary that it goes to, which may be an operand
  int exponent; // of whole_power
};

// Runs the steps one after the other on n values. `operands`: inputs and constants; behind them come the temporaries,
// `stride` values each. The last step's result goes to `out`, and not to its temporary.
void run (std::span<const Step> steps, std::span<const Operand> operands, int64_t n, float *temporaries, int64_t stride,
          float *out);

} // namespace sino::calculate
