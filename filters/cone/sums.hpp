// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "glue/task.hpp"
#include <functional>

namespace sino::cone {

// A worker that adds all input blocks to its output blocks: the output blocks of a work item stay open from the first
// input block to the last.
class Sums final : public Worker
{
public:
  using Add = std::function<void (const Block &in, std::span<Block> out)>;
  using Finish = std::function<void (std::span<Block> out)>;

  explicit Sums (
      Add a, Finish f = [] (std::span<Block>) {})
      : add (std::move (a)), finish (std::move (f))
  {
  }

  void run (std::span<Input *const> inputs, Output *output) override
  {
    auto blocks = output->all ();
    for (auto &block : blocks)
      std::fill_n (block.as<float> (), block.values (), 0.0F);
    while (const Block in = inputs[0]->pop ())
      add (in, blocks);
    finish (blocks);
    for (auto &block : blocks)
      output->push (std::move (block));
  }

private:
  const Add add;
  const Finish finish;
};

} // namespace sino::cone
