// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/requests.hpp"
#include "base/json/cursor.hpp"
#include "base/json/scanner.hpp"
#include "base/named-error.hpp"
#include "base/shown.hpp"
#include <cmath>
#include <limits>

namespace sino::live {

namespace {

// The members of a request. Each is asked for by its name; what stays is unknown.
class Fields
{
public:
  explicit Fields (const JsonCursor &root)
  {
    for (const auto &[name, value] : root.members ())
      left.insert ({name, {value.node, name}});
  }

  bool has (const std::string &name) const { return left.contains (name); }

  // What `read` makes of a field; its errors name the field.
  template <class Read> auto get (const std::string &name, Read read)
  {
    const auto found = left.find (name);
    if (found == left.end ())
      throw NamedError (SINO_ERROR_BAD_FORMAT, "there is no " + in_quotes (name), {}, name);
    const auto value = found->second;
    left.erase (found);
    try {
      return read (value);
    } catch (const Error &e) {
      throw NamedError (e.code, e.what (), {}, name);
    }
  }

  void check_end () const
  {
    if (!left.empty ())
      throw NamedError (SINO_ERROR_BAD_FORMAT, in_quotes (left.begin ()->first) + " is unknown here", {},
                        left.begin ()->first);
  }

private:
  std::map<std::string, JsonCursor> left;
};

std::string word_of (const JsonCursor &value)
{
  return value.string ();
}

int plane_of (const JsonCursor &value)
{
  return static_cast<int> (value.integer (std::numeric_limits<int>::max ()));
}

double column_of (const JsonCursor &value)
{
  return value.is_null () ? NAN : value.number ();
}

// "auto", "1%:99%" or [0, 0.02].
Contrast contrast_of (const JsonCursor &value)
{
  if (!value.is_array ())
    return parse_contrast (value.string ());
  const auto limits = value.elements ();
  if (limits.size () != 2)
    value.refuse ("must have two values", SINO_ERROR_BAD_FORMAT);
  const Contrast contrast{.black = limits[0].number (), .white = limits[1].number (), .percent = false};
  check_contrast (contrast, text ("%g:%g", contrast.black, contrast.white));
  return contrast;
}

Pull parse_pull (Fields &fields)
{
  Pull pull{.number = fields.get ("pull", plane_of)};
  if (fields.has ("newer-than"))
    pull.newer_than = fields.get (
        "newer-than", [] (const JsonCursor &value) { return value.integer (std::numeric_limits<int64_t>::max ()); });
  if (fields.has ("timeout"))
    pull.until = fields.get ("timeout", [] (const JsonCursor &value) {
      constexpr double year = 365 * 24 * 3600;
      const double seconds = value.number ();
      if (seconds < 0)
        value.refuse ("must not be below 0", SINO_ERROR_BAD_FORMAT);
      return std::chrono::steady_clock::now () +
             std::chrono::microseconds (std::llround (1e6 * std::min (seconds, year)));
    });
  if (fields.has ("type"))
    pull.grey = fields.get ("type", [] (const JsonCursor &value) {
      const auto type = value.string ();
      if (type != "f32" && type != "u8")
        value.refuse ("must be f32 or u8", SINO_ERROR_BAD_FORMAT);
      return type == "u8";
    });
  if (fields.has ("contrast"))
    pull.contrast = fields.get ("contrast", contrast_of);
  return pull;
}

Request parse_fields (Fields &fields)
{
  if (fields.has ("pull"))
    return parse_pull (fields);
  if (fields.has ("add"))
    return Add{fields.get ("add", word_of)};
  if (fields.has ("move")) {
    const auto number = fields.get ("move", plane_of);
    return Move{number, fields.get ("to", word_of)};
  }
  if (fields.has ("remove"))
    return Remove{fields.get ("remove", plane_of)};
  if (fields.has ("axis"))
    return SetAxis{fields.get ("axis", column_of)};
  if (fields.has ("contrast"))
    return SetContrast{fields.get ("contrast", contrast_of)};
  if (fields.has ("list")) {
    fields.get ("list", [] (const JsonCursor &value) {
      if (!value.is_true ())
        value.refuse ("must be true", SINO_ERROR_BAD_FORMAT);
    });
    return List{};
  }
  fail (SINO_ERROR_BAD_FORMAT, "the request has none of add, move, remove, list, axis, contrast and pull");
}

} // namespace

Request parse_request (std::string_view line)
{
  scan_json (line);
  const JsonDocument document (line);
  Fields fields (document.root ("the request"));
  auto request = parse_fields (fields);
  fields.check_end ();
  return request;
}

} // namespace sino::live
