// SPDX-License-Identifier: LGPL-3.0-or-later
// Messages with frames: what each protocol says.
#include "base/text.hpp"
#include "tests/support/expect.hpp"
#include "tests/tasks/decoders/messages.hpp"
#include <algorithm>

namespace sino::test::decoders_test {

using namespace messages;
using What = Decoded::What;

namespace {

void frames ()
{
  for (const auto &[protocol, message] : good_messages ()) {
    g_assert_true (recognised (message) == protocol);
    const auto frame = read (protocol, message);
    g_assert_true (frame.what == What::frame);
    g_assert_cmpint (frame.number, ==, 7);
    g_assert_cmpint (frame.rows, ==, 2);
    g_assert_cmpint (frame.columns, ==, 3);
    g_assert_true (unpacked<uint16_t> (frame) == six);
    const bool tells = message[0].find ("scan_index") != std::string::npos;
    g_assert_true (frame.kind == (tells ? FrameKind::projection : FrameKind::unknown));
  }
}

void frames_without_pixels ()
{
  for (auto [protocol, message] : good_messages ()) {
    const auto kind = read (protocol, message).kind;
    if (protocol == Protocol::eiger)
      message[0].resize (message[0].size () - 1);
    else
      message.resize (1);
    g_assert_cmpint (code_of ([&, protocol = protocol] { read (protocol, message); }), ==, SINO_ERROR_BAD_FORMAT);
    const auto frame = number_and_kind (protocol, message);
    g_assert_true (frame && frame->what == What::unreadable && frame->kind == kind);
    g_assert_cmpint (frame->number, ==, 7);
    g_assert_false (number_and_kind (protocol, {"{}"}) || number_and_kind (protocol, {}));
  }
}

void ends ()
{
  const Sent end{R"({"end": true})"};
  g_assert_false (recognised (end).has_value ());
  for (const auto protocol :
       {Protocol::any, Protocol::array, Protocol::concert, Protocol::recastx, Protocol::sls, Protocol::odin})
    g_assert_true (read (protocol, end).what == What::end);
  g_assert_true (read (Protocol::sls, {R"({"jsonversion": 4, "data": 0})"}).what == What::end);
  g_assert_true (read (Protocol::eiger, {map ({{"type", word ("end")}, {"series_id", number (1)}})}).what == What::end);
}

void starts ()
{
  const auto axis = [] (double begin, double step) {
    return map ({{"increment", real (step)}, {"start", real (begin)}});
  };
  const auto start =
      read (Protocol::eiger, {map ({{"type", word ("start")},
                                    {"channels", array ({word ("threshold_1")})},
                                    {"goniometer", map ({{"chi", axis (5, 0)}, {"omega", axis (-10, 0.25)}})},
                                    {"image_size_x", number (3)},
                                    {"number_of_images", number (720)},
                                    {"user_data", "\xf6"}})});
  g_assert_true (start.what == What::start);
  g_assert_cmpint (start.frames, ==, 720);
  g_assert_cmpfloat (start.angle_start.value (), ==, -10);
  g_assert_cmpfloat (start.angle_step.value (), ==, 0.25);
  // Maps and arrays of unknown length, and messages of types that need no attention.
  const std::string open = "\xbf" + word ("type") + word ("image_v9") + word ("list") + "\x9f\x01\xf9\x3c\x01\xff\xff";
  g_assert_true (read (Protocol::eiger, {open}).what == What::nothing);
}

template <class T>
void type (const char *name, std::vector<T> values, const std::vector<float> &wanted, bool big = false)
{
  auto content = packed (values);
  if (big)
    for (size_t i = 0; i < content.size (); i += sizeof (T))
      std::reverse (content.begin () + static_cast<ptrdiff_t> (i),
                    content.begin () + static_cast<ptrdiff_t> (i + sizeof (T)));
  const Sent message{text (R"({"htype": "array-1.0", "shape": [1, %zu], "type": "%s", "frame": 0, "endianness": "%s"})",
                           values.size (), name, big ? "big" : "little"),
                     content};
  const auto frame = read (Protocol::array, message);
  g_assert_true (unpacked<float> (frame) == wanted);
}

void types ()
{
  type<uint32_t> ("uint32", {1, 70000}, {1, 70000});
  type<uint32_t> ("uint32", {1, 70000}, {1, 70000}, true);
  type<int16_t> ("int16", {-5, 7}, {-5, 7});
  type<int16_t> ("int16", {-5, 7}, {-5, 7}, true);
  type<double> ("float64", {0.5, -3}, {0.5, -3});
  type<float> ("float32", {0.5, -3}, {0.5, -3});
  type<float> ("float32", {0.5, -3}, {0.5, -3}, true);
  type<int64_t> ("int64", {-1, 2}, {-1, 2}, true);
  // Values of streams stay as they are, but for their order of bytes.
  const Sent big{R"({"htype":"array-1.0","shape":[1,2],"type":">u2","frame":0})", std::string ("\x01\x02\x03\x04", 4)};
  const auto swapped = read (Protocol::array, big);
  g_assert_true (unpacked<uint16_t> (swapped) == (std::vector<uint16_t>{0x0102, 0x0304}));
}

void angles ()
{
  const Sent message{R"({"htype":"array-1.0","shape":[1,1],"type":"uint8","frame":0,"theta":12.5})", "x"};
  g_assert_cmpfloat (read (Protocol::array, message, "theta").angle.value (), ==, 12.5);
  g_assert_false (read (Protocol::array, message).angle.has_value ());
  same (message_of ([&] { read (Protocol::array, message, "omega"); }), "the header has no 'omega'");
}

void kinds ()
{
  constexpr FrameKind kinds[] = {FrameKind::dark, FrameKind::flat, FrameKind::projection};
  for (int i = 0; i < 3; i++) {
    const auto frame =
        read (Protocol::recastx,
              {text (R"({"frame": 0, "shape": [2, 3], "image_attributes": {"scan_index": %d}})", i), pixels});
    g_assert_true (frame.kind == kinds[i]);
  }
  g_assert_true (read (Protocol::sls, {R"({"jsonversion": 4, "bitmode": 16, "shape": [3, 2], "frameIndex": 7,
    "data": 1, "completeImage": 0})",
                                       pixels})
                     .what == What::broken);
}

} // namespace

int run (int argc, char **argv)
{
  g_test_init (&argc, &argv, nullptr);
  g_test_add_func ("/decoders/frames", frames);
  g_test_add_func ("/decoders/frames-without-pixels", frames_without_pixels);
  g_test_add_func ("/decoders/ends", ends);
  g_test_add_func ("/decoders/starts", starts);
  g_test_add_func ("/decoders/types", types);
  g_test_add_func ("/decoders/angles", angles);
  g_test_add_func ("/decoders/kinds", kinds);
  return g_test_run ();
}

} // namespace sino::test::decoders_test
