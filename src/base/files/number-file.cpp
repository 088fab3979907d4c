// SPDX-License-Identifier: LGPL-3.0-or-later
#include "base/files/number-file.hpp"
#include "base/error.hpp"
#include "base/files/text-file.hpp"
#include "base/text.hpp"
#include <algorithm>
#include <cmath>

namespace sino {

namespace {

constexpr const char *blanks = " \t\r\n\f\v;", *plain_separators = " \t\r\n\f\v;,";

struct Line {
  int64_t number;
  std::string_view words, comment;
};

std::string content_of (const char *what, const std::string &path, int64_t count)
{
  // Leaves room for comments beside the numbers.
  return read_text (what, path, (size_t{1} << 20) + 256 * static_cast<size_t> (count));
}

// Calls `take` for each line that is not empty.
template <class Take> void each_line (std::string_view content, Take take)
{
  int64_t number = 1;
  for (size_t at = 0; at < content.size (); number++) {
    const auto end = std::min (content.find ('\n', at), content.size ());
    const auto line = content.substr (at, end - at);
    const auto hash = std::min (line.find ('#'), line.size ());
    if (line.find_first_not_of (plain_separators) != line.npos)
      take (Line{number, line.substr (0, hash), line.substr (hash)});
    at = end + 1;
  }
}

// The number of the first line with words, if none of them is a number and more lines with words follow; otherwise 0.
int64_t header_of (std::string_view content)
{
  int64_t header = 0, lines = 0;
  each_line (content, [&] (const Line &line) {
    size_t words = 0, numbers = 0;
    if (lines < 2)
      each_word (line.words, plain_separators, [&] (std::string_view word) {
        double number = 0;
        words++;
        numbers += parse_number (word, number) || g_ascii_isdigit (word[0]);
      });
    if (words > 0 && lines++ == 0 && numbers == 0 &&
        g_utf8_validate (line.words.data (), std::ssize (line.words), nullptr))
      header = line.number;
  });
  return lines > 1 ? header : 0;
}

// All numbers, and the number of them in each line.
struct Table {
  std::vector<double> numbers;
  std::vector<uint32_t> of_line;
};

// `number` gives the number of a word.
template <class Number> Table table_of (std::string_view content, int64_t header, const char *separators, Number number)
{
  Table table;
  each_line (content, [&] (const Line &line) {
    const auto begin = table.numbers.size ();
    if (line.number != header)
      each_word (line.words, separators,
                 [&] (std::string_view word) { table.numbers.push_back (number (line, word)); });
    if (table.numbers.size () > begin)
      table.of_line.push_back (static_cast<uint32_t> (table.numbers.size () - begin));
  });
  return table;
}

// Reads commas as decimal points. Empty if that gives words that are not numbers.
Table with_decimal_commas (std::string_view content, int64_t header)
{
  bool good = true;
  auto table = table_of (content, header, blanks, [&] (const Line &, std::string_view view) {
    std::string word (view);
    double number = 0;
    good = good && std::ranges::count (word, ',') <= 1 && word.find ('.') == word.npos;
    std::ranges::replace (word, ',', '.');
    good = good && parse_number (word, number);
    return number;
  });
  return good ? table : Table ();
}

// The second of two columns, if the first one counts the lines from 0 or 1; otherwise empty.
std::vector<double> without_index (const Table &table)
{
  const auto &numbers = table.numbers;
  if (numbers.empty () || (numbers[0] != 0 && numbers[0] != 1) ||
      !std::ranges::all_of (table.of_line, [] (uint32_t n) { return n == 2; }))
    return {};
  std::vector<double> second;
  for (size_t i = 0; i < numbers.size (); i += 2) {
    if (numbers[i] != numbers[0] + static_cast<double> (i / 2))
      return {};
    second.push_back (numbers[i + 1]);
  }
  return second;
}

} // namespace

// Text of the header and the comments, in lower case.
static std::string remarks_of (std::string_view content, int64_t header)
{
  std::string remarks;
  each_line (content, [&] (const Line &line) {
    if (line.number == header)
      remarks += line.words;
    remarks += line.comment;
    remarks += '\n';
  });
  return lower_case (std::move (remarks));
}

std::vector<double> read_numbers (const char *what, const char *each, const std::string &path,
                                  std::span<const int64_t> counts, double limit, std::string *remarks)
{
  const auto content = content_of (what, path, std::ranges::max (counts));
  const auto header = header_of (content);
  if (remarks)
    *remarks = remarks_of (content, header);
  auto plain = table_of (content, header, plain_separators, [&] (const Line &line, std::string_view view) {
    double number = 0;
    if (parse_number (view, number) && std::abs (number) <= limit)
      return number;
    std::string word (view);
    for (auto &letter : word) // keeps binary data of other files off the terminal
      letter = g_ascii_isprint (letter) ? letter : '.';
    fail (SINO_ERROR_BAD_FILE, "'%s' line %" G_GINT64_FORMAT ": '%.40s' is not %s", path.c_str (), line.number,
          word.c_str (), each);
  });
  const auto fits = [&] (const std::vector<double> &numbers) {
    return std::ranges::find (counts, std::ssize (numbers)) != counts.end ();
  };
  const auto commas = content.find (',') != content.npos ? with_decimal_commas (content, header) : Table ();
  const bool is_decimal = fits (commas.numbers);
  const auto columns = without_index (plain);
  if (is_decimal && (fits (plain.numbers) || fits (columns)))
    fail (SINO_ERROR_BAD_FILE,
          "'%s': its commas may be decimal commas or separators: use decimal points, or spaces between numbers",
          path.c_str ());
  if (is_decimal)
    return commas.numbers;
  for (const auto &numbers : {columns, plain.numbers, without_index (commas)})
    if (fits (numbers))
      return numbers;
  return std::move (plain.numbers);
}

} // namespace sino
