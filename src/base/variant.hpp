// SPDX-License-Identifier: LGPL-3.0-or-later
// Structured data as GVariants of type a{sv}, which C and Python can read, and json-glib can turn into JSON.
#pragma once
#include "base/pointers.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace sino {

using VariantPtr = std::unique_ptr<GVariant, Deleter<g_variant_unref>>;

class Dict : NoCopy
{
public:
  Dict () { g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT); }
  ~Dict () { g_variant_builder_clear (&builder); }

  // Takes a floating value.
  Dict &add (const char *name, GVariant *value)
  {
    g_variant_builder_add (&builder, "{sv}", name, value);
    return *this;
  }
  Dict &add (const char *name, bool value) { return add (name, g_variant_new_boolean (value)); }
  Dict &add (const char *name, double value) { return add (name, g_variant_new_double (value)); }
  Dict &add (const char *name, int value) { return add (name, g_variant_new_int64 (value)); }
  Dict &add (const char *name, int64_t value) { return add (name, g_variant_new_int64 (value)); }
  Dict &add (const char *name, size_t value) { return add (name, static_cast<int64_t> (value)); }
  // File names need not be UTF-8, but text in GVariants must be.
  Dict &add (const char *name, const std::string &value) { return add (name, valid (value)); }
  Dict &add (const char *name, const char *value) { return add (name, valid (value)); }
  Dict &add (const char *name, const std::vector<std::string> &words)
  {
    GVariantBuilder list;
    g_variant_builder_init (&list, G_VARIANT_TYPE_STRING_ARRAY);
    for (const auto &word : words)
      g_variant_builder_add_value (&list, valid (word));
    return add (name, g_variant_builder_end (&list));
  }
  // A list of type aa{sv}: the result of `of` for each element.
  template <class List, class Of> Dict &add (const char *name, const List &list, Of of)
  {
    return add (name, array (list, of));
  }

  // A floating GVariant. Can be called once.
  GVariant *end () { return g_variant_builder_end (&builder); }

  template <class List, class Of> static GVariant *array (const List &list, Of of)
  {
    GVariantBuilder all;
    g_variant_builder_init (&all, G_VARIANT_TYPE ("aa{sv}"));
    for (const auto &each : list)
      g_variant_builder_add_value (&all, of (each));
    return g_variant_builder_end (&all);
  }

private:
  GVariantBuilder builder;

  static GVariant *valid (const std::string &word)
  {
    return g_variant_new_take_string (g_utf8_make_valid (word.data (), static_cast<gssize> (word.size ())));
  }
};

// Reads a dictionary. An entry that is missing is 0, false, "" or empty.
class Facts
{
public:
  explicit Facts (VariantPtr facts) : dict (std::move (facts)) {}

  double number (const char *name) const { return get (name, G_VARIANT_TYPE_DOUBLE, g_variant_get_double); }
  int64_t integer (const char *name) const { return get (name, G_VARIANT_TYPE_INT64, g_variant_get_int64); }
  bool flag (const char *name) const { return get (name, G_VARIANT_TYPE_BOOLEAN, g_variant_get_boolean); }
  std::string text (const char *name) const
  {
    const auto value = find (name, G_VARIANT_TYPE_STRING);
    return value ? g_variant_get_string (value.get (), nullptr) : "";
  }
  Facts inner (const char *name) const { return Facts (find (name, G_VARIANT_TYPE_VARDICT)); }
  std::vector<Facts> list (const char *name) const
  {
    return elements<Facts> (name, "aa{sv}", [] (VariantPtr each) { return Facts (std::move (each)); });
  }
  std::vector<std::string> words (const char *name) const
  {
    return elements<std::string> (
        name, "as", [] (const VariantPtr &each) { return std::string (g_variant_get_string (each.get (), nullptr)); });
  }
  std::vector<int> integers (const char *name) const
  {
    return elements<int> (name, "ai", [] (const VariantPtr &each) { return g_variant_get_int32 (each.get ()); });
  }

private:
  VariantPtr dict;

  VariantPtr find (const char *name, const GVariantType *type) const
  {
    return VariantPtr (dict ? g_variant_lookup_value (dict.get (), name, type) : nullptr);
  }
  template <class Value> Value get (const char *name, const GVariantType *type, Value (*read) (GVariant *)) const
  {
    const auto value = find (name, type);
    return value ? read (value.get ()) : Value{};
  }
  template <class Element, class Of> std::vector<Element> elements (const char *name, const char *type, Of of) const
  {
    std::vector<Element> all;
    if (const auto list = find (name, G_VARIANT_TYPE (type)))
      for (size_t i = 0; i < g_variant_n_children (list.get ()); i++)
        all.push_back (of (VariantPtr (g_variant_get_child_value (list.get (), i))));
    return all;
  }
};

} // namespace sino
