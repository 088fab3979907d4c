// SPDX-License-Identifier: LGPL-3.0-or-later
// Runs nodes one after the other on whole arrays, for tests in Python:
//   test-chain [--rows N] [--angles N] [--threads N] [--provenance JSON] [--out FILE] node key=value ... ! node ...
// Prints JSON: a line per node with its format and what it counted; or a line with the error, and fails. FILE gets the
// values of the last node's output, FILE.darks and FILE.flats those of its companions.
#include "base/error.hpp"
#include "glue/facets.hpp"
#include "tests/support/run-task.hpp"
#include <cstdio>
#include <fstream>

using namespace sino;
using namespace sino::test;

namespace {

std::string quoted (const std::string &word)
{
  std::string out = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string listed (const std::vector<double> &values)
{
  return "[" + join (values, ", ", [] (double value) { return text ("%.17g", value); }) + "]";
}

// Source or direction, corner, step to the next column, to the next row.
std::string described_view (const View &view)
{
  std::vector<double> numbers;
  for (const auto &v : {view.source, view.corner, view.column, view.row})
    numbers.insert (numbers.end (), {v.x, v.y, v.z});
  return listed (numbers);
}

std::string described (const Frames &frames)
{
  return text ("{\"element\": \"%s\", \"shape\": [%d, %d, %d], \"whole\": %s, \"positions\": ",
               name_of (frames.element), static_cast<int> (frames.count), static_cast<int> (frames.rows),
               static_cast<int> (frames.columns), frames.rows_with (0).size () == frames.rows ? "true" : "false") +
         listed (frames.positions) + "}";
}

void dump (const std::string &path, const Frames &frames)
{
  const auto row = static_cast<size_t> (frames.columns) * size_of (frames.element);
  std::vector<char> pixels (row * static_cast<size_t> (frames.rows));
  std::ofstream out (path, std::ios::binary);
  for (int64_t frame = 0; frame < frames.count; frame++) {
    const auto half = frames.rows / 2; // in two parts, so that rows are asked for as well as frames
    frames.read ({frame, frame + 1}, {0, half}, pixels.data (), {});
    frames.read ({frame, frame + 1}, {half, frames.rows}, pixels.data () + static_cast<size_t> (half) * row, {});
    out.write (pixels.data (), static_cast<std::streamsize> (pixels.size ()));
  }
}

void print (const Array &array, const Task &task, const std::map<std::string, int64_t> &counted)
{
  const auto &format = array.format;
  const auto shape = join (format.axes, ", ", [] (const Dim &dim) { return std::to_string (dim.extent); });
  const auto places = join (format.axes, ", ", [] (const Dim &dim) {
    return text ("[%d, %d]", static_cast<int> (dim.first), static_cast<int> (dim.step));
  });
  std::string out = "{\"format\": " + quoted (format.describe ()) +
                    ", \"element\": " + quoted (name_of (format.element)) + ", \"shape\": [" + shape +
                    "], \"places\": [" + places + "]";
  if (format.geometry) {
    out += ", \"angles\": " + listed (format.geometry->angles) + ", \"axis\": " + listed (format.geometry->axis);
    out += ", \"views\": [" + join (format.geometry->views, ", ", described_view) + "]";
    if (format.geometry->pixel_size)
      out += text (", \"pixel_size\": %.17g", *format.geometry->pixel_size);
  }
  if (format.companions.darks)
    out += ", \"darks\": " + described (*format.companions.darks);
  if (format.companions.flats)
    out += ", \"flats\": " + described (*format.companions.flats);
  if (task.has_output ()) {
    Bill bill;
    task.memory ({*native_device (), 1, format.rows (), {}, {}, array.bytes.size (), format.rows ()}, bill);
    out += text (", \"bytes_read\": %.17g, \"memory\": %zu",
                 facet<Reads> (task).bytes_read (format, {0, format.rows ()}), total (bill));
  }
  out += ", \"warnings\": [";
  const char *comma = "";
  for (const auto &warning : task.warnings ()) {
    out += comma + quoted (warning);
    comma = ", ";
  }
  out += text ("], \"whole\": %s, \"counters\": {", facet<Writes> (task).whole_projections () ? "true" : "false");
  comma = "";
  for (const auto &[name, n] : counted) {
    out += comma + quoted (name) + text (": %" G_GINT64_FORMAT, n);
    comma = ", ";
  }
  std::puts ((out + "}}").c_str ());
}

void run (const std::vector<std::string> &words)
{
  Cut cut;
  std::string out, provenance;
  size_t at = 0;
  for (; at + 1 < words.size () && words[at].starts_with ("--"); at += 2) {
    const auto &value = words[at + 1];
    if (words[at] == "--rows")
      cut.rows = std::stol (value);
    else if (words[at] == "--angles")
      cut.angles = std::stol (value);
    else if (words[at] == "--threads")
      cut.threads = std::stoi (value);
    else if (words[at] == "--provenance")
      provenance = value;
    else
      out = value;
  }
  Array last;
  while (at < words.size ()) {
    const auto &node = words[at++];
    std::vector<std::pair<std::string, std::string>> properties;
    for (; at < words.size () && words[at] != "!"; at++) {
      const auto equal = words[at].find ('=');
      properties.emplace_back (words[at].substr (0, equal), words[at].substr (equal + 1));
    }
    at++;
    const auto task = make_task (node, properties);
    std::vector<const Array *> inputs (task->inputs ().size (), nullptr);
    if (!inputs.empty ())
      inputs[0] = &last;
    std::map<std::string, int64_t> counted;
    facet<Writes> (*task).provenance (provenance);
    auto result = run_task (*task, inputs, cut, 1, &counted);
    print (result, *task, counted);
    if (task->has_output ())
      last = std::move (result);
  }
  if (out.empty ())
    return;
  std::ofstream (out, std::ios::binary)
      .write (reinterpret_cast<const char *> (last.bytes.data ()), static_cast<std::streamsize> (last.bytes.size ()));
  if (last.format.companions.darks)
    dump (out + ".darks", *last.format.companions.darks);
  if (last.format.companions.flats)
    dump (out + ".flats", *last.format.companions.flats);
}

} // namespace

int main (int argc, char **argv)
{
  try {
    run ({argv + 1, argv + argc});
    return 0;
  } catch (const Error &e) {
    std::puts (("{\"error\": " + quoted (e.what ()) + text (", \"code\": %d}", e.code)).c_str ());
    return 1;
  }
}
