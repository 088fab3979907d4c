// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"

namespace {

using namespace sino;

// Mean over the projections.
struct MeanImage final : Task {
  static constexpr Info info{"mean-image", "Mean of all projections"};

  struct Work final : Worker {
    void run (std::span<Input *const> inputs, Output *output) override
    {
      Block out = output->next ();
      std::vector<double> sums (static_cast<size_t> (out.values ()), 0.0);
      int64_t count = 0;
      while (const Block in = inputs[0]->pop ()) {
        for (int64_t i = 0; i < in.values (); i++)
          sums[static_cast<size_t> (i % out.values ())] += in.as<float> ()[i];
        count += in.angles ().size ();
      }
      for (size_t i = 0; i < sums.size (); i++)
        out.as<float> ()[i] = static_cast<float> (sums[i] / static_cast<double> (count));
      output->push (std::move (out));
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format out = *inputs[0];
    out.axes = {inputs[0]->dim (Axis::row), inputs[0]->dim (Axis::column)};
    return out;
  }
  bool collects (size_t) const override { return true; }
  void memory (const Sizing &sizing, Bill &bill) const override { add_bytes (bill, "sums", 2 * sizing.output_block); }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

SINO_REGISTER (MeanImage)

} // namespace
