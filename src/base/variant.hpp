// SPDX-License-Identifier: LGPL-3.0-or-later
// Structured data as GVariants of type a{sv}, which C and Python can read, and json-glib can turn into JSON.
#pragma once
#include "base/pointers.hpp"
#include <cstdint>
#include <string>
#include <vector>

namespace sino {

using VariantPtr = std::unique_ptr<GVariant, Deleter<g_variant_unref>>;

class Dict
{
public:
  Dict () { g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT); }
  ~Dict () { g_variant_builder_clear (&builder); }
  Dict (const Dict &) = delete;
  Dict &operator= (const Dict &) = delete;

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

} // namespace sino
