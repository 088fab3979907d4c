// SPDX-License-Identifier: LGPL-3.0-or-later
// Base class of workers that compute each value from the input value at the same place, in float32 for all element
// types. They process pieces that stay in the nearest cache.
#pragma once
#include "glue/task.hpp"

namespace sino::point {

inline constexpr int64_t piece = 1024; // number of values

// Worker with one input, or with two inputs that have equal blocks, formats and lanes.
class ValueWorker : public Worker
{
public:
  explicit ValueWorker (const Cpu &c) : cpu (c) {}
  void run (std::span<Input *const> inputs, Output *output) override;

protected:
  // Makes n values of the output, at most `piece`; `y` is null with one input. Any thread may call it. Returns how many
  // of them were limited.
  virtual int64_t make (const float *x, const float *y, int64_t n, std::byte *out) const = 0;
  // Called for each block with the number of limited values and of all values.
  virtual void count (int64_t /*limited*/, int64_t /*values*/) {}

private:
  const Cpu &cpu;

  int64_t make_full (const Block &x, const Block &y, int64_t values, Block &out) const;
  int64_t make_padded (const Block &x, const Block &y, int64_t lanes, Block &out) const;
};

} // namespace sino::point
