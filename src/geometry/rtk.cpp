// SPDX-License-Identifier: LGPL-3.0-or-later
// RTK rotates the object about its y axis (IEC 61217): seen from the gantry at angle 0, x runs along the columns, y
// along the rows and z towards the source. Here x is RTK's x, y is RTK's -z and z is RTK's y, so that angles have the
// other sign.
#include "geometry/rtk.hpp"
#include "base/angle.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>

namespace sino {

namespace {

struct Gantry {
  double source_isocenter = 0, source_detector = 0, gantry = 0, source_x = 0, source_y = 0, projection_x = 0,
         projection_y = 0, in_plane = 0, out_of_plane = 0, radius = 0;
};

constexpr std::pair<const char *, double Gantry::*> elements[] = {
    {"SourceToIsocenterDistance", &Gantry::source_isocenter},
    {"SourceToDetectorDistance", &Gantry::source_detector},
    {"GantryAngle", &Gantry::gantry},
    {"SourceOffsetX", &Gantry::source_x},
    {"SourceOffsetY", &Gantry::source_y},
    {"ProjectionOffsetX", &Gantry::projection_x},
    {"ProjectionOffsetY", &Gantry::projection_y},
    {"InPlaneAngle", &Gantry::in_plane},
    {"OutOfPlaneAngle", &Gantry::out_of_plane},
    {"RadiusCylindricalDetector", &Gantry::radius},
};

// Converts a vector from detector to object coordinates: undoes RTK's rotation Rz(-in-plane) Rx(-out-of-plane)
// Ry(-gantry), then changes to the axes used here.
Vector to_object (const Gantry &g, Vector v)
{
  const auto turn = [] (double &a, double &b, double t) { // rotates from axis a towards axis b
    const double before = a;
    a = std::cos (t) * a - std::sin (t) * b;
    b = std::sin (t) * before + std::cos (t) * b;
  };
  turn (v.x, v.y, radians (g.in_plane));
  turn (v.y, v.z, radians (g.out_of_plane));
  turn (v.z, v.x, radians (g.gantry));
  return {v.x, -v.z, v.y};
}

View view_of (const Gantry &g, const Panel &panel)
{
  const bool parallel = g.source_detector == 0;
  const Vector source{g.source_x, g.source_y, g.source_isocenter}, along{0, 0, -1};
  const double left = g.projection_x - panel.column.value_or (panel.middle_column ()) * panel.pixel,
               top = g.projection_y - panel.row.value_or (panel.middle_row ()) * panel.pixel;
  const Vector corner{left, top, parallel ? 0 : g.source_isocenter - g.source_detector};
  return {.parallel = parallel,
          .source = to_object (g, parallel ? along : source),
          .corner = to_object (g, corner),
          .column = to_object (g, {panel.pixel, 0, 0}),
          .row = to_object (g, {0, panel.pixel, 0})};
}

// Throws if the matrix of a projection does not fit its other numbers; RTK does so, too.
void check_matrix (const Gantry &g, const View &view, const Panel &panel, const std::vector<double> &m)
{
  const double reach = std::max (std::abs (g.source_isocenter) / 4, panel.pixel);
  for (const Vector &p : {Vector{0, 0, 0}, {reach, 0, 0}, {0, reach, 0}, {0, 0, reach}}) {
    const auto line = [&] (size_t i) {
      return m[4 * i] * p.x + m[4 * i + 1] * p.y + m[4 * i + 2] * p.z + m[4 * i + 3];
    };
    const auto spot = project (matrix_of (view), {p.x, -p.z, p.y});
    const double column = (spot.column - panel.column.value_or (panel.middle_column ())) * panel.pixel,
                 row = (spot.row - panel.row.value_or (panel.middle_row ())) * panel.pixel;
    const double off = std::hypot (line (0) / line (2) - column, line (1) / line (2) - row);
    if (!(off <= 1e-3 * (panel.pixel + std::abs (column) + std::abs (row))))
      fail (SINO_ERROR_BAD_FILE, "the matrix does not fit the distances, offsets and angles");
  }
}

class Reader
{
public:
  Reader (const Panel &p, int64_t n) : panel (p), projections (n) {}

  std::vector<View> read (const std::string &xml)
  {
    static constexpr GMarkupParser callbacks = {
        .start_element =
            [] (GMarkupParseContext *context, const gchar *name, const gchar **keys, const gchar **values,
                gpointer self, GError **error) {
              guarded (context, self, error, [&] (Reader &reader) {
                for (; *keys; keys++, values++)
                  reader.check_version (name, *keys, *values);
                reader.begin (name);
              });
            },
        .end_element =
            [] (GMarkupParseContext *context, const gchar *name, gpointer self, GError **error) {
              guarded (context, self, error, [&] (Reader &reader) { reader.end (name); });
            },
        .text =
            [] (GMarkupParseContext *context, const gchar *text, gsize length, gpointer self, GError **error) {
              guarded (context, self, error, [&] (Reader &reader) { reader.content.append (text, length); });
            },
        .passthrough = nullptr,
        .error = nullptr,
    };
    const std::unique_ptr<GMarkupParseContext, Deleter<g_markup_parse_context_free>> context (
        g_markup_parse_context_new (&callbacks, G_MARKUP_DEFAULT_FLAGS, this, nullptr));
    GError *error = nullptr;
    const bool good = g_markup_parse_context_parse (context.get (), xml.data (), std::ssize (xml), &error) &&
                      g_markup_parse_context_end_parse (context.get (), &error);
    const ErrorPtr owned (error);
    if (failure)
      std::rethrow_exception (failure);
    if (!good)
      fail (SINO_ERROR_BAD_FILE, "not XML: %s", owned->message);
    return std::move (views);
  }

private:
  const Panel &panel;
  const int64_t projections;
  std::vector<View> views;
  Gantry all, own; // all: values before the first projection, for projections without their own values
  std::vector<double> matrix;
  size_t depth = 0;
  std::string content;
  std::exception_ptr failure;

