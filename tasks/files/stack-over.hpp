// SPDX-License-Identifier: LGPL-3.0-or-later
#pragma once
#include "formats/stack.hpp"
#include <memory>

namespace sino::files {

// A stack that modifies the data of another one. Functions that it does not override give the results of the other one.
class StackOver : public formats::Stack
{
public:
  explicit StackOver (std::shared_ptr<const Stack> s) : Stack (*s), stack (std::move (s)) {}

  std::vector<FileStamp> files () const override { return stack->files (); }
  std::vector<int64_t> unwritten () const override { return stack->unwritten (); }
  size_t scratch (int threads) const override { return stack->scratch (threads); }
  size_t resident () const override { return stack->resident (); }

protected:
  const std::shared_ptr<const Stack> stack;
};

} // namespace sino::files
