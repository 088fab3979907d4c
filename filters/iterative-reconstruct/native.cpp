// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/native.hpp"
#include "filters/iterative-reconstruct/iteration.hpp"
#include "filters/iterative-reconstruct/report.hpp"
#include "filters/iterative-reconstruct/rows.hpp"
#include "filters/iterative-reconstruct/start.hpp"
#include "filters/slice/worker.hpp"
#include "kernels/iterate/metric.hpp"
#include <atomic>

namespace sino::iterative_reconstruct {

namespace {

constexpr char images_item[] = "images", sums_item[] = "sums of rows", work_item[] = "work of a thread",
               rows_item[] = "continued rows";

iterate::Plan plan_of (const Problem &problem, const iterate::Lags &lags, const Cpu &cpu)
{
  iterate::Plan plan (problem.size);
  const auto frequencies = iterate::normal_frequencies (lags, cpu);
  cpu.parallel (2 * plan.n, 64,
                [&] (int64_t begin, int64_t end) { plan.set_kernel (frequencies.data (), begin, end); });
  const auto metric =
      problem.solving.method == Method::tv
          ? iterate::tv_metric (lags, frequencies, problem.radius (), problem.columns_per_projection (), cpu)
          : std::vector<float> (static_cast<size_t> (plan.n * plan.n), 1.0F);
  cpu.parallel (plan.n, 64, [&] (int64_t begin, int64_t end) { plan.set_metric (metric.data (), begin, end); });
  plan.set_circle (problem.radius (), problem.shift ());
  return plan;
}

class NativeWorker final : public slice::SliceWorker
{
public:
  NativeWorker (const Replica &replica, const Problem &p)
      : problem (p), cpu (replica.cpu), allotment (replica.memory), report (replica.messages, p.solving),
        start (p, replica.cpu, replica.monitor, replica.memory),
        lags (iterate::lags_of (p.size, p.rays, start.padded (), cpu)), plan (plan_of (p, lags, cpu)),
        images (allotment.take (images_item)), sums (allotment.take (sums_item))
  {
    const auto floats = iterate::floats_of (problem.size);
    auto *next = images.as<float> ();
    for (float **image : {&memory.x, &memory.q, &memory.y0, &memory.y1, &memory.positive, &memory.data}) {
      *image = next;
      next += floats.image;
    }
    memory.z0 = next;
    memory.z1 = next + floats.frequencies;
    memory.sums = sums.as<double> ();
    if (problem.margin >= 0)
      continued = allotment.take (rows_item);
  }

  void end () override { report.tell (); }

protected:
  void reconstruct (const Block &in, size_t offset, std::span<const Slice> group) override
  {
    const int lanes = std::min (in.lanes (), iterate::stack_lanes ());
    const auto *bins = reinterpret_cast<const float *> (in.data () + offset);
    for (size_t first = 0; first < group.size (); first += static_cast<size_t> (lanes)) {
      const auto some = group.subspan (first, std::min<size_t> (static_cast<size_t> (lanes), group.size () - first));
      std::vector<float *> slices;
      for (const auto &slice : some)
        slices.push_back (slice.block ? slice.block->as<float> () + slice.offset / sizeof (float) : nullptr);
      solve ({.values = bins + first,
              .angles = std::ssize (problem.rays),
              .columns = problem.columns,
              .stride = in.lanes (),
              .lanes = static_cast<int> (some.size ())},
             slices);
    }
  }

private:
  const Problem &problem;
  const Cpu &cpu;
  Allotment &allotment;
  Report report;
  Start start;
  const iterate::Lags lags;
  const iterate::Plan plan;
  const Allotment::Piece images, sums;
  Allotment::Piece continued;
  iterate::Memory memory{};

  void on_all (int64_t n, const std::function<void (int64_t i, float *work)> &body)
  {
    cpu.parallel (n, 1, [&] (int64_t begin, int64_t end) {
      const auto work = allotment.take (work_item);
      for (auto i = begin; i < end; i++)
        body (i, work.as<float> ());
    });
  }

