// SPDX-License-Identifier: LGPL-3.0-or-later
// The options of a run as properties of a GObject, which keeps their values as words.
#pragma once
#include "run/option-table.hpp"

namespace sino {

inline GParamSpec *spec_of (const RunOption &option, const Property &property)
{
  const auto &[min, max] = property.range;
  const auto &more = option.more;
  switch (option.type) {
  case RunOption::Type::flag:
    return g_param_spec_boolean (property.name, nullptr, property.blurb, false, detail::flags);
  case RunOption::Type::integer:
    return g_param_spec_int (property.name, nullptr, property.blurb, static_cast<int> (std::min (min, more.usual)),
                             static_cast<int> (max), static_cast<int> (more.usual), detail::flags);
  case RunOption::Type::number:
    return g_param_spec_double (property.name, nullptr, property.blurb, min, max, more.usual, detail::flags);
  case RunOption::Type::word:
    break;
  }
  return g_param_spec_string (property.name, nullptr, property.blurb, more.usual_word, detail::flags);
}

inline void get_value (const RunOption &option, const std::optional<std::string> &word, GValue *value)
{
  double number = option.more.usual;
  if (word)
    parse_number (*word, number);
  switch (option.type) {
  case RunOption::Type::flag:
    return g_value_set_boolean (value, word.has_value ());
  case RunOption::Type::integer:
    return g_value_set_int (value, static_cast<int> (number));
  case RunOption::Type::number:
    return g_value_set_double (value, number);
  case RunOption::Type::word:
    return g_value_set_string (value, word ? word->c_str () : option.more.usual_word);
  }
}

// The option's value as a word; none if it is the default.
inline std::optional<std::string> word_of (const RunOption &option, const GValue *value)
{
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return g_value_get_boolean (value) ? std::optional ("true") : std::nullopt;
  if (G_VALUE_HOLDS_STRING (value)) {
    const char *given = g_value_get_string (value);
    const std::string word = given ? given : "";
    return word == option.more.usual_word ? std::nullopt : std::optional (word);
  }
  const double number = G_VALUE_HOLDS_INT (value) ? g_value_get_int (value) : g_value_get_double (value);
  return number == option.more.usual ? std::nullopt : std::optional (text ("%.17g", number));
}

template <auto M, size_t I> constexpr Property option_property ()
{
  using C = typename detail::member<decltype (M)>::owner;
  constexpr const auto &option = option_table[I];
  Property p{};
  p.name = option.more.property ? option.more.property : option.name;
  p.blurb = option.help;
  p.range = option.more.range;
  p.spec = [] (const Property &property, const void *, const char *) { return spec_of (option_table[I], property); };
  p.get = [] (const void *self, GValue *value) {
    get_value (option_table[I], (static_cast<const C *> (self)->*M)[I], value);
  };
  p.set = [] (void *self, const GValue *value) {
    auto word = word_of (option_table[I], value);
    std::swap (word, (static_cast<C *> (self)->*M)[I]);
    return word != (static_cast<C *> (self)->*M)[I];
  };
  return p;
}

// One property for each option of a run, for a class whose member M is of type RunWords.
template <auto M> constexpr auto option_properties ()
{
  return []<size_t... I> (std::index_sequence<I...>) {
    return std::array{option_property<M, I> ()...};
  }(std::make_index_sequence<option_table.size ()> ());
}

} // namespace sino
