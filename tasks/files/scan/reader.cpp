// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/scan/reader.hpp"
#include <cstring>

namespace sino::files {

Reader::Reader (std::shared_ptr<const Stack> s, std::shared_ptr<const Picks> p, Reading r)
    : stack (std::move (s)), picks (std::move (p)), reading (r)
{
}

std::vector<int64_t> choose (const std::vector<int64_t> &numbers, const Rows &places)
{
  std::vector<int64_t> list (static_cast<size_t> (places.size ()));
  for (size_t i = 0; i < list.size (); i++)
    list[i] = numbers[static_cast<size_t> (places.at (static_cast<int64_t> (i)))];
  return list;
}

void Reader::read (const Rows &pages, const Rows &lines, std::byte *out)
{
  const auto line_numbers = choose (picks->lines, lines);
  const auto page_bytes = line_numbers.size () * picks->columns.size () * pixel (*stack);
  const auto wanted = choose (picks->pages, pages);

  size_t direct = 0; // number of pages before i that can be read directly into the block
  const auto flush = [&] (size_t end) {
    if (direct < end)
      stack->read ({Numbers (wanted).subspan (direct, end - direct), line_numbers, picks->columns},
                   out + direct * page_bytes, reading);
  };
  for (size_t i = 0; i < wanted.size ();) {
    const auto number = wanted[i] / stack->unit.pages;
    const auto end = end_of_unit (wanted, i, stack->unit.pages);
    // Range of the stream's pages in this layer of chunks. If the block does not need all of them, the layer is kept
    // for later blocks.
    const auto &all = picks->pages;
    const auto first = std::ranges::lower_bound (all, number * stack->unit.pages);
    const auto last = std::lower_bound (first, all.end (), (number + 1) * stack->unit.pages);
    if (static_cast<size_t> (last - first) > end - i) {
      flush (i);
      const auto from = static_cast<size_t> (first - all.begin ());
      load_layer (number, from, static_cast<size_t> (last - all.begin ()), lines, line_numbers);
      for (auto page = i; page < end; page++) {
        const auto place = static_cast<size_t> (pages.at (static_cast<int64_t> (page))) - from;
        std::memcpy (out + page * page_bytes, layer.pixels.data () + place * page_bytes, page_bytes);
      }
      direct = end;
    }
    i = end;
  }
  flush (wanted.size ());
}

void Reader::load_layer (int64_t number, size_t first, size_t end, const Rows &lines, Numbers line_numbers)
{
  if (layer.number == number && layer.lines == lines && layer.first == first)
    return;
  layer.number = -1; // invalid while it is filled
  layer.pixels.resize ((end - first) * line_numbers.size () * picks->columns.size () * pixel (*stack));
  stack->read ({Numbers (picks->pages).subspan (first, end - first), line_numbers, picks->columns},
               layer.pixels.data (), reading);
  layer.lines = lines;
  layer.first = first;
  layer.number = number;
}

size_t Reader::layer_bytes (const Stack &stack, const Picks &picks, int64_t lines)
{
  if (stack.unit.pages == 1)
    return 0;
  size_t most = 0;
  for (size_t i = 0; i < picks.pages.size ();) {
    const auto end = end_of_unit (picks.pages, i, stack.unit.pages);
    most = std::max (most, end - i);
    i = end;
  }
  return most * static_cast<size_t> (lines) * picks.columns.size () * pixel (stack);
}

} // namespace sino::files