  // Fills an image through dense ones. Returns the lanes that have values which are not finite.
  uint32_t fill (float *image, int lanes, const std::function<void (std::span<float *const>)> &make)
  {
    std::vector<float *> dense;
    for (int lane = 0; lane < lanes; lane++)
      dense.push_back (memory.z0 + lane * plan.n * plan.n);
    make (dense);
    const std::vector<const float *> from (dense.begin (), dense.end ());
    std::atomic<uint32_t> broken = 0;
    on_all (plan.n, [&] (int64_t y, float *work) {
      broken |= iterate::pack (plan, image, {0, 0, plan.n, plan.n}, from, y, work);
    });
    return broken;
  }

  void solve (const iterate::Sinograms &sinograms, std::span<float *const> slices)
  {
    auto known = look (sinograms, problem, cpu);
    const float *rows = sinograms.values;
    auto stride = sinograms.stride;
    if (problem.margin >= 0) {
      continue_rows (sinograms, problem.margin, problem.size, cpu, continued.as<float> ());
      rows = continued.as<float> ();
      stride = sinograms.lanes;
    }
    const fourier_reconstruct::Bins bins{rows, stride, sinograms.lanes};
    const auto broken = fill (memory.data, sinograms.lanes, [&] (auto images_of) { start.adjoint (bins, images_of); });
    if (problem.solving.method == Method::tv)
      fill (memory.x, sinograms.lanes, [&] (auto images_of) { start.filtered (bins, images_of); });
    else
      on_all (plan.n, [&] (int64_t y, float *) { std::fill_n (memory.x + y * row_floats (), row_floats (), 0.0F); });
    Iteration iteration (problem.solving, problem.weight_of_noise (lags.middle ()), plan, memory,
                         [this] (int64_t n, const auto &body) { on_all (n, body); });
    const int iterations = iteration.run (known);
    report.add (known, iterations, problem, broken);
    finish (slices, broken);
  }

  int64_t row_floats () const { return plan.n * iterate::stack_lanes (); }

  // Slices per length, as those of back-projection.
  void finish (std::span<float *const> slices, uint32_t broken)
  {
    const auto &roi = problem.roi;
    const auto corner = problem.corner ();
    const auto scale = static_cast<float> (1 / problem.pixel_size);
    on_all (roi.height, [&] (int64_t y, float *work) {
      iterate::unpack (plan, memory.x, {corner + roi.x, corner + roi.y, roi.width, roi.height}, slices,
                       problem.solving.non_negative ? ~0U : 0, corner + roi.y + y, work);
      for (size_t lane = 0; lane < slices.size (); lane++) {
        if (!slices[lane])
          continue;
        float *const row = slices[lane] + y * roi.width;
        for (int64_t x = 0; x < roi.width; x++) {
          const bool outside = problem.mask && !back_project::in_circle (problem.columns, roi.x + x, roi.y + y);
          row[x] = outside ? 0 : broken >> lane & 1 ? NAN : row[x] * scale;
        }
      }
    });
  }
};

} // namespace

std::unique_ptr<Worker> native_worker (const Replica &replica, const Problem &problem)
{
  return std::make_unique<NativeWorker> (replica, problem);
}

void native_memory (const Problem &problem, int threads, int lanes, Bill &bill)
{
  const auto floats = iterate::floats_of (problem.size);
  const auto size = static_cast<size_t> (problem.size);
  add_pages (bill, images_item, (6 * floats.image + 2 * floats.frequencies) * sizeof (float));
  add_pages (bill, sums_item, floats.sums * sizeof (float));
  add_pages (bill, work_item, floats.work * sizeof (float), static_cast<size_t> (threads));
  if (problem.margin >= 0)
    add_pages (bill, rows_item,
               problem.rays.size () * size * sizeof (float) *
                   static_cast<size_t> (std::min (lanes, iterate::stack_lanes ())));
  add_bytes (bill, "T and its metric", iterate::Plan::resident (problem.size));
  // T's lags, a half of them as complex values, and its frequencies.
  add_bytes (bill, "making T", 44 * size * size);
  Start::memory (problem, threads, bill);
}

} // namespace sino::iterative_reconstruct
