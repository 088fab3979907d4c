// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/png/line-images.hpp"
#include "base/cancellation.hpp"
#include "base/shown.hpp"
#include "formats/files-stack.hpp"
#include <atomic>

namespace sino::files {

namespace {

// Each image is read as a whole; several images are read at once.
class LineImages final : public FilesStack
{
public:
  LineImages (const std::vector<std::string> &p, const LineFormat &f) : FilesStack (p), format (f)
  {
    for (const auto &path : paths) {
      step_unless_cancelled ();
      const Descriptor file (path, O_RDONLY);
      const auto title = in_quotes (path);
      const auto here = format.head (file, title);
      if (stamps.empty ()) {
        head = here;
        unit.lines = lines = head.lines;
        unit.columns = columns = head.columns;
      }
      require_alike (title, {here.sample}, here.lines, here.columns, {head.sample});
      stamps.push_back (file.stamp ());
      unit.stored += static_cast<double> (stamps.back ().size) / static_cast<double> (paths.size ());
    }
    samples = {head.sample, format.swapped && size_of (head.sample) > 1};
    set_samples (*this, samples);
    pages = std::ssize (paths);
    check_extents (in_quotes (name), element, pages, lines, columns);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    std::atomic<int64_t> bytes = 0;
    share_pages (*this, part, out, reading, [&] (const NextPage &next) {
      while (const auto page = next ())
        bytes += decode (static_cast<size_t> (page->number), part, page->out, reading);
    });
    reading.count (std::ssize (part.pages), bytes);
  }

  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (threads) * (format.scratch (head) + line_bytes () + 4096);
  }

private:
  const LineFormat &format;
  LineHead head{};
  Samples samples;

  size_t line_bytes () const { return static_cast<size_t> (columns) * stored_pixel; }

  // Decodes an image down to the last wanted line. Returns the number of bytes of its file.
  int64_t decode (size_t page, const Part &part, std::byte *out, const Reading &reading) const
  {
    constexpr int64_t often = 256; // lines between two checks for cancellation
    const Descriptor file (paths[page], O_RDONLY);
    file.require (stamps[page]);
    const auto reader = format.open (file, in_quotes (paths[page]));
    std::vector<std::byte> line (line_bytes ());
    auto wanted = part.lines.begin ();
    for (int64_t number = 0; wanted != part.lines.end (); number++) {
      if (number % often == 0)
        reading.check ();
      reader->line (line.data ());
      if (number != *wanted)
        continue;
      samples.take (line.data (), 0, part.columns, out);
      out += part.columns.size () * pixel (*this);
      wanted++;
    }
    if (part.lines.back () == lines - 1)
      reader->end ();
    file.require (stamps[page]);
    return stamps[page].size;
  }
};

} // namespace

std::shared_ptr<const Stack> line_images (const std::vector<std::string> &paths, const LineFormat &format)
{
  return std::make_shared<LineImages> (paths, format);
}

} // namespace sino::files
