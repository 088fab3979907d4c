// SPDX-License-Identifier: LGPL-3.0-or-later
// Some slices, kept as they reach a sink, to be held against those of another run.
#pragma once
#include "stream/block.hpp"
#include <map>
#include <mutex>
#include <vector>

namespace sino {

class Samples
{
public:
  // So many of a stream, spread over it.
  Samples (int64_t number, int64_t slices);

  // Whether a stream's slices can be kept.
  static bool fit (const Format &format) { return format.kind () == Kind::slices && format.element == Element::f32; }

  // These are there since an earlier run, and do not come.
  void leave_out (Rows finished);
  // What did not come, others have made.
  void leave_out_others ();
  // Keeps what it wants of a block. Any thread.
  void take (const Block &block);

  const std::vector<int64_t> &wanted () const { return rows; }

  // The most that a slice differs from the other one of its number, as a part of the largest value of all, and which;
  // 1 where one is missing.
  std::pair<double, int64_t> worst (const Samples &other) const;

private:
  std::vector<int64_t> rows;
  std::mutex mutex;
  std::map<int64_t, std::vector<float>> kept;
};

using SamplesOfNodes = std::map<std::string, std::unique_ptr<Samples>>; // by names of nodes

} // namespace sino
