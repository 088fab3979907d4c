// SPDX-License-Identifier: LGPL-3.0-or-later
#include "formats/checksum-file.hpp"
#include "base/error.hpp"
#include "base/files/input-file.hpp"
#include "base/files/paths.hpp"
#include "base/shown.hpp"
#include "formats/crc.hpp"
#include "formats/descriptor.hpp"
#include "formats/sample.hpp"
#include "formats/stack.hpp"
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

namespace sino::formats {

namespace {

constexpr std::string_view head = "Sinograph checksums 1\n";
constexpr size_t most_bytes = size_t{1} << 28;

// Writes text to a file piece by piece, with a checksum over all of it.
class Writer
{
public:
  explicit Writer (const Temporary &file) : out (file.path (), O_WRONLY, file.final_path ()) { text += head; }

  void add (uint32_t of_it, const std::string &what) { add (sino::text ("%08x ", of_it) + what); }
  void add (const std::string &line)
  {
    text += line + "\n";
    if (text.size () >= piece)
      flush ();
  }
  void end ()
  {
    flush ();
    text = sino::text ("end %08x\n", sum);
    flush ();
    out.sync ();
  }

private:
  static constexpr size_t piece = 65536;
  Descriptor out;
  std::string text;
  int64_t written = 0;
  uint32_t sum = 0; // over the text written so far

  void flush ()
  {
    const auto *bytes = reinterpret_cast<const std::byte *> (text.data ());
    out.expect (written + std::ssize (text), true);
    out.write (bytes, text.size (), written);
    sum = CrcShift (text.size ()) (sum) ^ crc_of (bytes, text.size ());
    written += std::ssize (text);
    text.clear ();
  }
};

std::optional<KeptChecksums::Whole> whole_of (std::string_view line, const std::string &title)
{
  using enum Checksums::Of;
  const auto words = split (line, ' ');
  KeptChecksums::Whole whole;
  if (words.size () != 5 || (words[0] != name_of (images) && words[0] != name_of (rows)))
    return {};
  whole.of = words[0] == name_of (images) ? images : rows;
  const auto element = sample_named (words[1]);
  if (!element || !in_streams (*element) || !parse_integer (words[2], whole.images) ||
      !parse_integer (words[3], whole.lines) || !parse_integer (words[4], whole.columns))
    return {};
  whole.element = element_of (*element);
  check_extents (title, whole.element, whole.images, whole.lines, whole.columns);
  whole.sums.resize (whole.size ());
  return whole;
}

// The text before the last line if the checksum in the last line is right; otherwise nothing.
std::string_view content_of (std::string_view text)
{
  constexpr size_t last = std::string_view ("end 01234567\n").size ();
  uint32_t sum = 0;
  if (!text.starts_with (head) || text.size () < head.size () + last)
    return {};
  const auto content = text.substr (0, text.size () - last), end = text.substr (text.size () - last);
  if (!end.starts_with ("end ") || !end.ends_with ('\n') || !parse_checksum (end.substr (4, 8), sum) ||
      sum != crc_of (reinterpret_cast<const std::byte *> (content.data ()), content.size ()))
    return {};
  return content.substr (head.size ());
}

bool take_line (KeptChecksums &all, std::string_view line)
{
  uint32_t sum = 0;
  if (line.size () < 10 || line[8] != ' ' || !parse_checksum (line.substr (0, 8), sum))
    return false;
  const auto rest = line.substr (9);
  int64_t place = 0;
  if (!all.whole) {
    const std::string name = unescaped (rest);
    return name.find ('/') == name.npos && all.files.emplace (name, sum).second;
  }
  if (!parse_integer (rest, place) || place < 0 || place >= std::ssize (all.whole->sums))
    return false;
  all.whole->sums[static_cast<size_t> (place)] = sum;
  return true;
}

} // namespace

const char *name_of (Checksums::Of of)
{
  return of == Checksums::Of::rows ? "rows" : "images";
}

bool parse_checksum (std::string_view word, uint32_t &sum)
{
  const auto read = std::from_chars (word.data (), word.data () + word.size (), sum, 16);
  return word.size () == 8 && read.ec == std::errc () && read.ptr == word.data () + word.size ();
}

std::string checksums_path (const std::string &output)
{
  return output + ".sums";
}

bool are_checksums (const std::string &path)
{
  const OpenFile file (open (path.c_str (), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file < 0 && errno == ENOENT)
    return false;
  if (file < 0)
    fail_file ("cannot read", path, errno);
  char text[head.size ()];
  const auto got = pread (file, text, sizeof text, 0);
  return got >= 0 && head == std::string_view (text, static_cast<size_t> (got));
}

std::optional<KeptChecksums> find_checksums (const std::string &path)
{
  if (!are_checksums (path))
    return {};
  const auto text = read_input ("the checksums", path, most_bytes);
  const auto damaged = [&] {
    fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: it has no checksums to compare with", path.c_str ());
  };
  auto content = content_of (text);
  if (content.empty ())
    damaged ();
  KeptChecksums all;
  const auto take = [&content] {
    const auto end = std::min (content.find ('\n'), content.size () - 1);
    const auto line = content.substr (0, end);
    content.remove_prefix (end + 1);
    return line;
  };
  if (const auto first = take (); first != "files" && !(all.whole = whole_of (first, in_quotes (path))))
    damaged ();
  while (!content.empty ())
    if (!take_line (all, take ()))
      damaged ();
  return all;
}

ChecksumFile::ChecksumFile (const std::string &path, const KeptChecksums &all) : file (path)
{
  Writer out (file);
  if (const auto &whole = all.whole) {
    out.add (text ("%s %s %lld %lld %lld", formats::name_of (whole->of), name_of (whole->element),
                   static_cast<long long> (whole->images), static_cast<long long> (whole->lines),
                   static_cast<long long> (whole->columns)));
    for (size_t i = 0; i < whole->sums.size (); i++)
      if (whole->sums[i])
        out.add (*whole->sums[i], std::to_string (i));
  } else {
    out.add ("files");
    for (const auto &[name, sum] : all.files)
      out.add (sum, escaped (name));
  }
  out.end ();
}

} // namespace sino::formats
