// SPDX-License-Identifier: LGPL-3.0-or-later
// The properties 'variant' and 'variant-parameters' of nodes with OpenCL kernels besides their native implementation.
#pragma once
#include "families/use.hpp"
#include "glue/property.hpp"
#include <array>
#include <utility>

namespace sino {

namespace detail {

// 'variant' is an enumeration: auto, native, then the names of the kernels.
SINO_VISIBLE GParamSpec *variant_spec (const Property &property, const families::Use &use, const char *owner);
SINO_VISIBLE gint variant_number (const families::Use &use);
SINO_VISIBLE bool set_variant (families::Use &use, gint number); // returns whether it has changed

template <auto M> constexpr Property variant_property ()
{
  using C = typename member<decltype (M)>::owner;
  Property p{};
  p.name = "variant";
  p.spec = [] (const Property &property, const void *defaults, const char *owner) {
    return variant_spec (property, static_cast<const C *> (defaults)->*M, owner);
  };
  p.get = [] (const void *self, GValue *out) {
    g_value_set_enum (out, variant_number (static_cast<const C *> (self)->*M));
  };
  p.set = [] (void *self, const GValue *in) {
    return set_variant (static_cast<C *> (self)->*M, g_value_get_enum (in));
  };
  p.word = [] (const Property &, const void *self) { return (static_cast<const C *> (self)->*M).variant; };
  return p;
}

template <auto M> constexpr Property parameters_property ()
{
  using C = typename member<decltype (M)>::owner;
  Property p{};
  p.name = "variant-parameters";
  p.spec = [] (const Property &property, const void *, const char *) {
    return g_param_spec_string (property.name, nullptr,
                                "Parameters of an OpenCL kernel, as PIXELS=8,CACHED=4; others keep their usual values",
                                "", flags);
  };
  p.get = [] (const void *self, GValue *out) {
    g_value_set_string (out, (static_cast<const C *> (self)->*M).parameters.c_str ());
  };
  p.set = [] (void *self, const GValue *in) {
    const char *word = g_value_get_string (in);
    auto &parameters = (static_cast<C *> (self)->*M).parameters;
    return std::exchange (parameters, word ? word : "") != parameters;
  };
  p.word = [] (const Property &, const void *self) { return (static_cast<const C *> (self)->*M).parameters; };
  return p;
}

} // namespace detail

// Both properties, for the table of a task whose member M is a families::Use.
template <auto M> constexpr std::array<Property, 2> kernel_properties ()
{
  return {detail::variant_property<M> (), detail::parameters_property<M> ()};
}

} // namespace sino
