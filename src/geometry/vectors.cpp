// SPDX-License-Identifier: LGPL-3.0-or-later
#include "geometry/vectors.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

static constexpr const char *names[] = {"cone_vec", "parallel3d_vec", "matrices"};
static constexpr double largest = 1e12; // larger numbers cannot be lengths or products of lengths

const char *name_of (Twelve kind)
{
  return names[static_cast<size_t> (kind)];
}

Twelve twelve_named (std::string_view name)
{
  for (const auto kind : {Twelve::cone_vec, Twelve::parallel3d_vec, Twelve::matrices})
    if (name == name_of (kind))
      return kind;
  fail (SINO_ERROR_BAD_FILE, "it must be cone_vec, parallel3d_vec or matrices, not '%.40s'",
        std::string (name).c_str ());
}

std::vector<View> views_of (Twelve kind, std::span<const double> numbers, const Panel &panel)
{
  std::vector<View> views;
  for (size_t i = 0; i + 12 <= numbers.size (); i += 12) {
    const auto *n = &numbers[i];
    if (kind == Twelve::matrices) {
      Matrix matrix;
      for (size_t j = 0; j < 12; j++)
        matrix[j / 4][j % 4] = n[j];
      try {
        views.push_back (view_of (matrix, panel.pixel > 0 ? panel.pixel : 1));
      } catch (const Error &error) {
        fail (SINO_ERROR_BAD_FILE, "projection %zu: %s", i / 12, error.what ());
      }
      continue;
    }
    const Vector source{n[0], n[1], n[2]}, middle{n[3], n[4], n[5]}, column{n[6], n[7], n[8]}, row{n[9], n[10], n[11]};
    const auto corner = middle - panel.middle_column () * column - panel.middle_row () * row;
    views.push_back ({kind == Twelve::parallel3d_vec, source, corner, column, row});
  }
  return views;
}

std::vector<double> numbers_of (std::span<const View> views, const Panel &panel)
{
  std::vector<double> numbers;
  for (const auto &view : views) {
    const auto middle = view.corner + panel.middle_column () * view.column + panel.middle_row () * view.row;
    for (const auto &v : {view.source, middle, view.column, view.row})
      numbers.insert (numbers.end (), {v.x, v.y, v.z});
  }
  return numbers;
}

std::vector<View> parse_vectors (const std::string &content, const Panel &panel, int64_t projections)
{
  std::vector<double> numbers;
  const char *const wanted = "the first line must give the kind of numbers: cone_vec, parallel3d_vec or matrices";
  std::optional<Twelve> kind;
  size_t line = 0;
  for (size_t at = 0; at < content.size ();) {
    if (++line % 1024 == 0)
      step_unless_cancelled ();
    const auto end = std::min (content.find ('\n', at), content.size ());
    std::vector<std::string> words;
    each_word (std::string_view (content).substr (at, end - at), " \t\r\f\v,;",
               [&] (std::string_view word) { words.emplace_back (word); });
    at = end + 1;
    if (!kind && !words.empty ()) {
      if (words[0] == "#")
        words.erase (words.begin ());
      if (words.size () != 1)
        fail (SINO_ERROR_BAD_FILE, "line %zu: %s", line, wanted);
      const auto &word = words[0];
      const auto found = std::find (std::begin (names), std::end (names), word.substr (word.starts_with ('#')));
      if (found == std::end (names))
        fail (SINO_ERROR_BAD_FILE, "line %zu: '%.40s': %s", line, word.c_str (), wanted);
      kind = static_cast<Twelve> (found - std::begin (names));
      continue;
    }
    if (words.empty () || words[0].starts_with ('#'))
      continue;
    if (words.size () != 12)
      fail (SINO_ERROR_BAD_FILE, "line %zu: 12 numbers are needed, but there are %zu words", line, words.size ());
    if (std::ssize (numbers) == 12 * projections)
      fail (SINO_ERROR_BAD_FILE, "line %zu: there is no projection for it, the scan has %" G_GINT64_FORMAT, line,
            projections);
    for (const auto &word : words) {
      double number = 0;
      if (!parse_number (word, number) || !(std::abs (number) <= largest))
        fail (SINO_ERROR_BAD_FILE, "line %zu: '%.40s' is not a number from -1e12 to 1e12", line, word.c_str ());
      numbers.push_back (number);
    }
  }
  if (!kind)
    fail (SINO_ERROR_BAD_FILE, "%s", wanted);
  if (kind != Twelve::matrices && panel.pixel > 0)
    fail (SINO_ERROR_BAD_PROPERTY, "the file gives the size of a pixel: leave pixel-size= out");
  if (panel.column || panel.row)
    fail (SINO_ERROR_BAD_PROPERTY, "the file gives the position of the detector: leave axis= and middle-row= out");
  return views_of (*kind, numbers, panel);
}

} // namespace sino
