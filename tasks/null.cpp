// SPDX-License-Identifier: LGPL-3.0-or-later
// Takes any stream and discards it.
#include "glue/module.hpp"
#include "glue/shapes.hpp"

namespace sino::null {
namespace {

class Drop final : public SinkWorker
{
  void take (const Block &) override {}
};

class Null final : public Sink, public Writes
{
public:
  static constexpr Info info{"null", "Read a stream and discard it"};
  static constexpr Signature signature{.takes = {any_kind, any_element}};

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  bool takes_lanes () const override { return true; }
  bool shared () const override { return true; }
  double seconds (const Device &, int) const override { return 1e-6; } // it looks at nothing
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Drop> (); }
};

} // namespace

SINO_REGISTER (Null)

} // namespace sino::null
