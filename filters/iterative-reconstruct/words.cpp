// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/iterative-reconstruct/words.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include <cmath>
#include <numbers>

namespace sino::iterative_reconstruct {

namespace {

constexpr double wedge = 10 * std::numbers::pi / 180; // radians without directions that want more iterations
constexpr double many_columns = 5;                    // per projection
constexpr int64_t fewest_projections = 8, fewest_columns = 8;
constexpr double least_strength = 1e-3, most_strength = 1e3;

std::vector<double> strengths_of (const std::string &property)
{
  auto numbers = parse_numbers (property, ':');
  if (numbers.empty () || numbers.size () > 2)
    fail (SINO_ERROR_BAD_PROPERTY,
          "strength=%s is neither a number nor a range START:STOP: give a number, or for example strength=0.25:4",
          property.c_str ());
  for (const double number : numbers)
    if (!(number >= least_strength && number <= most_strength))
      fail (SINO_ERROR_BAD_PROPERTY, "strength=%s has %g: give strengths from %g to %g", property.c_str (), number,
            least_strength, most_strength);
  if (numbers.size () == 1)
    return numbers;
  const double start = numbers[0], stop = numbers[1];
  if (start == stop)
    fail (SINO_ERROR_BAD_PROPERTY, "strength=%s begins and ends at %g: give strength=%g, or a range such as 0.25:4",
          property.c_str (), start, start);
  std::vector<double> strengths;
  for (int i = 0; i < tried_strengths; i++)
    strengths.push_back (start * std::pow (stop / start, i / (tried_strengths - 1.0)));
  return strengths;
}

int usual_iterations (Method method, bool deep, int64_t columns, int64_t projections, double widest_gap)
{
  if (method == Method::cgls)
    return 10;
  if (widest_gap > wedge && widest_gap > 3 * std::numbers::pi / static_cast<double> (projections))
    return 150;
  const int usual = static_cast<double> (columns) > many_columns * static_cast<double> (projections) ? 40 : 20;
  return deep ? usual * 3 / 2 : usual;
}

} // namespace

void check_enough (const Format &in)
{
  if (in.angles () < fewest_projections || in.extent (Axis::column) < fewest_columns)
    fail (SINO_ERROR_BAD_FORMAT,
          "wants at least %d projections and %d columns, got %s: fewer cannot tell noise from an object",
          static_cast<int> (fewest_projections), static_cast<int> (fewest_columns), in.describe ().c_str ());
}

bool is_strength_range (const std::string &property)
{
  return property.find (':') != std::string::npos;
}

double IterationSettings::one_strength () const
{
  const auto strengths = strengths_of (strength);
  if (strengths.size () > 1)
    fail (SINO_ERROR_BAD_PROPERTY,
          "strength=%s is a range, which is for a parallel beam at right angles to its axis: give one number",
          strength.c_str ());
  return strengths[0];
}

std::optional<double> IterationSettings::known_noise () const
{
  if (noise == "auto")
    return {};
  double value = 0;
  if (!parse_number (noise, value) || !std::isfinite (value) || value <= 0)
    fail (SINO_ERROR_BAD_PROPERTY,
          "noise=%s is neither 'auto' nor a number above 0: give the standard deviation of a value of the sinograms",
          noise.c_str ());
  return value;
}

bool IterationSettings::bounded (bool negative) const
{
  return non_negative == NonNegative::automatic ? !negative : non_negative == NonNegative::yes;
}

Solving IterationSettings::solving (Method method, int64_t columns, int64_t projections, double widest_gap,
                                    bool negative) const
{
  const bool deep = dimensions == Dimensions::three;
  Solving solving{.method = method,
                  .strengths = strengths_of (strength),
                  .noise = known_noise (),
                  .iterations =
                      iterations > 0 ? iterations : usual_iterations (method, deep, columns, projections, widest_gap),
                  .tolerance = tolerance,
                  .non_negative = bounded (negative) && method == Method::tv,
                  .deep = deep};
  if (solving.tries () && method != Method::tv)
    fail (SINO_ERROR_BAD_PROPERTY, "strength=%s is a range, which is for method=tv: leave it out, or give method=tv",
          strength.c_str ());
  if (solving.deep && method != Method::tv)
    fail (SINO_ERROR_BAD_PROPERTY, "dimensions=3 is for method=tv: leave it out, or give method=tv");
  if (solving.deep && solving.tries ())
    fail (
        SINO_ERROR_BAD_PROPERTY,
        "strength=%s is a range, which makes slices of one row, and dimensions=3 takes several rows: leave out one of "
        "both",
        strength.c_str ());
  return solving;
}

} // namespace sino::iterative_reconstruct
