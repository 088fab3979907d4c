// SPDX-License-Identifier: LGPL-3.0-or-later
// Keeps some slices as they reach a sink, to compare them with those of another run.
#pragma once
#include "stream/block.hpp"
#include <map>
#include <mutex>
#include <vector>

namespace sino {

class Samples
{
public:
  // Chooses `number` of a stream's slices, spread evenly.
  Samples (int64_t number, int64_t slices);

  // Whether a stream's slices can be kept.
  static bool fit (const Format &format) { return format.kind () == Kind::slices && format.element == Element::f32; }

  // Leaves out slices that an earlier run has finished.
  void leave_out (Rows finished);
  // Leaves out slices that did not arrive: other ranks have made them.
  void leave_out_others ();
  // Keeps the chosen slices of a block. Any thread.
  void take (const Block &block);

  const std::vector<int64_t> &wanted () const { return rows; }

  // The largest difference between slices of the same number, relative to the largest value of all slices, and the
  // number of that slice; 1 if a slice is missing.
  std::pair<double, int64_t> worst (const Samples &other) const;

private:
  std::vector<int64_t> rows;
  std::mutex mutex;
  std::map<int64_t, std::vector<float>> kept;
};

using SamplesOfNodes = std::map<std::string, std::unique_ptr<Samples>>; // samples of each sink, by the node's name

} // namespace sino
