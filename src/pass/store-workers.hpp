// SPDX-License-Identifier: LGPL-3.0-or-later
// Workers that write a materialised stream, and read it back.
#pragma once
#include "glue/task.hpp"
#include "pass/store.hpp"

namespace sino {

class SaveWorker final : public Worker
{
public:
  explicit SaveWorker (Store &s) : store (s) {}
  void run (std::span<Input *const> inputs, Output *) override
  {
    while (const Block block = inputs[0]->pop ())
      store.write (block);
  }

private:
  Store &store;
};

class LoadWorker final : public Worker
{
public:
  explicit LoadWorker (const Store &s) : store (s) {}
  void run (std::span<Input *const>, Output *output) override
  {
    while (Block block = output->next ()) {
      store.read (block);
      output->push (std::move (block));
    }
  }

private:
  const Store &store;
};

} // namespace sino
