// SPDX-License-Identifier: LGPL-3.0-or-later
// Reduces the streaks of metal in a scan: a composite of two reconstructions, their projections and interpolations.
//
//   data ----------------------------------------+------------------------------+
//     |                                          v                              v
//     +-> reconstruct -> find-metal -> metal -> interpolate -> reconstruct      |
//                                  \    projected    |               v          |
//                                   \        +-------|---> prior, projected -> interpolate ->
//                                    +-----------------------^
#include "filters/composite/builder.hpp"
#include "filters/interpolate-metal/wants.hpp"
#include "glue/module.hpp"

namespace sino::reduce_metal {
namespace {

class ReduceMetal final : public Composite
{
public:
  static constexpr Info info{"reduce-metal", "Reduce the streaks that metal makes in slices (NMAR)"};
  static constexpr Signature signature{.takes = {scan_kinds, Element::f32},
                                       .halves = "put 'half-pack' behind this node"};

  std::string threshold = "auto";
  int classes = 3, margin = 1;
  bool restore = true;

  static constexpr Property properties[] = {
      prop<&ReduceMetal::threshold> (
          "threshold", "Voxels above this value are metal; auto: 4 times the value of the object, and above its noise"),
      prop<&ReduceMetal::classes> (
          "classes", "Number of classes of all other values, such as air, soft tissue and bone", sino::Range{2, 8}),
      prop<&ReduceMetal::margin> ("margin", "Columns on either side of metal that are interpolated, too",
                                  sino::Range{0, 1000}),
      prop<&ReduceMetal::restore> ("restore", "Add the projections of metal again, so that slices show it"),
  };

  Expansion expand (std::span<const Format *const> inputs, const Site &) const override
  {
    const auto &in = *inputs[0];
    interpolate_metal::want_attenuation (in);
    composite::Builder graph;
    const auto data = graph.prepare (in);
    const auto sinograms = in.kind () == Kind::sinograms;
    const auto projected = [&] (const char *name, size_t slices) {
      const auto projections = graph.add (name, "forward-project", {{"same-scan", "true", ""}}, {slices});
      return sinograms ? graph.add (std::string (name) + "-interleaved", "interleave", {}, {projections}) : projections;
    };
    const Expansion::Setting wide{"margin", std::to_string (margin), "margin"};

    const auto first = graph.add ("reconstruct", "reconstruct", {}, {data});
    const auto found =
        graph.add ("find-metal", "find-metal",
                   {{"threshold", threshold, "threshold"}, {"classes", std::to_string (classes), "classes"}}, {first});
    const auto metal = projected ("project-metal", graph.add ("metal", "segment-metal", {}, {found}));
    const auto rough = graph.add ("interpolate", "interpolate-metal", {wide, {"restore", "false", ""}}, {data, metal});
    const auto second = graph.add ("reconstruct-again", "reconstruct", {}, {rough});
    const auto prior =
        projected ("project-prior", graph.add ("prior", "segment-metal", {{"keep", "prior", ""}}, {second, found}));
    graph.add ("interpolate-normalised", "interpolate-metal",
               {wide, {"restore", restore ? "true" : "false", "restore"}}, {data, metal, prior});
    return graph.take ("normalised metal artefact reduction, with two reconstructions before that of the slices");
  }
};

SINO_REGISTER (ReduceMetal)

} // namespace

} // namespace sino::reduce_metal