  // Exceptions must not pass through GLib.
  template <class Body> static void guarded (GMarkupParseContext *context, gpointer self, GError **error, Body body)
  {
    auto &reader = *static_cast<Reader *> (self);
    gint line = 0, character = 0;
    g_markup_parse_context_get_position (context, &line, &character);
    if (character <= 1) // the position is after the line break
      line--;
    try {
      try {
        body (reader);
      } catch (const Error &what) {
        fail (what.code, "line %d: %s", line, what.what ());
      }
    } catch (...) {
      reader.failure = std::current_exception ();
      g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "");
    }
  }

  void begin (std::string_view name)
  {
    step_unless_cancelled ();
    if (depth == 0 && name != "RTKThreeDCircularGeometry")
      fail (SINO_ERROR_BAD_FILE, "the file must have RTKThreeDCircularGeometry, not %.40s",
            std::string (name).c_str ());
    depth++;
    content.clear ();
    if (name == "Projection") {
      if (depth != 2)
        fail (SINO_ERROR_BAD_FILE, "a Projection inside another element than RTKThreeDCircularGeometry");
      own = all;
      matrix.clear ();
    }
  }

  void end (std::string_view name)
  {
    const auto found = std::ranges::find (elements, name, &std::pair<const char *, double Gantry::*>::first);
    if (found != std::end (elements)) {
      auto &gantry = depth == 2 ? all : own; // a variable, because GCC 12 would assign to a copy
      gantry.*found->second = numbers (found->first, 1)[0];
    } else if (name == "Matrix")
      matrix = numbers ("Matrix", 12);
    else if (name == "Projection")
      add ();
    else if (depth > 1)
      check_other (name);
    depth--;
    content.clear ();
  }

  // RTK itself refuses other versions.
  static void check_version (std::string_view element, std::string_view key, const char *value)
  {
    if (element == "RTKThreeDCircularGeometry" && key == "version" && value != std::string_view ("2") &&
        value != std::string_view ("3"))
      fail (SINO_ERROR_BAD_FILE,
            "version %.40s of RTK's geometry is not supported, only 2 and 3: write it with a recent RTK", value);
  }

  // Throws on an unknown element, because its number may move source or detector. Blades of a collimator move nothing.
  static void check_other (std::string_view name)
  {
    constexpr std::string_view blades = "Collimation";
    if (name.starts_with (blades))
      return;
    std::vector<std::string> names{"Matrix", "Projection"};
    for (const auto &element : elements)
      names.emplace_back (element.first);
    fail (SINO_ERROR_BAD_FILE, "unknown element '%.40s'%s", std::string (name).c_str (),
          did_you_mean (name, names, ": ", ": leave it out if it has no effect").c_str ());
  }

  std::vector<double> numbers (const char *name, size_t wanted) const
  {
    std::vector<double> list;
    each_word (content, " \t\r\n", [&] (std::string_view word) {
      auto &number = list.emplace_back ();
      if (!parse_number (word, number) || !(std::abs (number) <= 1e12))
        fail (SINO_ERROR_BAD_FILE, "%s: '%.40s' is not a number from -1e12 to 1e12", name, std::string (word).c_str ());
    });
    if (list.size () != wanted)
      fail (SINO_ERROR_BAD_FILE, "%s: %zu numbers are needed, but there are %zu", name, wanted, list.size ());
    return list;
  }

  void add ()
  {
    if (std::ssize (views) == projections)
      fail (SINO_ERROR_BAD_FILE, "there is no projection for it, the scan has %" G_GINT64_FORMAT, projections);
    if (panel.pixel <= 0)
      fail (SINO_ERROR_BAD_PROPERTY, "the file does not give the detector pitch: set pixel-size=");
    if (own.radius != 0)
      fail (SINO_ERROR_BAD_FILE, "RadiusCylindricalDetector is %g, but must be 0, because detectors are plane",
            own.radius);
    views.push_back (view_of (own, panel));
    if (!matrix.empty ())
      check_matrix (own, views.back (), panel, matrix);
  }
};

} // namespace

std::vector<View> parse_rtk (const std::string &content, const Panel &panel, int64_t projections)
{
  auto own = panel;
  if (own.pixel <= 0)
    own.pixel = own.stated_pixel;
  return Reader (own, projections).read (content);
}

} // namespace sino
