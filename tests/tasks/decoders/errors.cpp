// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages that are wrong, or that chance has changed: what is said of them.
#include "tests/support/draw.hpp"
#include "tests/support/expect.hpp"
#include "tests/tasks/decoders/messages.hpp"
#include <random>

namespace sino::test::decoders_errors_test {

using namespace messages;

namespace {

std::string array_with (const std::string &members)
{
  return R"({"htype": "array-1.0", )" + members + "}";
}

struct Bad {
  Protocol protocol;
  Sent message;
  const char *wanted;
};

std::vector<Bad> bad_json ()
{
  const auto array = Protocol::array;
  return {
      {array, {}, "an empty message"},
      {array, {""}, "line 1, column 1: the file ends where a value is expected"},
      {array, {array_with (R"("shape": [2, 3], "type": "uint16", "frame": 7)")}, "no pixels follow the header"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "uint16", "frame": 7)"), "abc"},
       "3 bytes of pixels, but 2 x 3 u16 are 12"},
      {array,
       {array_with (R"("shape": [2, -3], "type": "uint16", "frame": 7)"), pixels},
       "header.shape[1]: must be an integer from 0 to 1048576"},
      {array,
       {array_with (R"("shape": [2, 0], "type": "uint16", "frame": 7)"), pixels},
       "header.shape[1]: must not be 0"},
      {array,
       {array_with (R"("shape": [2, 2000000], "type": "uint16", "frame": 7)"), pixels},
       "header.shape[1]: must be an integer from 0 to 1048576"},
      {array,
       {array_with (R"("shape": [1048576, 1048576], "type": "float64", "frame": 7)"), pixels},
       "a frame of 8796093022208 bytes is too large"},
      {array,
       {array_with (R"("shape": [1, 2, 3], "type": "uint16", "frame": 7)"), pixels},
       "header.shape: must have two numbers, it has 3"},
      {array, {array_with (R"("shape": 6, "type": "uint16", "frame": 7)"), pixels}, "header.shape: must be an array"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "complex64", "frame": 7)"), pixels},
       "values of type 'complex64': types are those of NumPy from uint8 to float64"},
      {array, {array_with (R"("shape": [2, 3], "frame": 7)"), pixels}, "the header has no 'type'"},
      {array, {array_with (R"("shape": [2, 3], "type": "uint16")"), pixels}, "the header has no 'frame'"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "uint16", "frame": -1)"), pixels},
       "header.frame: must be an integer from 0 to 1073741823"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "uint16", "frame": 99999999999)"), pixels},
       "header.frame: must be an integer from 0 to 1073741823"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "uint16", "frame": 7, "endianness": "middle")"), pixels},
       "header.endianness: must be little or big"},
      {array,
       {array_with (R"("shape": [2, 3], "type": "uint16", "frame": 7, "encoding": "zstd")"), pixels},
       "encoding 'zstd': encodings are raw, lz4 and bslz4"},
      {array, {array_with (R"("frame": 7, "frame": 8)"), pixels}, "line 1, column 36: the key 'frame' occurs twice"},
      {array,
       {R"({"htype": "array-1.0", "frame": 7)", pixels},
       "line 1, column 34: the file ends where ',' or '}' is expected"},
      {array, {"[1, 2]", pixels}, "header: must be an object"},
      {array,
       {std::string (70, '[') + std::string (70, ']'), pixels},
       "line 1, column 65: nested deeper than 64 levels"},
      {array, {std::string (1100000, ' '), pixels}, "the header has 1100000 bytes, 1048576 is the most"},
      {Protocol::concert,
       {R"({"frame-number": "seven", "dtype": "uint16", "shape": [2, 3]})", pixels},
       "header.frame-number: must be an integer from 0 to 1073741823"},
      {Protocol::concert,
       {R"({"frame-number": "7", "dtype": "uint16", "shape": [2, 3], "mirror": true})", pixels},
       "frames that are to be mirrored or rotated: use 'flip' and 'rotate', and send them as they are"},
      {Protocol::recastx,
       {R"({"frame": 7, "shape": [2, 3]})", pixels},
       "the header has no 'scan_index' in 'image_attributes'"},
      {Protocol::recastx,
       {R"({"frame": 7, "shape": [2, 3], "image_attributes": {"scan_index": 3}})", pixels},
       "header.image_attributes.scan_index: must be an integer from 0 to 2"},
      {Protocol::sls, {R"({"jsonversion": 2, "data": 1})", pixels}, "jsonversion 2: 3 to 5 can be read"},
      {Protocol::sls,
       {R"({"jsonversion": 4, "data": 1, "bitmode": 4, "shape": [3, 2]})", pixels},
       "bitmode 4: 8, 16 and 32 bits can be read"},
      {Protocol::sls,
       {R"({"jsonversion": 4, "data": 1, "bitmode": 16, "frameIndex": 0})", pixels},
       "the header has no 'shape'"},
      {Protocol::odin,
       {R"({"frame_num": 7, "dtype": "unknown", "shape": [3, 2]})", pixels},
       "values of type 'unknown': types are those of NumPy from uint8 to float64"},
      {Protocol::odin,
       {R"({"frame_num": 7, "dtype": "uint16", "compression": "blosc", "shape": [3, 2]})", pixels},
       "compression 'blosc': compressions are none, LZ4 and BSLZ4"},
  };
}

