// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/decoders/header.hpp"
#include "base/json/scanner.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <bit>
#include <json-glib/json-glib.h>

namespace sino::zeromq {

namespace {

constexpr bool big_here = std::endian::native == std::endian::big;
constexpr size_t most_header = 1 << 20;

std::string_view checked (Bytes json)
{
  if (json.size () > most_header)
    fail (SINO_ERROR_BAD_FORMAT, "the header has %zu bytes, %zu is the most", json.size (), most_header);
  const std::string_view words (reinterpret_cast<const char *> (json.data ()), json.size ());
  scan_json (words);
  return words;
}

bool is_word (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

int64_t number_or_word (const JsonCursor &value, int64_t most)
{
  if (!is_word (value.node))
    return value.integer (most);
  int64_t number = 0;
  if (!parse_integer (value.string (), number) || number < 0 || number > most)
    value.refuse (text ("must be an integer from 0 to %lld", static_cast<long long> (most)));
  return number;
}

} // namespace

Header::Header (Bytes json) : document (checked (json)), members (document.root ("header").members ()) {}

const JsonCursor *Header::find (const char *name) const
{
  const auto place = std::ranges::find (members, name, [] (const auto &member) { return member.first; });
  return place == members.end () ? nullptr : &place->second;
}

const JsonCursor &Header::get (const char *name) const
{
  const auto *found = find (name);
  if (!found)
    fail (SINO_ERROR_BAD_FORMAT, "the header has no '%s'", name);
  return *found;
}

int64_t Header::integer (const char *name, int64_t most) const
{
  return get (name).integer (most);
}

int64_t Header::integer_or_word (const char *name) const
{
  return number_or_word (get (name), most_number);
}

double Header::number (const char *name) const
{
  return get (name).number ();
}

std::string Header::word (const char *name) const
{
  return get (name).string ();
}

std::string Header::word_if_any (const char *name) const
{
  const auto *found = find (name);
  if (!found || JSON_NODE_HOLDS_NULL (found->node))
    return {};
  return is_word (found->node) ? json_node_get_string (found->node) : found->string ();
}

bool Header::is_true (const char *name) const
{
  const auto *found = find (name);
  return found && JSON_NODE_HOLDS_VALUE (found->node) && json_node_get_value_type (found->node) == G_TYPE_BOOLEAN &&
         json_node_get_boolean (found->node);
}

std::array<int64_t, 2> Header::shape () const
{
  const auto &value = get ("shape");
  const auto extents = value.elements ();
  if (extents.size () != 2)
    value.refuse (text ("must have two numbers, it has %zu", extents.size ()));
  std::array<int64_t, 2> both{};
  for (size_t i = 0; i < 2; i++) {
    both[i] = number_or_word (extents[i], most_pixels);
    if (both[i] == 0)
      extents[i].refuse ("must not be 0");
  }
  return both;
}

std::optional<int64_t> Header::inner (const char *object, const char *name, int64_t most) const
{
  const auto *outer = find (object);
  if (!outer || !JSON_NODE_HOLDS_OBJECT (outer->node))
    return {};
  for (const auto &[key, value] : outer->members ())
    if (key == name)
      return value.integer (most);
  return {};
}

formats::Samples samples_of (const std::string &numpy)
{
  using formats::Sample;
  constexpr std::pair<const char *, Sample> names[] = {
      {"uint8", Sample::u8},    {"u1", Sample::u8},  {"uint16", Sample::u16},  {"u2", Sample::u16},
      {"uint32", Sample::u32},  {"u4", Sample::u32}, {"uint64", Sample::u64},  {"u8", Sample::u64},
      {"int8", Sample::i8},     {"i1", Sample::i8},  {"int16", Sample::i16},   {"i2", Sample::i16},
      {"int32", Sample::i32},   {"i4", Sample::i32}, {"int64", Sample::i64},   {"i8", Sample::i64},
      {"float16", Sample::f16}, {"f2", Sample::f16}, {"float32", Sample::f32}, {"f4", Sample::f32},
      {"float64", Sample::f64}, {"f8", Sample::f64}};
  std::string_view name = numpy;
  const char order = name.empty () ? ' ' : name[0];
  if (order == '<' || order == '>' || order == '|' || order == '=')
    name.remove_prefix (1);
  const auto *found = std::ranges::find (names, name, [] (const auto &each) { return std::string_view (each.first); });
  if (found == std::end (names))
    fail (SINO_ERROR_BAD_FORMAT, "values of type %s: types are those of NumPy from uint8 to float64",
          in_quotes (numpy).c_str ());
  formats::Samples samples;
  samples.type = found->second;
  samples.swapped = order == '>' ? !big_here : order == '<' && big_here;
  return samples;
}

bool swaps (const Header &header, bool otherwise)
{
  const auto order = header.word_if_any ("endianness");
  if (order.empty ())
    return otherwise;
  if (order != "little" && order != "big")
    fail (SINO_ERROR_BAD_FORMAT, "header.endianness: must be little or big");
  return (order == "big") != big_here;
}

FrameKind kind_of (const Header &header)
{
  const auto index = header.inner ("image_attributes", "scan_index", 2);
  if (!index)
    return FrameKind::unknown;
  constexpr FrameKind kinds[] = {FrameKind::dark, FrameKind::flat, FrameKind::projection};
  return kinds[static_cast<size_t> (*index)];
}

void check_size (const Decoded &frame)
{
  const auto wanted = frame.unpacked ();
  if (wanted > static_cast<size_t> (most_bytes))
    fail (SINO_ERROR_BAD_FORMAT, "a frame of %zu bytes is too large", wanted);
  if (frame.packing == Packing::none && frame.pixels.size () != wanted)
    fail (SINO_ERROR_BAD_FORMAT, "%zu bytes of pixels, but %lld x %lld %s are %zu", frame.pixels.size (),
          static_cast<long long> (frame.rows), static_cast<long long> (frame.columns), name_of (frame.samples.type),
          wanted);
}

Decoded plain_frame (int64_t number, std::array<int64_t, 2> shape, const formats::Samples &samples, Parts rest)
{
  if (rest.empty ())
    fail (SINO_ERROR_BAD_FORMAT, "no pixels follow the header");
  Decoded frame;
  frame.what = Decoded::What::frame;
  frame.number = number;
  frame.rows = shape[0];
  frame.columns = shape[1];
  frame.samples = samples;
  frame.pixels = rest[0];
  return frame;
}

} // namespace sino::zeromq
