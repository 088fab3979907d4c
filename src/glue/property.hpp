// SPDX-License-Identifier: LGPL-3.0-or-later
// The property table: members of a C++ class as GObject properties. GParamSpecs made from it feed JSON, the command
// line, the reference pages and Python. The member's initialiser is the default that all of them show.
#pragma once
#include "base/text.hpp"
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <glib-object.h>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace sino {

struct Range {
  double min = -G_MAXFLOAT, max = G_MAXFLOAT;
};

template <class E> struct Nick {
  E value;
  const char *nick;
};

// A property value that may change during a run: copies share it. Any thread.
template <class V> class Live
{
public:
  Live (V value) : shared (std::make_shared<std::atomic<V>> (value)) {}
  operator V () const { return *shared; }
  Live &operator= (V value)
  {
    *shared = value;
    return *this;
  }

private:
  std::shared_ptr<std::atomic<V>> shared;
};

// Flag of the GParamSpecs of live properties.
constexpr auto live_flag = GParamFlags (1 << G_PARAM_USER_SHIFT);

struct Property {
  const char *name, *blurb;
  GParamSpec *(*spec) (const Property &, const void *defaults, const char *owner);
  void (*get) (const void *self, GValue *);
  bool (*set) (void *self, const GValue *);                 // returns whether the value has changed
  std::string (*word) (const Property &, const void *self); // the value as text, as in graphs and launch lines
  Range range;
  const void *nicks = nullptr;
  size_t n_nicks = 0;
};

namespace detail {

template <class> struct member;
template <class C, class V> struct member<V C::*> {
  using owner = C;
  using value = V;
};

constexpr auto flags = GParamFlags (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);

template <class V> struct plain {
  using type = V;
  static constexpr bool live = false;
};
template <class V> struct plain<Live<V>> {
  using type = V;
  static constexpr bool live = true;
};

template <class E> GType enum_type (const Property &p, const char *owner)
{
  auto *values = g_new0 (GEnumValue, p.n_nicks + 1);
  const auto *nicks = static_cast<const Nick<E> *> (p.nicks);
  for (size_t i = 0; i < p.n_nicks; i++)
    values[i] = {static_cast<gint> (nicks[i].value), nicks[i].nick, nicks[i].nick};
  std::string name = owner;
  bool up = true;
  for (const char *c = p.name; *c; c++) {
    if (*c != '-')
      name += up ? g_ascii_toupper (*c) : *c;
    up = *c == '-';
  }
  return g_enum_register_static (name.c_str (), values);
}

template <auto M> GParamSpec *make_spec (const Property &p, const void *defaults, const char *owner)
{
  using C = typename member<decltype (M)>::owner;
  using Member = plain<typename member<decltype (M)>::value>;
  using V = typename Member::type;
  const V &def = static_cast<const C *> (defaults)->*M;
  const auto marks = Member::live ? GParamFlags (flags | live_flag) : flags;
  if constexpr (std::is_same_v<V, bool>)
    return g_param_spec_boolean (p.name, nullptr, p.blurb, def, marks);
  else if constexpr (std::is_same_v<V, int>)
    return g_param_spec_int (p.name, nullptr, p.blurb, static_cast<int> (std::max (p.range.min, -2147483648.0)),
                             static_cast<int> (std::min (p.range.max, 2147483647.0)), def, marks);
  else if constexpr (std::is_same_v<V, double>)
    return g_param_spec_double (p.name, nullptr, p.blurb, p.range.min, p.range.max, def, marks);
  else if constexpr (std::is_enum_v<V>)
    return g_param_spec_enum (p.name, nullptr, p.blurb, enum_type<V> (p, owner), static_cast<gint> (def), marks);
  else
    return g_param_spec_string (p.name, nullptr, p.blurb, def.c_str (), marks);
}

template <class V> std::string word_of (const Property &p, const V &value)
{
  if constexpr (std::is_same_v<V, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<V, int>)
    return text ("%d", value);
  else if constexpr (std::is_same_v<V, double>)
    return text ("%.17g", value);
  else if constexpr (std::is_enum_v<V>) {
    const auto *nicks = static_cast<const Nick<V> *> (p.nicks);
    return std::find_if (nicks, nicks + p.n_nicks, [&] (const auto &each) { return each.value == value; })->nick;
  } else
    return value;
}

template <auto M> constexpr Property make_property (const char *name, const char *blurb)
{
  using C = typename member<decltype (M)>::owner;
  using V = typename plain<typename member<decltype (M)>::value>::type;
  static_assert (std::is_same_v<V, bool> || std::is_same_v<V, int> || std::is_same_v<V, double> ||
                 std::is_same_v<V, std::string> || std::is_enum_v<V>);
  Property p{};
  p.name = name;
  p.blurb = blurb;
  p.spec = make_spec<M>;
  p.get = [] (const void *self, GValue *out) {
    const V &v = static_cast<const C *> (self)->*M;
    if constexpr (std::is_same_v<V, bool>)
      g_value_set_boolean (out, v);
    else if constexpr (std::is_same_v<V, int>)
      g_value_set_int (out, v);
    else if constexpr (std::is_same_v<V, double>)
      g_value_set_double (out, v);
    else if constexpr (std::is_enum_v<V>)
      g_value_set_enum (out, static_cast<gint> (v));
    else
      g_value_set_string (out, v.c_str ());
  };
  p.set = [] (void *self, const GValue *in) {
    auto &place = static_cast<C *> (self)->*M;
    const V before = place;
    V v = before;
    if constexpr (std::is_same_v<V, bool>)
      v = g_value_get_boolean (in);
    else if constexpr (std::is_same_v<V, int>)
      v = g_value_get_int (in);
    else if constexpr (std::is_same_v<V, double>)
      v = g_value_get_double (in);
    else if constexpr (std::is_enum_v<V>)
      v = static_cast<V> (g_value_get_enum (in));
    else {
      const char *s = g_value_get_string (in);
      v = s ? s : "";
    }
    const bool changed = v != before;
    place = std::move (v); // also sets values that compare equal, because -0 and 0 differ
    return changed;
  };
  p.word = [] (const Property &property, const void *self) {
    return word_of<V> (property, static_cast<const C *> (self)->*M);
  };
  return p;
}

// Property I of the member structure M.
template <auto M, size_t I> constexpr Property part_property ()
{
  using C = typename member<decltype (M)>::owner;
  using Group = typename member<decltype (M)>::value;
  Property p = Group::properties[I];
  p.spec = [] (const Property &property, const void *defaults, const char *owner) {
    return Group::properties[I].spec (property, &(static_cast<const C *> (defaults)->*M), owner);
  };
  p.get = [] (const void *self, GValue *out) { Group::properties[I].get (&(static_cast<const C *> (self)->*M), out); };
  p.set = [] (void *self, const GValue *in) { return Group::properties[I].set (&(static_cast<C *> (self)->*M), in); };
  p.word = [] (const Property &property, const void *self) {
    return Group::properties[I].word (property, &(static_cast<const C *> (self)->*M));
  };
  return p;
}

} // namespace detail

// A bool, int, double or string member.
template <auto M> constexpr Property prop (const char *name, const char *blurb, Range range = {})
{
  Property p = detail::make_property<M> (name, blurb);
  p.range = range;
  return p;
}

// An enumeration, with words for its values.
template <auto M, class E, size_t N>
constexpr Property prop (const char *name, const char *blurb, const Nick<E> (&nicks)[N])
{
  Property p = detail::make_property<M> (name, blurb);
  p.nicks = nicks;
  p.n_nicks = N;
  return p;
}

// The properties of a member structure M that several nodes use, as part of a node's table.
template <auto M> constexpr auto group ()
{
  using Group = typename detail::member<decltype (M)>::value;
  return []<size_t... I> (std::index_sequence<I...>) {
    return std::array{detail::part_property<M, I> ()...};
  }(std::make_index_sequence<Group::properties.size ()> ());
}

// Concatenates tables.
template <size_t... N> constexpr auto joined (const std::array<Property, N> &...tables)
{
  std::array<Property, (N + ...)> all{};
  size_t next = 0;
  const auto add = [&] (const auto &table) {
    for (const auto &each : table)
      all[next++] = each;
  };
  (add (tables), ...);
  return all;
}

} // namespace sino