std::vector<Bad> bad_cbor ()
{
  const auto eiger = Protocol::eiger;
  std::string deep;
  for (int i = 0; i < 100000; i++)
    deep += '\x81';
  return {
      {eiger, {""}, "the message is truncated"},
      {eiger, {"\x01"}, "message: must be a map"},
      {eiger, {map ({{"series_id", number (1)}})}, "the message has no 'type'"},
      {eiger, {map ({{"type", number (1)}})}, "type: must be a text string"},
      {eiger, {map ({{"type", word ("image")}})}, "an image needs 'image_id' and 'data'"},
      {eiger, {map ({{"type", word ("end")}}) + "x"}, "something follows the message"},
      {eiger, {image (bytes (pixels)).substr (0, 80)}, "the message is truncated"},
      {eiger, {map ({{"type", word ("image")}, {"user_data", deep}})}, "items within items, more than 16 deep"},
      {eiger, {"\xbb\xff\xff\xff\xff\xff\xff\xff\xf0"}, "the message is truncated"},
      {eiger, {"\xa1\x7f"}, "a string in pieces"},
      {eiger, {std::string ("\xa1\x64type\x1c", 7)}, "not CBOR"},
      {eiger, {std::string ("\xa1\x61x\xff", 4)}, "not CBOR: an end without a beginning"},
      {eiger, {image (bytes (pixels), 2, 4)}, "12 bytes of pixels, but 2 x 4 u16 are 16"},
      {eiger, {image (bytes (pixels), 0, 4)}, "data: must have two extents above 0"},
      {eiger, {image (bytes (pixels), 1, 1 << 21)}, "data: an extent: must be an integer from 0 to 1048576"},
      {eiger, {image (bytes (pixels), 2, 3, 83)}, "data: an array with tag 83 cannot be read"},
      {eiger, {image (word ("pixels"))}, "data: must be a byte string"},
      {eiger, {image (tag (1, bytes (pixels)))}, "data: bytes with tag 1 cannot be read"},
      {eiger,
       {image (tag (56500, array ({word ("zstd"), number (0), bytes (pixels)})))},
       "data: compression 'zstd': compressions are lz4 and bslz4"},
      {eiger,
       {image (tag (56500, array ({word ("bslz4"), number (4), bytes (pixels)})))},
       "data: bits of 4 bytes are shuffled, but pixels have 2"},
      {eiger, {map ({{"type", word ("start")}, {"goniometer", number (1)}})}, "goniometer: must be a map"},
      {eiger,
       {map ({{"type", word ("start")}, {"number_of_images", word ("many")}})},
       "number_of_images: must be an integer from 0 to 1073741823"},
  };
}

