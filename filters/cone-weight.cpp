// SPDX-License-Identifier: LGPL-3.0-or-later
// Weights of the algorithm of Feldkamp, Davis and Kress (1984), before the ramp filter.
#include "families/choice.hpp"
#include "filters/cone-weight/family.hpp"
#include "filters/cone/weighing.hpp"
#include "filters/opencl/block-table.hpp"
#include "filters/point/opencl-lines.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include "glue/workers/kernel-properties.hpp"
#include "glue/workers/opencl-point-worker.hpp"

namespace sino::cone_weight {
namespace {

constexpr char shares_item[] = "shares of a row", host_item[] = "shares and cosines of rows",
               cosines_table[] = "cosines of rows", shares_table[] = "shares of rows";

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

// Projections whose cosines and shares the host computes at once for a device.
struct Portion {
  int64_t share_rows, projections; // share_rows: rows of shares of a projection
  size_t cosines, shares;          // bytes of a projection

  Portion (const cone::Weighing &weighing, int64_t rows)
      : share_rows (weighing.weights ().same_in_rows () ? 1 : rows),
        cosines (static_cast<size_t> (rows) * sizeof (Cosines)),
        shares (static_cast<size_t> (share_rows * weighing.columns ()) * sizeof (float))
  {
    projections = std::max<int64_t> (static_cast<int64_t> (enough / (cosines + shares)), 1);
  }
  // The most bytes of a table for blocks with these rows, or with fewer.
  static size_t most (size_t of_projection, const cone::Weighing &weighing)
  {
    return std::max (of_projection, std::min (enough, of_projection * weighing.weights ().views ().size ()));
  }

private:
  static constexpr size_t enough = 4 << 20; // bytes
};

class WeightOnDevice final : public OpenclPointWorker
{
public:
  WeightOnDevice (const Replica &replica, const cone::Weighing &w, const families::Setting &setting,
                  const families::Problem &problem)
      : OpenclPointWorker (replica), cpu (replica.cpu), weighing (w), host (replica.memory.take (host_item)),
        cosines (queues, replica.memory, cosines_table), shares (queues, replica.memory, shares_table),
        kernel (device, family (), setting, problem)
  {
  }

protected:
  Span process (const Block &in, const cl::Buffer &from, const Block &out, const cl::Buffer &to) override
  {
    const auto rows = in.rows ().size ();
    const Portion portion (weighing, rows);
    Span all;
    for (auto angle = in.angles ().begin; angle < in.angles ().end; angle += portion.projections) {
      const Interval some{angle, std::min (angle + portion.projections, in.angles ().end)};
      const auto first = (some.begin - in.angles ().begin) * rows, lines = some.size () * rows;
      const auto tables = computed (some, in.rows (), portion.share_rows);
      const auto &cosines_there = cosines.put (tables.cosines), &shares_there = shares.put (tables.shares);
      kernel.take (from, cosines_there, shares_there, first, rows / portion.share_rows, weighing.columns (),
                   weighing.zeros_before (), out.line (), to);
      const auto ran = kernel.enqueue (queues.kernels, out.line (), {first, first + lines});
      queues.kernels.flush ();
      cosines.until (ran.last);
      shares.until (ran.last);
      if (!all.first ())
        all.first = ran.first;
      all.last = ran.last;
    }
    return all;
  }

private:
  const Cpu &cpu;
  const cone::Weighing &weighing;
  const Allotment::Piece host;
  opencl::BlockTable cosines, shares;
  point::OpenclLines kernel;

  struct Tables {
    std::span<const Cosines> cosines;
    std::span<const float> shares;
  };
  Tables computed (Interval projections, const Rows &rows, int64_t share_rows) const
  {
    const auto &weights = weighing.weights ();
    const auto lines = projections.size () * rows.size (), columns = weighing.columns ();
    const std::span all_cosines (host.as<Cosines> (), static_cast<size_t> (lines));
    const std::span all_shares (reinterpret_cast<float *> (all_cosines.data () + lines),
                                static_cast<size_t> (projections.size () * share_rows * columns));
    cpu.parallel (lines, 16, [&] (int64_t begin, int64_t end) { // large projections come one by one
      for (auto line = begin; line < end; line++) {
        const auto i = line / rows.size (), r = line % rows.size ();
        const auto projection = static_cast<size_t> (projections.at (i));
        all_cosines[static_cast<size_t> (line)] = weights.cosines (projection, rows.at (r));
        if (r < share_rows)
          weights.shares (
              projection, rows.at (r),
              all_shares.subspan (static_cast<size_t> ((i * share_rows + r) * columns), static_cast<size_t> (columns)));
      }
    });
    return {all_cosines, all_shares};
  }
};

class ConeWeight final : public Task
{
public:
  static constexpr Info info{
      "cone-weight",
      "Weight rays for filtered back-projection: by cosines, and by shares for rays that were measured twice"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32}};

  cone::OffsetSettings offset;
  families::Use opencl{family ()};
  static constexpr auto properties = joined (group<&ConeWeight::offset> (), kernel_properties<&ConeWeight::opencl> ());

  const families::Use *kernels () const override { return &opencl; }

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format format = *inputs[0];
    weighing = cone::Weighing (format, offset);
    if (format.line () != inputs[0]->line ()) // zeros for the shorter side of an offset detector
      format.scan = std::make_shared<const Format> (*inputs[0]);
    format.mark_changed (info.name);
    opencl.negotiated (family ().usual);
    return format;
  }

  std::vector<std::string> warnings () const override { return weighing.notes (); }

  void memory (const Sizing &sizing, Bill &bill) const override
  {
    if (!on_device (sizing.device)) {
      add_pages (bill, shares_item, static_cast<size_t> (weighing.columns ()) * sizeof (float),
                 static_cast<size_t> (sizing.threads));
      return;
    }
    const Portion portion (weighing, sizing.input_rows);
    add_copies (sizing, bill);
    add_pages (bill, host_item, Portion::most (portion.cosines + portion.shares, weighing));
    opencl::BlockTable::memory (cosines_table, Portion::most (portion.cosines, weighing), bill);
    opencl::BlockTable::memory (shares_table, Portion::most (portion.shares, weighing), bill);
  }
  void shared_memory (Bill &bill) const override { add_bytes (bill, "views", weighing.bytes ()); }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    if (on_device (replica.device))
      return std::make_unique<WeightOnDevice> (replica, weighing, opencl.choice (replica.device, 1).setting,
                                               opencl.problem ());
    return std::make_unique<WeightWorker> (replica, weighing);
  }

private:
  cone::Weighing weighing;
};

} // namespace

SINO_REGISTER (ConeWeight)

} // namespace sino::cone_weight
