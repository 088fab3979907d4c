// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/zeromq/decoders/cbor.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cbor.h>

namespace sino::zeromq {

namespace {

constexpr int deepest = 16;

template <CborItem::Type type, class Number> void take_number (void *to, Number value)
{
  *static_cast<CborItem *> (to) = {.type = type, .value = value, .real = 0, .bytes = {}};
}

template <class Number> void take_real (void *to, Number value)
{
  *static_cast<CborItem *> (to) = {.type = CborItem::Type::real, .value = 0, .real = value, .bytes = {}};
}

template <CborItem::Type type, class Size> void take_bytes (void *to, cbor_data data, Size size)
{
  *static_cast<CborItem *> (to) = {
      .type = type, .value = size, .real = 0, .bytes = {reinterpret_cast<const std::byte *> (data), size}};
}

template <CborItem::Type type, uint64_t value> void take (void *to)
{
  *static_cast<CborItem *> (to) = {.type = type, .value = value, .real = 0, .bytes = {}};
}

// Strings in pieces are an error, which `next ()` knows by this value.
constexpr uint64_t in_pieces = 1;

using Type = CborItem::Type;

cbor_callbacks callbacks_of_items ()
{
  auto all = cbor_empty_callbacks;
  all.uint8 = take_number<Type::integer, uint8_t>;
  all.uint16 = take_number<Type::integer, uint16_t>;
  all.uint32 = take_number<Type::integer, uint32_t>;
  all.uint64 = take_number<Type::integer, uint64_t>;
  all.negint8 = take_number<Type::negative, uint8_t>;
  all.negint16 = take_number<Type::negative, uint16_t>;
  all.negint32 = take_number<Type::negative, uint32_t>;
  all.negint64 = take_number<Type::negative, uint64_t>;
  all.byte_string = take_bytes<Type::bytes>;
  all.string = take_bytes<Type::word>;
  all.byte_string_start = all.string_start = take<Type::other, in_pieces>;
  all.array_start = take_number<Type::array>;
  all.indef_array_start = take<Type::array, CborItem::open>;
  all.map_start = take_number<Type::map>;
  all.indef_map_start = take<Type::map, CborItem::open>;
  all.tag = take_number<Type::tag, uint64_t>;
  all.float2 = all.float4 = take_real<float>;
  all.float8 = take_real<double>;
  all.undefined = all.null = take<Type::other, 0>;
  all.boolean = [] (void *to, bool) { take<Type::other, 0> (to); };
  all.indef_break = take<Type::stop, 0>;
  return all;
}

[[noreturn]] void refuse (const char *what, const char *wanted)
{
  fail (SINO_ERROR_BAD_FORMAT, "%s: must be %s", what, wanted);
}

} // namespace

Bytes without_own_tag (Bytes message)
{
  constexpr std::byte tag[] = {std::byte{0xd9}, std::byte{0xd9}, std::byte{0xf7}};
  const bool tagged = message.size () >= std::size (tag) && std::ranges::equal (message.first (std::size (tag)), tag);
  return tagged ? message.subspan (std::size (tag)) : message;
}

CborItem CborReader::next ()
{
  static const auto callbacks = callbacks_of_items ();
  CborItem item;
  const auto result = cbor_stream_decode (reinterpret_cast<cbor_data> (rest.data ()), rest.size (), &callbacks, &item);
  if (result.status == CBOR_DECODER_ERROR)
    fail (SINO_ERROR_BAD_FORMAT, "not CBOR");
  if (result.status != CBOR_DECODER_FINISHED || result.read > rest.size ())
    fail (SINO_ERROR_BAD_FORMAT, "the message is truncated");
  if (item.type == Type::other && item.value == in_pieces)
    fail (SINO_ERROR_BAD_FORMAT, "a string in pieces");
  rest = rest.subspan (result.read);
  return item;
}

uint64_t CborReader::integer (const char *what, uint64_t most)
{
  const auto item = next ();
  if (item.type != Type::integer || item.value > most)
    refuse (what, text ("an integer from 0 to %llu", static_cast<unsigned long long> (most)).c_str ());
  return item.value;
}

double CborReader::number (const char *what)
{
  const auto item = next ();
  if (item.type == Type::integer)
    return static_cast<double> (item.value);
  if (item.type == Type::negative)
    return -1 - static_cast<double> (item.value);
  if (item.type != Type::real)
    refuse (what, "a number");
  return item.real;
}

std::string_view CborReader::word (const char *what)
{
  const auto item = next ();
  if (item.type != Type::word)
    refuse (what, "a text string");
  return {reinterpret_cast<const char *> (item.bytes.data ()), item.bytes.size ()};
}

bool CborReader::at_stop () const
{
  constexpr std::byte stop{0xff};
  return !rest.empty () && rest.front () == stop;
}

template <class Each> void CborReader::elements (uint64_t number, Each each)
{
  if (++depth > deepest)
    fail (SINO_ERROR_BAD_FORMAT, "items within items, more than %d deep", deepest);
  for (uint64_t i = 0; number == CborItem::open ? !at_stop () : i < number; i++)
    each (i);
  if (number == CborItem::open)
    next ();
  depth--;
}

void CborReader::map (const char *what, const std::function<void (std::string_view)> &each)
{
  const auto item = next ();
  if (item.type != Type::map)
    refuse (what, "a map");
  elements (item.value, [&] (uint64_t) { each (word (what)); });
}

void CborReader::array (const char *what, const std::function<void (size_t)> &each)
{
  const auto item = next ();
  if (item.type != Type::array)
    refuse (what, "an array");
  elements (item.value, each);
}

void CborReader::skip ()
{
  const auto item = next ();
  switch (item.type) {
  case Type::stop:
    fail (SINO_ERROR_BAD_FORMAT, "not CBOR: an end without a beginning");
  case Type::tag:
    elements (1, [this] (uint64_t) { skip (); });
    break;
  case Type::array:
    elements (item.value, [this] (uint64_t) { skip (); });
    break;
  case Type::map:
    elements (item.value, [this] (uint64_t) {
      skip ();
      skip ();
    });
    break;
  default:
    break;
  }
}

} // namespace sino::zeromq
