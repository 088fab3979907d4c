// SPDX-License-Identifier: LGPL-3.0-or-later
#include "back-project/opencl/variant.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <sstream>

namespace sino::back_project {

namespace {

constexpr size_t bytes_of_ray = 40;

const char *word (Interpolation interpolation)
{
  return interpolation == Interpolation::linear    ? "linear"
         : interpolation == Interpolation::nearest ? "nearest"
                                                   : "oversample";
}

const Parameter &parameter_of (const Variant &variant, const std::string &name)
{
  std::string names;
  for (const auto &parameter : variant.parameters) {
    if (parameter.name == name)
      return parameter;
    names += (names.empty () ? "" : ", ") + std::string (parameter.name);
  }
  fail (SINO_ERROR_BAD_PROPERTY, "variant=%s has no parameter '%s': %s", variant.name, name.c_str (),
        names.empty () ? "it has none" : ("there are " + names).c_str ());
}

bool has (const auto &list, const auto &value)
{
  return std::find (list.begin (), list.end (), value) != list.end ();
}

} // namespace

int Setting::operator[] (const char *name) const
{
  const auto found = parameters.find (name);
  return found != parameters.end () ? found->second : parameter_of (variant_of (*this), name).values[0];
}

int Setting::if_any (const char *name) const
{
  const auto &all = variant_of (*this).parameters;
  return std::any_of (all.begin (), all.end (), [&] (const auto &p) { return p.name == std::string_view (name); })
             ? (*this)[name]
             : 0;
}

std::string Setting::text () const
{
  std::string out;
  for (const auto &[name, value] : parameters)
    out += sino::text ("%s%s=%d", out.empty () ? "" : ",", name.c_str (), value);
  return variant + (out.empty () ? "" : "(" + out + ")");
}

Setting parse_setting (const std::string &variant, const std::string &parameters)
{
  Setting setting{variant, {}};
  const auto &known = variant_of (setting);
  std::istringstream in (parameters);
  for (std::string pair; std::getline (in, pair, ',');) {
    const auto equals = pair.find ('=');
    int64_t value = 0;
    if (equals == pair.npos || !parse_integer (pair.substr (equals + 1), value))
      fail (SINO_ERROR_BAD_PROPERTY, "'%s' is no NAME=NUMBER, of which a list with commas is wanted", pair.c_str ());
    const auto &parameter = parameter_of (known, pair.substr (0, equals));
    std::string values;
    for (const int allowed : parameter.values)
      values += sino::text ("%s%d", values.empty () ? "" : ", ", allowed);
    if (!has (parameter.values, value))
      fail (SINO_ERROR_BAD_PROPERTY, "%s of variant=%s is one of %s, got %s", parameter.name, known.name,
            values.c_str (), pair.substr (equals + 1).c_str ());
    if (!setting.parameters.emplace (parameter.name, static_cast<int> (value)).second)
      fail (SINO_ERROR_BAD_PROPERTY, "%s of variant=%s is given twice", parameter.name, known.name);
  }
  return setting;
}

const Variant *find_variant (const std::string &name)
{
  for (const auto &variant : variants ())
    if (name == variant.name)
      return &variant;
  return nullptr;
}

const Variant &variant_of (const Setting &setting)
{
  if (const auto *variant = find_variant (setting.variant))
    return *variant;
  fail (SINO_ERROR_BAD_PROPERTY, "there is no OpenCL kernel '%s'", setting.variant.c_str ());
}

std::string refusal (const Setting &setting, const Problem &problem, const OpenclFacts &facts)
{
  const auto &variant = variant_of (setting);
  if (!has (variant.interpolations, problem.interpolation))
    return text ("does not interpolate by %s", word (problem.interpolation));
  if (!has (variant.lanes, problem.lanes))
    return text ("does not take %d lane%s", problem.lanes, problem.lanes == 1 ? "" : "s");
  if (auto why = variant.contradiction (setting, problem); !why.empty ())
    return why;
  const int shuffle = setting.if_any ("SHUFFLE");
  if (shuffle == 1 && !facts.shuffle)
    return "SHUFFLE=1 wants cl_khr_subgroup_shuffle, which the device has not";
  if (facts.vendor != "nvidia" && (shuffle == 2 || setting.if_any ("BY_SM")))
    return text ("%s is for NVIDIA", shuffle == 2 ? "SHUFFLE=2" : "BY_SM");
  if (const double turns = variant.turns (setting, problem); facts.most_turns > 0 && turns > facts.most_turns)
    return text ("may take %.0f turns of its loops, which the driver leaves after %d without a word", turns,
                 facts.most_turns);
  const auto shape = variant.shape (setting, problem);
  if (shape.group[0] * shape.group[1] > facts.largest_group)
    return text ("wants groups of %zu work-items, of %zu at most", shape.group[0] * shape.group[1],
                 facts.largest_group);
  if (shape.local_memory > facts.local_memory)
    return text ("wants %zu bytes of local memory, of %zu", shape.local_memory, facts.local_memory);
  if (variant.uses_image (setting)) {
    if (!facts.images)
      return "wants images, which the device has not";
    if (static_cast<size_t> (problem.size) > facts.image_width ||
        static_cast<size_t> (problem.rays) > facts.image_height)
      return text ("wants an image of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT ", of %zu x %zu at most", problem.size,
                   problem.rays, facts.image_width, facts.image_height);
  }
  if (setting.if_any ("CONSTANT") && static_cast<size_t> (problem.rays) * bytes_of_ray > facts.constant_memory)
    return text ("wants %" G_GINT64_FORMAT " rays in constant memory, which has %zu bytes", problem.rays,
                 facts.constant_memory);
  return {};
}

std::string build_options (const Setting &setting, const Problem &problem)
{
  std::string out = text ("-cl-std=CL1.2 -DLANES=%d", problem.lanes);
  const auto define = [&] (bool wanted, const char *name) { out += wanted ? text (" -D%s", name) : ""; };
  define (problem.half, "HALF");
  define (problem.interpolation == Interpolation::nearest, "NEAREST");
  define (problem.interpolation == Interpolation::oversample, "OVERSAMPLE");
  define (problem.mask, "MASK");
  for (const auto &parameter : variant_of (setting).parameters)
    if (const int value = setting[parameter.name]; value != 0 || !parameter.optional)
      out += text (" -D%s=%d", parameter.name, value);
  return out;
}

} // namespace sino::back_project
