// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/error.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"

namespace {

using namespace sino;

// Projections minus one image.
struct Subtract final : Task {
  static constexpr Info info{"subtract", "Subtract an image from each projection"};
  static constexpr Port ports[] = {{"data"}, {"image"}};
  std::span<const Port> inputs () const override { return ports; }

  struct Work final : Worker {
    void run (std::span<Input *const> inputs, Output *output) override
    {
      const Block image = inputs[1]->pop ();
      if (inputs[1]->pop ())
        fail (SINO_ERROR_FAILED, "got more than one image");
      while (const Block in = inputs[0]->pop ()) {
        Block out = output->next ();
        for (int64_t i = 0; i < in.values (); i++)
          out.as<float> ()[i] = in.as<float> ()[i] - image.as<float> ()[i % image.values ()];
        output->push (std::move (out));
      }
    }
  };

  Format negotiate (std::span<const Format *const> formats) override
  {
    if (formats[1]->has (Axis::angle))
      fail (SINO_ERROR_BAD_FORMAT, "input 'image' wants one image (row, column), got %s: put 'mean-image' before it",
            formats[1]->describe ().c_str ());
    return *formats[0];
  }
  bool collects (size_t port) const override { return port == 1; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

SINO_REGISTER (Subtract)

} // namespace
