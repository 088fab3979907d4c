// SPDX-License-Identifier: LGPL-3.0-or-later
// Weights of the algorithm of Feldkamp, Davis and Kress (1984), before the ramp filter.
#include "filters/cone/weighing.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"

namespace sino::cone_weight {
namespace {

constexpr char shares_item[] = "shares of a row";

class WeightWorker final : public PointWorker
{
public:
  WeightWorker (const Replica &replica, const cone::Weighing &w)
      : cpu (replica.cpu), memory (replica.memory), weighing (w)
  {
  }

  void process (const Block &in, Block &out) override
  {
    const auto rows = in.rows ().size ();
    const auto &weights = weighing.weights ();
    const bool once = weights.same_in_rows ();
    cpu.parallel (in.angles ().size () * rows, 16, [&] (int64_t begin, int64_t end) {
      const auto piece = memory.take (shares_item);
      const std::span shares (piece.as<float> (), static_cast<size_t> (in.line ()));
      for (auto i = begin; i < end; i++) {
        const auto projection = static_cast<size_t> (in.angles ().at (i / rows));
        const auto row = in.rows ().at (i % rows);
        if (i == begin || i % rows == 0 || !once)
          weights.shares (projection, row, shares);
        weighing.weigh (projection, row, shares, in.as<float> () + in.offset (i / rows, i % rows),
                        {out.as<float> () + out.offset (i / rows, i % rows), static_cast<size_t> (out.line ())});
      }
    });
  }

private:
  const Cpu &cpu;
  Allotment &memory;
  const cone::Weighing &weighing;
};

class ConeWeight final : public Task
{
public:
  static constexpr Info info{
      "cone-weight",
      "Weight rays for filtered back-projection: by cosines, and by shares for rays that were measured twice"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32}};

  cone::OffsetSettings offset;
  static constexpr auto properties = group<&ConeWeight::offset> ();

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    weighing = cone::Weighing (format, offset);
    if (format.line () != inputs[0]->line ()) // zeros for the shorter side of an offset detector
      format.scan = std::make_shared<const Format> (*inputs[0]);
    format.mark_changed (info.name);
    return format;
  }

  std::vector<std::string> warnings () const override { return weighing.notes (); }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    add_pages (bill, shares_item, static_cast<size_t> (weighing.columns ()) * sizeof (float),
               static_cast<size_t> (sizing.threads));
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "views", weighing.bytes ()); }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<WeightWorker> (replica, weighing);
  }

private:
  cone::Weighing weighing;
};

} // namespace

SINO_REGISTER (ConeWeight)

} // namespace sino::cone_weight
