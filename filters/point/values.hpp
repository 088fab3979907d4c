// SPDX-License-Identifier: LGPL-3.0-or-later
// Filters that make each value of that value alone, in float32 whatever the elements of the stream are: in pieces that
// stay in the nearest cache.
#pragma once
#include "glue/task.hpp"

namespace sino::point {

inline constexpr int64_t piece = 1024; // values

// Of one input, or of two in step whose formats and lanes are alike.
class ValueWorker : public Worker
{
public:
  explicit ValueWorker (const Cpu &c) : cpu (c) {}
  void run (std::span<Input *const> inputs, Output *output) override;

protected:
  // Makes n values of the output, at most `piece`; `y` is null with one input. Any thread. Gives back how many of them
  // were limited.
  virtual int64_t make (const float *x, const float *y, int64_t n, std::byte *out) const = 0;
  // Of a block: `values` in all, some of them limited.
  virtual void count (int64_t /*limited*/, int64_t /*values*/) {}

private:
  const Cpu &cpu;

  int64_t make_full (const Block &x, const Block &y, int64_t values, Block &out) const;
  int64_t make_padded (const Block &x, const Block &y, int64_t lanes, Block &out) const;
};

} // namespace sino::point
