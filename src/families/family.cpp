// SPDX-License-Identifier: LGPL-3.0-or-later
#include "families/family.hpp"
#include "base/error.hpp"
#include <algorithm>

namespace sino::families {

namespace {

const Parameter *find (const Kernel &kernel, std::string_view name)
{
  const auto &all = kernel.parameters;
  const auto found = std::ranges::find_if (all, [&] (const auto &p) { return p.name == name; });
  return found == all.end () ? nullptr : &*found;
}

} // namespace

int64_t Problem::operator[] (std::string_view word) const
{
  if (const auto found = words.find (word); found != words.end ())
    return found->second;
  fail (SINO_ERROR_FAILED, "the problem says nothing of '%s'", std::string (word).c_str ());
}

Problem Problem::with_lanes (int n) const
{
  auto other = *this;
  other.lanes = n;
  return other;
}

const Word *Family::word (std::string_view wanted) const
{
  const auto found = std::ranges::find_if (words, [&] (const auto &w) { return w.name == wanted; });
  return found == words.end () ? nullptr : &*found;
}

int Setting::operator[] (std::string_view name) const
{
  if (const auto given = parameters.find (name); given != parameters.end ())
    return given->second;
  if (const auto *parameter = find (*kernel, name))
    return parameter->values[0];
  fail (SINO_ERROR_FAILED, "kernel '%s' has no parameter '%s'", kernel->name, std::string (name).c_str ());
}

int Setting::if_any (std::string_view name) const
{
  return find (*kernel, name) ? (*this)[name] : 0;
}

std::string Setting::parameters_text () const
{
  return join (parameters, ",",
               [] (const auto &each) { return sino::text ("%s=%d", each.first.c_str (), each.second); });
}

std::string Setting::text () const
{
  return kernel->name + (parameters.empty () ? "" : "(" + parameters_text () + ")");
}

} // namespace sino::families
