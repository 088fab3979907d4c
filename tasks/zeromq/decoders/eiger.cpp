// SPDX-License-Identifier: LGPL-3.0-or-later
// Stream 2 of Dectris' detectors: one map of CBOR per message, with the tag of CBOR before it: {"type": "start" |
// "image" | "end", ...}. The first channel of an image counts. Its pixels are a multi-dimensional array (RFC 8746, tag
// 40) of bytes or of packed bytes (tag 56500).
#include "base/error.hpp"
#include "base/shown.hpp"
#include "tasks/zeromq/decoders/cbor.hpp"
#include "tasks/zeromq/decoders/protocols.hpp"
#include <bit>

namespace sino::zeromq {

namespace {

constexpr uint64_t array_tag = 40, packed_tag = 56500;

uint64_t tag_of (CborReader &in, const char *what)
{
  const auto item = in.next ();
  if (item.type != CborItem::Type::tag)
    fail (SINO_ERROR_BAD_FORMAT, "%s: must have a tag", what);
  return item.value;
}

// The tags of typed arrays: RFC 8746, section 2.
formats::Samples samples_of_tag (uint64_t tag)
{
  using formats::Sample;
  struct Known {
    uint64_t tag;
    Sample type;
    bool big;
  };
  constexpr Known known[] = {{64, Sample::u8, false},  {65, Sample::u16, true},  {66, Sample::u32, true},
                             {68, Sample::u8, false},  {69, Sample::u16, false}, {70, Sample::u32, false},
                             {72, Sample::i8, false},  {73, Sample::i16, true},  {74, Sample::i32, true},
                             {77, Sample::i16, false}, {78, Sample::i32, false}, {81, Sample::f32, true},
                             {85, Sample::f32, false}};
  for (const auto &each : known)
    if (each.tag == tag) {
      formats::Samples samples;
      samples.type = each.type;
      samples.swapped = size_of (each.type) > 1 && each.big != (std::endian::native == std::endian::big);
      return samples;
    }
  fail (SINO_ERROR_BAD_FORMAT, "data: an array with tag %llu cannot be read", static_cast<unsigned long long> (tag));
}

Bytes byte_string (const CborItem &item)
{
  if (item.type != CborItem::Type::bytes)
    fail (SINO_ERROR_BAD_FORMAT, "data: must be a byte string");
  return item.bytes;
}

void read_packed (CborReader &in, Decoded &frame)
{
  in.array ("data", [&] (size_t place) {
    if (place == 0) {
      const auto method = in.word ("data");
      if (method != "lz4" && method != "bslz4")
        fail (SINO_ERROR_BAD_FORMAT, "data: compression %s: compressions are lz4 and bslz4",
              in_quotes (method).c_str ());
      frame.packing = method == "lz4" ? Packing::lz4 : Packing::bitshuffle_lz4;
    } else if (place == 1) {
      const auto bytes = in.integer ("data", 8);
      if (frame.packing == Packing::bitshuffle_lz4 && bytes != size_of (frame.samples.type))
        fail (SINO_ERROR_BAD_FORMAT, "data: bits of %llu bytes are shuffled, but pixels have %zu",
              static_cast<unsigned long long> (bytes), size_of (frame.samples.type));
    } else if (place == 2) {
      frame.pixels = byte_string (in.next ());
    } else
      in.skip ();
  });
}

void read_pixels (CborReader &in, Decoded &frame)
{
  frame.samples = samples_of_tag (tag_of (in, "data"));
  const auto item = in.next ();
  if (item.type != CborItem::Type::tag)
    frame.pixels = byte_string (item);
  else if (item.value == packed_tag)
    read_packed (in, frame);
  else
    fail (SINO_ERROR_BAD_FORMAT, "data: bytes with tag %llu cannot be read",
          static_cast<unsigned long long> (item.value));
}

void read_channel (CborReader &in, Decoded &frame)
{
  if (tag_of (in, "data") != array_tag)
    fail (SINO_ERROR_BAD_FORMAT, "data: must be a multi-dimensional array, of tag 40");
  in.array ("data", [&] (size_t place) {
    if (place == 0)
      in.array ("data", [&] (size_t dimension) {
        const auto extent = static_cast<int64_t> (in.integer ("data: an extent", most_pixels));
        if (dimension > 1 || extent == 0)
          fail (SINO_ERROR_BAD_FORMAT, "data: must have two extents above 0");
        (dimension == 0 ? frame.rows : frame.columns) = extent;
      });
    else if (place == 1)
      read_pixels (in, frame);
    else
      in.skip ();
  });
}

// Degrees of the axis that turns.
void read_goniometer (CborReader &in, Decoded &start)
{
  in.map ("goniometer", [&] (std::string_view) {
    std::optional<double> begin, step;
    in.map ("goniometer", [&] (std::string_view key) {
      if (key == "start")
        begin = in.number ("goniometer");
      else if (key == "increment")
        step = in.number ("goniometer");
      else
        in.skip ();
    });
    if (step.value_or (0) != 0 && !start.angle_step) {
      start.angle_step = step;
      start.angle_start = begin.value_or (0);
    }
  });
}

Decoded::What what_of (std::string_view type)
{
  return type == "start"   ? Decoded::What::start
         : type == "image" ? Decoded::What::frame
         : type == "end"   ? Decoded::What::end
                           : Decoded::What::nothing;
}

} // namespace

Decoded decode_eiger (Parts message)
{
  CborReader in (without_own_tag (message[0]));
  Decoded read;
  bool typed = false, numbered = false, channel = false;
  in.map ("message", [&] (std::string_view key) {
    if (key == "type") {
      read.what = what_of (in.word ("type"));
      typed = true;
    } else if (key == "image_id") {
      read.number = static_cast<int64_t> (in.integer ("image_id", most_number));
      numbered = true;
    } else if (key == "number_of_images")
      read.frames = static_cast<int64_t> (in.integer ("number_of_images", most_number));
    else if (key == "goniometer")
      read_goniometer (in, read);
    else if (key == "data")
      in.map ("data", [&] (std::string_view) {
        if (channel)
          return in.skip ();
        read_channel (in, read);
        channel = true;
      });
    else
      in.skip ();
  });
  if (!in.at_end ())
    fail (SINO_ERROR_BAD_FORMAT, "something follows the message");
  if (!typed)
    fail (SINO_ERROR_BAD_FORMAT, "the message has no 'type'");
  if (read.what == Decoded::What::frame && (!numbered || !channel || read.rows * read.columns == 0))
    fail (SINO_ERROR_BAD_FORMAT, "an image needs 'image_id' and 'data'");
  return read;
}

std::optional<int64_t> number_of_eiger (Parts message)
{
  CborReader in (without_own_tag (message[0]));
  std::optional<int64_t> number;
  try {
    in.map ("message", [&] (std::string_view key) {
      if (key == "image_id")
        number = static_cast<int64_t> (in.integer ("image_id", most_number));
      else
        in.skip ();
    });
  } catch (const Error &) { // what was read before counts
  }
  return number;
}

} // namespace sino::zeromq
