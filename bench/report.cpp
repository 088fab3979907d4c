// SPDX-License-Identifier: LGPL-3.0-or-later
#include "bench/report.hpp"
#include "base/text.hpp"
#include "cli/print.hpp"
#include "graph/properties.hpp"
#include <algorithm>
#include <cmath>

namespace sino::bench {

std::string json_number (double value)
{
  return std::isfinite (value) ? sino::text ("%.6g", value) : "null";
}

std::string digits (double value)
{
  const auto size = std::abs (value);
  if (size > 0 && (size < 1e-3 || size >= 1e6))
    return sino::text ("%.2e", value);
  return sino::text ("%.*f", size < 0.0999 ? 4 : size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
}

std::string seconds_text (double seconds)
{
  return seconds < 0.1 ? digits (1e3 * seconds) + " ms" : digits (seconds) + " s";
}

void Report::number (const char *key, double value)
{
  literal (key, json_number (value));
}

void Report::integer (const char *key, int64_t value)
{
  literal (key, sino::text ("%" G_GINT64_FORMAT, value));
}

void Report::word (const char *key, const std::string &value)
{
  literal (key, quote_json (value));
}

void Report::figure (const char *key, double value, const char *name, const std::string &unit, const std::string &about)
{
  number (key, value);
  row ({name, digits (value) + unit, about});
}

void Report::duration (const char *key, double seconds, const char *name, const std::string &about)
{
  number (key, seconds);
  row ({name, seconds_text (seconds), about});
}

std::string Report::json () const
{
  const auto lines =
      join (members, ",\n  ", [] (const auto &each) { return quote_json (each.first) + ": " + each.second; });
  return "{\n  " + lines + "\n}\n";
}

std::string Report::text () const
{
  std::string out;
  for (const auto &line : headlines)
    out += line + "\n";
  if (!rows.empty ())
    out += "\n" + columns_text (rows);
  if (!remarks.empty ())
    out += "\n";
  for (const auto &line : remarks)
    out += line + "\n";
  return out;
}

} // namespace sino::bench
