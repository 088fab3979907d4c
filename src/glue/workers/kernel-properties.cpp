// SPDX-License-Identifier: LGPL-3.0-or-later
#include "glue/workers/kernel-properties.hpp"
#include "families/kernels.hpp"

namespace sino::detail {

namespace {

// "auto", "native", and the names of the kernels.
std::vector<const char *> variants_of (const families::Family &family)
{
  std::vector<const char *> names{"auto", "native"};
  for (const auto *kernel : families::kernels_of (family))
    names.push_back (kernel->name);
  return names;
}

} // namespace

GParamSpec *variant_spec (const Property &property, const families::Use &use, const char *owner)
{
  const auto names = variants_of (use.family ());
  auto *values = g_new0 (GEnumValue, names.size () + 1);
  for (size_t i = 0; i < names.size (); i++)
    values[i] = {static_cast<gint> (i), names[i], names[i]};
  const auto blurb = "Implementation: auto (the fastest on the device), native (CPU), or in OpenCL: " +
                     join (std::span (names).subspan (2));
  const auto type = g_enum_register_static (text ("%sVariant", owner).c_str (), values);
  return g_param_spec_enum (property.name, nullptr, g_intern_string (blurb.c_str ()), type, variant_number (use),
                            flags);
}

gint variant_number (const families::Use &use)
{
  const auto names = variants_of (use.family ());
  for (size_t i = 0; i < names.size (); i++)
    if (use.variant == names[i])
      return static_cast<gint> (i);
  return 0;
}

bool set_variant (families::Use &use, gint number)
{
  const std::string chosen = variants_of (use.family ()).at (static_cast<size_t> (number));
  return std::exchange (use.variant, chosen) != chosen;
}

} // namespace sino::detail