void errors ()
{
  for (const auto &list : {bad_json (), bad_cbor ()})
    for (const auto &[protocol, message, wanted] : list) {
      same (message_of ([&] { read (protocol, message); }), wanted);
      g_assert_cmpint (code_of ([&] { read (protocol, message); }), ==, SINO_ERROR_BAD_FORMAT);
    }
  same (message_of ([] { recognised ({R"({"frame": 1})", "x"}); }), "a header of no protocol that is known");
  same (message_of ([] { recognised ({R"({"htype": "chunk-2.0"})", "x"}); }), "a header of no protocol that is known");
}

void damaged_pixels ()
{
  const auto refused = [] (const std::string &compression, const std::string &content) {
    const Sent message{R"({"frame_num": 7, "dtype": "uint16", "shape": [3, 2], "compression": ")" + compression + "\"}",
                       content};
    const auto frame = read (Protocol::odin, message);
    same (message_of ([&] { unpacked<uint16_t> (frame); }), "the packed pixels are damaged");
  };
  const auto good = lz4 (pixels), shuffled = bitshuffled ();
  for (const auto &content : {std::string (), good.substr (0, 15), good + "x", big_endian (13, 8) + good.substr (8),
                              good.substr (0, 8) + big_endian (0, 4) + good.substr (12),
                              good.substr (0, 12) + big_endian (1 << 30, 4) + good.substr (16)})
    refused ("LZ4", content);
  for (const auto &content :
       {std::string (), shuffled.substr (0, 11), shuffled + "x", big_endian (13, 8) + shuffled.substr (8)})
    refused ("BSLZ4", content);
}

// --- mutations ---

void mutate (Sent &message, std::mt19937 &random)
{
  const auto below = [&random] (size_t n) { return n == 0 ? 0 : random () % n; };
  auto &part = message[below (4) == 0 ? below (message.size ()) : 0];
  for (size_t times = 1 + below (4); times > 0; times--)
    switch (below (5)) {
    case 0:
      part.resize (below (part.size () + 1));
      break;
    case 1:
      part.insert (below (part.size () + 1), part.substr (below (part.size () + 1), below (20)));
      break;
    case 2:
      if (message.size () > 1)
        message.pop_back ();
      return;
    default:
      if (!part.empty ())
        part[below (part.size ())] = static_cast<char> (below (2) ? random () : "019-\"[{}],:\xff\x9b\xbf"[below (14)]);
    }
}

void mutations ()
{
  constexpr size_t small = 1 << 20; // bytes of frames that are worth to be unpacked
  std::mt19937 random (1);
  const int tries = thorough () ? 500000 : 10000; // for each good message
  int good = 0, bad = 0;
  for (const auto &[protocol, message] : good_messages ())
    for (int i = 0; i < tries; i++) {
      auto changed = message;
      mutate (changed, random);
      try {
        number_and_kind (protocol, changed);
        recognised (changed);
        const auto said = read (protocol, changed);
        if (said.what == Decoded::What::frame && said.unpacked () <= small) {
          std::vector<std::byte> to (static_cast<size_t> (said.rows * said.columns) *
                                     sino::size_of (said.samples.element ()));
          unpack (said, to.data ());
        }
        good++;
      } catch (const Error &e) {
        g_assert_cmpstr (e.what (), !=, "");
        bad++;
      }
    }
  g_assert_cmpint (good, >, tries / 10);
  g_assert_cmpint (bad, >, tries);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/decoders/errors", errors);
  g_test_add_func ("/decoders/damaged-pixels", damaged_pixels);
  g_test_add_func ("/decoders/mutations", mutations);
  return g_test_run ();
}

} // namespace sino::test::decoders_errors_test
