// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/socket/answers.hpp"
#include "base/named-error.hpp"
#include "base/pointers.hpp"
#include "base/shown.hpp"
#include <array>
#include <cmath>
#include <json-glib/json-glib.h>

namespace sino::live {

namespace {

class Line
{
public:
  Line () { json_builder_begin_object (builder.get ()); }

  Line &add (const char *name, int64_t value)
  {
    json_builder_set_member_name (builder.get (), name);
    json_builder_add_int_value (builder.get (), value);
    return *this;
  }
  // Not a number becomes null.
  Line &add_number (const char *name, double value)
  {
    json_builder_set_member_name (builder.get (), name);
    add_number (value);
    return *this;
  }
  Line &add (const char *name, const std::string &value)
  {
    json_builder_set_member_name (builder.get (), name);
    json_builder_add_string_value (builder.get (), shown (value).c_str ());
    return *this;
  }
  Line &add_boolean (const char *name, bool value)
  {
    json_builder_set_member_name (builder.get (), name);
    json_builder_add_boolean_value (builder.get (), value);
    return *this;
  }
  template <class List, class AddOne> Line &add_list (const char *name, const List &list, AddOne add_one)
  {
    json_builder_set_member_name (builder.get (), name);
    json_builder_begin_array (builder.get ());
    for (const auto &each : list)
      add_one (each);
    json_builder_end_array (builder.get ());
    return *this;
  }
  void add_number (double value)
  {
    if (std::isfinite (value))
      json_builder_add_double_value (builder.get (), value);
    else
      json_builder_add_null_value (builder.get ());
  }
  void add_integer (int64_t value) { json_builder_add_int_value (builder.get (), value); }
  template <class Fill> void add_object (const char *name, Fill fill)
  {
    json_builder_set_member_name (builder.get (), name);
    add_object (fill);
  }
  template <class Fill> void add_object (Fill fill)
  {
    json_builder_begin_object (builder.get ());
    fill ();
    json_builder_end_object (builder.get ());
  }

  std::string end ()
  {
    json_builder_end_object (builder.get ());
    const std::unique_ptr<JsonNode, Deleter<json_node_unref>> root (json_builder_get_root (builder.get ()));
    return std::string (CharPtr (json_to_string (root.get (), FALSE)).get ()) + "\n";
  }

private:
  ObjectPtr<JsonBuilder> builder{json_builder_new ()};
};

Line &add_contrast (Line &line, const Contrast &contrast)
{
  if (contrast.percent)
    return line.add ("contrast", text ("%g%%:%g%%", contrast.black, contrast.white));
  return line.add_list ("contrast", std::array{contrast.black, contrast.white},
                        [&line] (double value) { line.add_number (value); });
}

} // namespace

static std::string plane_line (int number)
{
  return Line ().add ("plane", number).end ();
}

std::string answer_to (const Add &add, Board &board)
{
  return plane_line (board.add (add.plane));
}

std::string answer_to (const Move &move, Board &board)
{
  board.move (move.number, move.plane);
  return plane_line (move.number);
}

std::string answer_to (const Remove &remove, Board &board)
{
  board.remove (remove.number);
  return plane_line (remove.number);
}

std::string answer_to (const List &, Board &board)
{
  Line line;
  line.add_list ("planes", board.list (), [&line] (const auto &plane) {
    line.add_object ([&] { line.add ("plane", plane.first).add ("at", plane.second); });
  });
  line.add_number ("axis", board.axis ());
  if (const auto found = board.found_axis ())
    line.add_object ("found-axis", [&] {
      line.add_number ("column", found->column)
          .add_number ("deviation", found->deviation)
          .add ("projections", found->projections)
          .add_boolean ("settled", found->settled);
    });
  return add_contrast (line, board.contrast ()).end ();
}

std::string answer_to (const SetAxis &axis, Board &board)
{
  board.set_axis (axis.column);
  return Line ().add_number ("axis", board.axis ()).end ();
}

std::string answer_to (const SetContrast &contrast, Board &board)
{
  board.set_contrast (contrast.contrast);
  Line line;
  return add_contrast (line, contrast.contrast).end ();
}

std::string picture_line (const SentPicture &sent)
{
  const auto &picture = sent.picture;
  const auto &axes = picture.block.format ().axes;
  Line line;
  line.add ("plane", sent.number)
      .add ("at", picture.plane)
      .add ("version", picture.version)
      .add ("projections", picture.projections)
      .add ("last-projection", picture.last)
      .add_list ("shape", std::array{axes[1].extent, axes[2].extent}, [&line] (int64_t n) { line.add_integer (n); })
      .add ("type", std::string (sent.grey ? "u8" : "f32"));
  if (sent.grey)
    line.add_list ("values", std::array{sent.range.black, sent.range.white},
                   [&line] (double value) { line.add_number (value); });
  return line.add ("bytes", static_cast<int64_t> (sent.bytes ().size ())).end ();
}

std::string nothing_line (int number)
{
  return Line ().add ("plane", number).add ("bytes", 0).end ();
}

std::string error_line (const Error &error)
{
  Line line;
  line.add ("error", std::string (error.what ()));
  if (const auto *named = dynamic_cast<const NamedError *> (&error); named && !named->property.empty ())
    line.add ("field", named->property);
  return line.end ();
}

std::string ended_line (const std::string &why)
{
  Line line;
  line.add_boolean ("ended", true);
  if (!why.empty ())
    line.add ("error", why);
  return line.end ();
}

} // namespace sino::live
