// SPDX-License-Identifier: LGPL-3.0-or-later
// Properties of iterations, of the node and of 'reconstruct'.
#pragma once
#include "filters/iterative-reconstruct/problem.hpp"
#include "glue/property.hpp"
#include "stream/format.hpp"
#include <string>

namespace sino::iterative_reconstruct {

enum class NonNegative { automatic, yes, no };
inline constexpr Nick<NonNegative> non_negative_nicks[] = {
    {NonNegative::automatic, "auto"}, {NonNegative::yes, "true"}, {NonNegative::no, "false"}};
enum class Dimensions { automatic, two, three };
inline constexpr Nick<Dimensions> dimension_nicks[] = {
    {Dimensions::automatic, "auto"}, {Dimensions::two, "2"}, {Dimensions::three, "3"}};
inline constexpr Nick<Method> method_nicks[] = {{Method::tv, "tv"}, {Method::cgls, "cgls"}};

// A range START:STOP has so many strengths, each the same factor after the one before, with both ends.
constexpr int tried_strengths = 16;
bool is_strength_range (const std::string &property);

// Throws if the scan has too few projections or columns for iterations.
void check_enough (const Format &in);

struct IterationSettings {
  std::string strength = "1";
  std::string noise = "auto";
  int iterations = 0;
  double tolerance = 0;
  NonNegative non_negative = NonNegative::automatic;
  Dimensions dimensions = Dimensions::automatic;

  double one_strength () const;               // throws if it is a range
  std::optional<double> known_noise () const; // none: auto; throws if it is neither
  bool bounded (bool negative) const;         // whether values may not be negative; `negative`: Format::negative
  // Throws if a value is wrong. `widest_gap`: radians without directions; `negative`: Format::negative.
  Solving solving (Method method, int64_t columns, int64_t projections, double widest_gap, bool negative) const;

  static constexpr std::array properties{
      prop<&IterationSettings::strength> (
          "strength",
          "Weight of the total variation, in units of the noise: larger values smooth more; for sinograms also a range "
          "start:stop, which gives 16 slices of one row, from one strength to the other"),
      prop<&IterationSettings::noise> ("noise", "Standard deviation of the noise of a value of the projections, or "
                                                "auto: of a volume, or of each sinogram, from "
                                                "the scan's flats where they tell it, else from the values"),
      prop<&IterationSettings::iterations> (
          "iterations", "Number of iterations; 0: as many as the method needs for the scan", Range{0, 10000}),
      prop<&IterationSettings::tolerance> ("tolerance",
                                           "A slice (with dimensions=3 a window) is finished when an iteration changes "
                                           "it by less, as a share of its norm "
                                           "(cgls: when this share of the gradient is left); 0: after all iterations",
                                           Range{0, 1}),
      prop<&IterationSettings::non_negative> (
          "non-negative",
          "Whether slices have no negative values (those of cgls may); auto: true, and false behind retrieve-phase",
          non_negative_nicks),
      prop<&IterationSettings::dimensions> (
          "dimensions",
          "Dimensions of the total variation: 2 (each slice by itself), 3 (with the slices beside it; takes about "
          "three "
          "times as long), or auto: 2 for a parallel beam at right angles to its axis, and 3 for other beams",
          dimension_nicks),
  };
};

} // namespace sino::iterative_reconstruct
