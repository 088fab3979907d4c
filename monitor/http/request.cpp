// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/http/request.hpp"
#include "base/text.hpp"
#include <cmath>
#include <json-glib/json-glib.h>

namespace sino::monitor {

std::string Request::word (const std::string &name) const
{
  const auto found = query.find (name);
  if (found == query.end ())
    throw Refused (400, name + " is missing");
  return found->second;
}

std::string Request::word (const std::string &name, const std::string &fallback) const
{
  return has (name) ? word (name) : fallback;
}

int64_t Request::integer (const std::string &name, int64_t least, int64_t most) const
{
  int64_t value = 0;
  if (!parse_integer (word (name), value) || value < least || value > most)
    throw Refused (400, text ("%s must be a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", not '%s'",
                              name.c_str (), least, most, word (name).c_str ()));
  return value;
}

int64_t Request::integer (const std::string &name, int64_t least, int64_t most, int64_t fallback) const
{
  return has (name) ? integer (name, least, most) : fallback;
}

std::vector<double> Request::numbers (const std::string &name, size_t n) const
{
  const auto values = parse_numbers (word (name), ',');
  bool good = values.size () == n;
  for (const double value : values)
    good = good && std::abs (value) <= 0x1p40;
  if (!good)
    throw Refused (400, text ("%s must be %zu numbers with commas between them, not '%s'", name.c_str (), n,
                              word (name).c_str ()));
  return values;
}

Answer Answer::of_text (std::string words, std::string type, int status)
{
  const auto kept = std::make_shared<const std::string> (std::move (words));
  return {.status = status, .type = std::move (type), .owner = kept, .bytes = kept->data (), .size = kept->size ()};
}

Answer Answer::of_json (GVariant *value)
{
  const VariantPtr held (g_variant_ref_sink (value));
  gsize length = 0;
  const CharPtr words (json_gvariant_serialize_data (held.get (), &length));
  return of_text (std::string (words.get (), length), "application/json");
}

Answer Answer::of_error (int status, const std::string &message)
{
  Dict error;
  auto answer = of_json (error.add ("error", message).end ());
  answer.status = status;
  return answer;
}

} // namespace sino::monitor
