// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/runs/writing-alone.hpp"
#include "base/requests.hpp"
#include "bench/runs/files.hpp"
#include "glue/module.hpp"
#include "glue/shapes.hpp"
#include <algorithm>
#include <filesystem>
#include <set>

namespace sino::bench {

namespace {

// Values are written to each block of memory only once; a reused block still contains them.
class Blank final : public SourceWorker
{
public:
  void fill (Block &out) override
  {
    auto *values = out.as<float> ();
    if (filled.insert (values).second)
      std::fill_n (values, out.values (), 1.0F);
  }

private:
  std::set<const float *> filled;
};

class BlankSlices final : public Source
{
public:
  static constexpr Info info{"blank-slices", "Make slices of one value, for benchmarks"};
  static constexpr Signature signature{.gives = {Kind::slices, Element::f32}};
  int size = 16, slices = 1;
  static constexpr Property properties[] = {
      prop<&BlankSlices::size> ("size", "Columns and rows of a slice", Range{1, 1 << 20}),
      prop<&BlankSlices::slices> ("slices", "Number of slices", Range{1, 1 << 20}),
  };

  Format negotiate (std::span<const Format *const>) override
  {
    return sino::slices (Element::f32, {Axis::z, slices}, {Axis::y, size}, {Axis::x, size});
  }
  double bytes_read (const Format &, const Rows &) const override { return 0; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Blank> (); }
};

} // namespace

WritingAlone writing_alone (const std::string &folder, const BenchOptions &options)
{
  Registry::get ().add (BlankSlices::info.name, Binding<BlankSlices>::gtype ());
  const Node source{BlankSlices::info.name, {{"size", number (options.size)}, {"slices", number (options.slices)}}};
  const auto with = [&] (int requests) {
    auto sink = slices_sink (folder, options);
    sink.properties.emplace_back ("requests", number (requests));
    return repeat_whole ({source, sink}, options, [&] { std::filesystem::remove_all (folder); });
  };
  return {.found = with (0), .most = with (Requests::usual (options.threads))};
}

} // namespace sino::bench
