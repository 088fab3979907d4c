// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/verify.hpp"
#include "base/cancellation.hpp"
#include "base/error.hpp"
#include "base/files/paths.hpp"
#include "base/pointers.hpp"
#include "base/threads.hpp"
#include "formats/open.hpp"
#include <algorithm>
#include <atomic>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <numeric>
#include <set>
#include <unistd.h>

namespace sino::formats {

namespace {

constexpr int64_t piece_bytes = 4 << 20; // bytes read at a time
constexpr int most_threads = 4;          // more threads do not read a disk faster

int64_t line_bytes (const Stack &stack)
{
  return stack.columns * static_cast<int64_t> (pixel (stack));
}

std::vector<int64_t> numbers_of (Interval interval)
{
  std::vector<int64_t> numbers (static_cast<size_t> (interval.size ()));
  std::iota (numbers.begin (), numbers.end (), interval.begin);
  return numbers;
}

// Adds pages that lie in one unit.
void add_unit (const Stack &stack, Interval pages, Checksums &sums)
{
  const auto bytes = line_bytes (stack), units = piece_bytes / (stack.unit.lines * pages.size () * bytes);
  const auto high = std::max<int64_t> (units, 1) * stack.unit.lines;
  const auto some = numbers_of (pages), columns = numbers_of ({0, stack.columns});
  std::vector<std::byte> pixels;
  for (int64_t top = 0; top < stack.lines; top += high) {
    step_unless_cancelled ();
    const Interval lines{top, std::min (top + high, stack.lines)};
    pixels.resize (static_cast<size_t> (pages.size () * lines.size () * bytes));
    stack.read ({some, numbers_of (lines), columns}, pixels.data (), {});
    sums.add (pages, lines, pixels.data (), lines.size () * bytes);
  }
}

std::shared_ptr<const Stack> open_stack (const std::string &path)
{
  std::vector<std::string> messages;
  return open_images ("path", path, messages)->stack;
}

// Opens an output with the format that reads it, or with the one that wrote it.
std::shared_ptr<const Stack> open_written (const std::string &path, const KeptChecksums::Whole &whole)
{
  for (const auto *format : registered<WritingFormat> ())
    if (format->written && has_suffix (path, format->suffixes))
      return format->written (path, whole.element, {whole.images, whole.lines, whole.columns});
  return open_stack (path);
}

std::string extent_text (int64_t images, int64_t lines, int64_t columns, Element element)
{
  return text ("%lld images of %lld x %lld %s", static_cast<long long> (images), static_cast<long long> (columns),
               static_cast<long long> (lines), name_of (element));
}

void verify_whole (const KeptChecksums::Whole &whole, Verified &found)
{
  found.all = static_cast<int64_t> (whole.size ());
  const auto stack = open_written (found.output, whole);
  if (stack->element != whole.element || stack->pages != whole.images || stack->lines != whole.lines ||
      stack->columns != whole.columns)
    fail (SINO_ERROR_BAD_FILE, "'%s' has %s, but %s were written", found.output.c_str (),
          extent_text (stack->pages, stack->lines, stack->columns, stack->element).c_str (),
          extent_text (whole.images, whole.lines, whole.columns, whole.element).c_str ());
  Checksums sums (whole.of, whole.images, whole.lines, line_bytes (*stack));
  const auto together = stack->unit.pages;
  in_threads (divide_up (stack->pages, together), [&] (int64_t i) {
    add_unit (*stack, {i * together, std::min ((i + 1) * together, stack->pages)}, sums);
  });
  for (int64_t i = 0; i < found.all; i++)
    if (const auto &sum = whole.sums[static_cast<size_t> (i)]; !sum)
      found.missing.push_back (std::to_string (i));
    else if (sums.at (i) == sum)
      found.right++;
    else
      found.wrong.push_back (std::to_string (i));
}

void verify_files (const std::map<std::string, uint32_t> &files, Verified &found)
{
  found.all = std::ssize (files);
  const std::vector<std::pair<std::string, uint32_t>> list (files.begin (), files.end ());
  enum class State : uint8_t { missing, wrong, right };
  std::vector<State> states (list.size ());
  const auto folder = folder_of (found.output);
  in_threads (found.all, [&] (int64_t i) {
    const auto &[name, sum] = list[static_cast<size_t> (i)];
    auto &state = states[static_cast<size_t> (i)];
    const auto path = text ("%s/%s", folder.c_str (), name.c_str ());
    if (access (path.c_str (), F_OK) != 0 && errno == ENOENT)
      return;
    state = checksum_of_image (path) == sum ? State::right : State::wrong;
  });
  for (size_t i = 0; i < list.size (); i++)
    if (states[i] == State::right)
      found.right++;
    else
      (states[i] == State::wrong ? found.wrong : found.missing).push_back (list[i].first);
}

// The format that stores checksums inside an output of this name; the file may be from another program.
const WritingFormat *keeping_inside (const std::string &path)
{
  using std::filesystem::file_type;
  for (const auto *format : registered<WritingFormat> ())
    if (std::error_code ignored; format->kept && has_suffix (path, format->suffixes) &&
                                 std::filesystem::status (path, ignored).type () ==
                                     (format->replaceable ? file_type::directory : file_type::regular))
      return format;
  return nullptr;
}

std::optional<KeptChecksums> kept_of (const std::string &output)
{
  if (const auto *format = keeping_inside (output))
    if (auto inside = format->kept (output))
      return inside;
  return find_checksums (checksums_path (output));
}

bool opens (const std::string &path)
{
  try {
    open_stack (path);
    return true;
  } catch (const Error &) {
    return false;
  }
}

// Like kept_of (), for a file found in a folder. If it cannot be opened, it may be from another program.
std::optional<KeptChecksums> kept_of_found (const std::string &output)
{
  try {
    return kept_of (output);
  } catch (const Error &) {
    if (are_checksums (checksums_path (output)) || opens (output))
      throw;
    return {};
  }
}

// Compares an output with the checksums that `find` returns for it; none if there are no checksums.
using FindChecksums = std::function<std::optional<KeptChecksums> (const std::string &output)>;
std::optional<Verified> verify_one (const std::string &output, const FindChecksums &find)
{
  Verified found{output, name_of (Checksums::Of::images)};
  try {
    const auto kept = find (output);
    if (!kept)
      return {};
    if (kept->whole) {
      found.kind = name_of (kept->whole->of);
      verify_whole (*kept->whole, found);
    } else
      verify_files (kept->files, found);
  } catch (const Error &error) {
    found.why = error.what ();
    found.right = 0;
    found.all = std::max<int64_t> (found.all, 1);
  }
  return found;
}

// Entries of a folder, and of its subfolders, that may have checksums.
std::set<std::string> outputs_in (const std::string &folder, bool deeper)
{
  std::set<std::string> list;
  const auto names = names_in (folder);
  if (names.error != 0)
    fail_file ("cannot read", folder, names.error);
  const auto suffix = checksums_path ("");
  for (const auto &name : names.list) {
    const auto path = text ("%s/%s", folder.c_str (), name.c_str ());
    std::error_code ignored;
    if (name.ends_with (suffix) && are_checksums (path))
      list.insert (path.substr (0, path.size () - suffix.size ()));
    else if (keeping_inside (path))
      list.insert (path);
    else if (deeper && std::filesystem::is_directory (std::filesystem::symlink_status (path, ignored)))
      list.merge (outputs_in (path, false));
  }
  return list;
}

} // namespace

void add_pixels (const Stack &stack, Checksums &sums)
{
  for (int64_t page = 0; page < stack.pages; page += stack.unit.pages)
    add_unit (stack, {page, std::min (page + stack.unit.pages, stack.pages)}, sums);
}

bool is_read (const std::string &path)
{
  return format_of_bytes (Descriptor (path, O_RDONLY)) || format_of_suffix (path);
}

std::optional<uint32_t> checksum_of_image (const std::string &path)
{
  try {
    const auto stack = open_stack (path);
    if (stack->pages != 1)
      return {};
    Checksums sums (Checksums::Of::images, 1, stack->lines, line_bytes (*stack));
    add_pixels (*stack, sums);
    return sums.at (0);
  } catch (const Error &error) {
    if (error.code != SINO_ERROR_BAD_FILE)
      throw;
    return {};
  }
}

void in_threads (int64_t n, const std::function<void (int64_t)> &work)
{
  const auto *monitor = worked_for ();
  std::atomic<int64_t> next = 0;
  std::mutex mutex;
  std::exception_ptr error;
  const auto strand = [&] {
    std::optional<WorkingFor> scope;
    if (monitor)
      scope.emplace (*monitor);
    try {
      for (auto i = next++; i < n; i = next++)
        work (i);
    } catch (...) {
      const std::lock_guard guard (mutex);
      next = n;
      error = error ? error : std::current_exception ();
    }
  };
  {
    std::vector<std::thread> threads;
    const AtEnd end ([&] {
      for (auto &thread : threads)
        thread.join ();
    });
    for (int64_t i = 1; i < std::min<int64_t> (n, most_threads); i++)
      add_thread (threads, strand);
    strand ();
  }
  if (error)
    std::rethrow_exception (error);
}

void add_pixels (const PlainPixels &plain, const std::vector<Rows> &rows, Checksums &sums)
{
  std::deque<Descriptor> files; // a Descriptor cannot be moved
  for (const auto &file : plain.files)
    files.emplace_back (file.path, O_RDONLY);
  const auto n = std::ssize (files);
  const bool of_images = sums.of == Checksums::Of::images;
  const std::vector<Interval> all_pages{{0, plain.pages}}, all_lines{{0, plain.lines}};
  const auto high = std::max<int64_t> (piece_bytes / plain.line_bytes, 1);
  std::vector<std::byte> pixels (static_cast<size_t> (std::min (high, plain.lines) * plain.line_bytes));
  for (const auto pages : of_images ? rows : all_pages)
    for (auto page = pages.begin; page < pages.end; page++)
      for (const auto lines : of_images ? all_lines : rows)
        for (auto top = lines.begin; top < lines.end; top += high) {
          step_unless_cancelled ();
          const Interval some{top, std::min (top + high, lines.end)};
          const auto bytes = some.size () * plain.line_bytes;
          const auto i = static_cast<size_t> (page % n);
          files[i].read (pixels.data (), static_cast<size_t> (bytes),
                         plain.files[i].first_pixel + (page / n * plain.lines + top) * plain.line_bytes);
          sums.add ({page, page + 1}, some, pixels.data (), bytes);
        }
}

void verify (const std::string &path, const std::function<void (const Verified &)> &told)
{
  auto name = path;
  while (name.size () > 1 && name.ends_with ('/'))
    name.pop_back ();
  const auto suffix = checksums_path ("");
  if (name.ends_with (suffix) && are_checksums (name))
    name.resize (name.size () - suffix.size ());
  if (const auto found = verify_one (name, kept_of))
    return told (*found);
  std::error_code ignored;
  if (std::filesystem::is_directory (name, ignored)) {
    bool some = false;
    for (const auto &output : outputs_in (name, true))
      if (const auto found = verify_one (output, kept_of_found)) {
        some = true;
        told (*found);
      }
    if (some)
      return;
  } else
    for (const auto &output : outputs_in (folder_of (name), false))
      if (const auto all = find_checksums (checksums_path (output)); all && all->files.contains (file_name (name)))
        return told (*verify_one (output, [&] (const auto &) {
          KeptChecksums one;
          one.files = {*all->files.find (file_name (name))};
          return std::optional (std::move (one));
        }));
  if (access ((name + ".journal").c_str (), F_OK) == 0)
    fail (SINO_ERROR_NOT_FOUND, "the run that writes '%s' is unfinished: continue it with --resume", path.c_str ());
  FileStamp stamp;
  if (!find_stamp (name, stamp))
    fail_file ("cannot verify", path, ENOENT);
  fail (SINO_ERROR_NOT_FOUND,
        "'%s' has no checksums; 'write' stores them in HDF5 and OME-Zarr, and for other files in a file that ends in "
        "'%s'",
        path.c_str (), suffix.c_str ());
}

} // namespace sino::formats
