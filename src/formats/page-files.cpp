// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/page-files.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "formats/files-stack.hpp"
#include <atomic>

namespace sino::formats {

void PagesFound::add_run (const std::string &title, int64_t offset, int64_t pages)
{
  if (lines < 1 || columns < 1 || pages < 1 || offset < 0)
    fail (SINO_ERROR_BAD_FILE,
          "%s is damaged: its header describes %" G_GINT64_FORMAT " images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
          " pixels",
          title.c_str (), pages, columns, lines);
  check_extents (title, samples.element (), pages, lines, columns);
  runs.push_back ({offset, pages, lines * columns * static_cast<int64_t> (size_of (samples.type))});
}

namespace {

class PageFiles final : public FilesStack
{
public:
  PageFiles (const std::vector<std::string> &p, const FindPages &find) : FilesStack (p)
  {
    for (size_t i = 0; i < paths.size (); i++) {
      step_unless_cancelled ();
      const Descriptor file (paths[i], O_RDONLY);
      add (file, find (file, in_quotes (paths[i])), i);
    }
    set_samples (*this, samples[0]);
  }

  void read (const Part &part, std::byte *out, const Reading &reading) const override
  {
    std::atomic<int64_t> bytes = 0;
    share_pages (*this, part, out, reading, [&] (const NextPage &next) {
      Open open (*this);
      while (const auto page = next ()) {
        const auto run = std::prev (std::upper_bound (runs.begin (), runs.end (), page->number,
                                                      [] (int64_t number, const Run &r) { return number < r.first; }));
        bytes +=
            read_raw (open.file (run->file),
                      {run->place.offset + (page->number - run->first) * run->place.pitch, columns, samples[run->file]},
                      part.lines, part.columns, page->out);
      }
      open.close ();
    });
    reading.count (0, bytes);
  }

  size_t scratch (int threads) const override
  {
    return static_cast<size_t> (threads) * (raw_scratch (columns, samples[0]) + 4096);
  }
  size_t resident () const override
  {
    return FilesStack::resident () + runs.capacity () * sizeof (Run) + samples.capacity () * sizeof (Samples);
  }

private:
  struct Run {
    int64_t first; // number of its first page
    PageRun place;
    size_t file;
  };

  std::vector<Samples> samples; // per file, as the byte order may differ
  std::vector<Run> runs;

  void add (const Descriptor &file, const PagesFound &found, size_t number)
  {
    const auto title = in_quotes (paths[number]);
    if (found.runs.empty ())
      fail (SINO_ERROR_BAD_FILE, "%s has no images", title.c_str ());
    if (number == 0) {
      lines = found.lines;
      columns = found.columns;
    }
    require_alike (title, found.samples, found.lines, found.columns, number > 0 ? samples[0] : found.samples);
    const auto stamp = file.stamp ();
    for (const auto &run : found.runs) {
      check_extents (title, found.samples.element (), pages + run.pages, found.lines, found.columns);
      check_inside (title, found, run, stamp.size);
      runs.push_back ({pages, run, number});
      pages += run.pages;
    }
    stamps.push_back (stamp);
    samples.push_back (found.samples);
  }

  // Extents are checked, so that no product here is larger than 2^62.
  static void check_inside (const std::string &title, const PagesFound &found, const PageRun &run, int64_t size)
  {
    const auto page = found.lines * found.columns * static_cast<int64_t> (size_of (found.samples.type));
    const auto bytes = (run.pages - 1) * run.pitch + page;
    if (run.offset > size || bytes > size - run.offset)
      fail (SINO_ERROR_BAD_FILE,
            "%s is truncated: its %" G_GINT64_FORMAT " images of %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
            " pixels (%s) end at byte %" G_GINT64_FORMAT ", the file has %" G_GINT64_FORMAT,
            title.c_str (), run.pages, found.columns, found.lines, name_of (found.samples.type),
            run.offset > INT64_MAX - bytes ? INT64_MAX : run.offset + bytes, size);
  }
};

} // namespace

std::string quoted (std::string word)
{
  word.resize (std::min<size_t> (word.size (), 40));
  std::replace_if (
      word.begin (), word.end (), [] (char c) { return !g_ascii_isprint (c); }, '.');
  return in_quotes (word);
}

std::shared_ptr<const Stack> open_pages (const std::vector<std::string> &paths, const FindPages &find)
{
  return std::make_shared<PageFiles> (paths, find);
}

} // namespace sino::formats
