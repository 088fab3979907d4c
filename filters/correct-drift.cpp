// SPDX-License-Identifier: LGPL-3.0-or-later
// Corrects the drift of source, stage or sample during a scan: a composite that reconstructs it, projects the slices as
// it was measured, and moves the projections onto these.
//
//   data -+--------------------------------+-----------------------------------------+
//         |                                v                                         v
//         +-> reconstruct -> project -> align -> reconstruct-2 -> project-2 -> align-2 ->
#include "filters/composite/builder.hpp"
#include "filters/interpolate-metal/wants.hpp"
#include "glue/module.hpp"

namespace sino::correct_drift {
namespace {

class CorrectDrift final : public Composite
{
public:
  static constexpr Info info{"correct-drift", "Correct the drift of source, stage or sample during a scan"};
  static constexpr Signature signature{.takes = {Kind::projections, Element::f32},
                                       .integers = "put 'flat-field' before it",
                                       .halves = "put 'half-pack' behind this node"};

  enum class Along : uint8_t { both, columns, rows };
  int passes = 1, smooth = 0;
  Along along = Along::both;
  double most = 20;

  static constexpr Nick<Along> ways[] = {{Along::both, "both"}, {Along::columns, "columns"}, {Along::rows, "rows"}};
  static constexpr Property properties[] = {
      prop<&CorrectDrift::passes> (
          "passes", "How often the scan is reconstructed, projected and aligned; each pass leaves less of the drift",
          sino::Range{1, 5}),
      prop<&CorrectDrift::along> ("along", "Whether projections are moved along columns, rows or both", ways),
      prop<&CorrectDrift::most> ("most", "Largest displacement that is believed, in pixels", sino::Range{0.1, 1e4}),
      prop<&CorrectDrift::smooth> (
          "smooth",
          "Projections on either side, through whose displacements a line is laid, for a drift that is slow; 0: each "
          "projection is moved by its own",
          sino::Range{0, 10000}),
  };

  Expansion expand (std::span<const Format *const> inputs, const Site &) const override
  {
    const auto &in = *inputs[0];
    interpolate_metal::want_attenuation (in);
    composite::Builder graph;
    const auto data = graph.prepare (in);
    auto last = data;
    for (int pass = 1; pass <= passes; pass++) {
      const auto name = [pass] (const char *word) { return pass == 1 ? word : text ("%s-%d", word, pass); };
      // Outside the circle slices hold values of no object, whose projections would have another centre of mass.
      const auto slices = graph.add (name ("reconstruct"), "reconstruct", {{"mask", "true", ""}}, {last});
      const auto computed = graph.add (name ("project"), "forward-project", {{"same-scan", "true", ""}}, {slices});
      // The measured projections themselves, so that their pixels are interpolated only once.
      last = graph.add (name ("align"), "align-projections",
                        {{"along",
                          along == Along::both   ? "both"
                          : along == Along::rows ? "rows"
                                                 : "columns",
                          "along"},
                         {"most", text ("%.17g", most), "most"},
                         {"smooth", std::to_string (smooth), "smooth"}},
                        {data, computed});
    }
    return graph.take (
        text ("projections are moved onto those of their own slices, in %d pass%s", passes, passes == 1 ? "" : "es"));
  }
};

SINO_REGISTER (CorrectDrift)

} // namespace

} // namespace sino::correct_drift
