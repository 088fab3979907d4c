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
  minimum,     // minimum and maximum are NaN if one operand is NaN
  maximum,
  negate, // this and the following operations use only `a`
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
  int out;      // the temporary for the result, which may also be an operand
  int exponent; // exponent of whole_power
};

// Runs the steps in order on n values. `operands`: inputs and constants; then the temporaries follow, `stride` values
// each. The result of the last step goes to `out` instead of its temporary.
void run (std::span<const Step> steps, std::span<const Operand> operands, int64_t n, float *temporaries, int64_t stride,
          float *out);

} // namespace sino::calculate
