// SPDX-License-Identifier: LGPL-3.0-or-later
// Each line begins with a checksum of the rest, so that an incomplete line is recognised.
#include "base/files/journal.hpp"
#include "base/digest.hpp"
#include "base/files/claim.hpp"
#include "base/files/input-file.hpp"
#include "base/files/paths.hpp"
#include "base/files/pending.hpp"
#include <cerrno>
#include <fcntl.h>

namespace sino {

namespace {

constexpr std::string_view head = "Sinograph journal 1\n";
constexpr size_t most_bytes = size_t{16} << 20, sum_digits = 16;

// The content of a line after its checksum and a blank; none if the line is incomplete.
std::optional<std::string> content_of (std::string_view line)
{
  if (line.size () <= sum_digits || line[sum_digits] != ' ')
    return {};
  const auto content = line.substr (sum_digits + 1);
  if (digest_of (content) != line.substr (0, sum_digits))
    return {};
  return std::string (content);
}

} // namespace

std::optional<JournalLines> read_journal (const std::string &path)
{
  if (access (path.c_str (), F_OK) != 0 && errno == ENOENT)
    return {};
  const auto text = read_input ("the journal", path, most_bytes);
  JournalLines found;
  if (!text.starts_with (head)) {
    if (head.starts_with (text)) // the machine stopped while the first line was written
      return found;
    fail (SINO_ERROR_BAD_FILE, "'%s' is not the journal of a run: remove it, or give path= another name",
          path.c_str ());
  }
  found.bytes = head.size ();
  for (size_t end; (end = text.find ('\n', found.bytes)) != text.npos; found.bytes = end + 1) {
    auto line = content_of (std::string_view (text).substr (found.bytes, end - found.bytes));
    if (!line)
      break; // the machine stopped before this line was complete
    found.lines.push_back (std::move (*line));
  }
  for (size_t begin = found.bytes, end; (end = text.find ('\n', begin)) != text.npos; begin = end + 1)
    if (content_of (std::string_view (text).substr (begin, end - begin)))
      fail (SINO_ERROR_BAD_FILE, "'%s' is damaged: remove it to start again", path.c_str ());
  return found;
}

bool is_journal (const std::string &path)
{
  const OpenFile file (open (path.c_str (), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (file < 0)
    return false;
  char text[head.size ()];
  const auto got = pread (file, text, sizeof text, 0);
  return got >= 0 && head.starts_with (std::string_view (text, static_cast<size_t> (got)));
}

// Delegated to, so that the destructor runs if another constructor throws after it.
Journal::Journal (OpenFile f, std::string p, Stays s) : path (std::move (p)), stays (s), file (std::move (f)) {}

static OpenFile create (const std::string &path, bool goes)
{
  auto &pending = Pending::get ();
  const auto guard = pending.lock ();
  auto file = create_claimed (path);
  if (file < 0)
    fail_file ("cannot create", path, errno);
  if (goes)
    pending.files.insert (path);
  return file;
}

static OpenFile take_up (const std::string &path)
{
  auto file = claim_existing (path);
  if (file < 0 && errno == EAGAIN)
    fail (SINO_ERROR_EXISTS, "'%s': another run is using this file", path.c_str ());
  if (file < 0)
    fail_file ("cannot write", path, errno);
  return file;
}

Journal::Journal (const std::string &p, Stays s) : Journal (create (p, s == Stays::if_killed), p, s)
{
  put (head);
  sync_folder (folder_of (path));
}

Journal::Journal (const std::string &p, const JournalLines &before) : Journal (take_up (p), p, Stays::always)
{
  if (ftruncate (file, static_cast<off_t> (before.bytes)) != 0 || lseek (file, 0, SEEK_END) < 0)
    fail_file ("cannot write", path, errno);
  if (before.bytes == 0)
    put (head);
}

Journal::~Journal ()
{
  if (stays == Stays::if_killed)
    remove ();
}

void Journal::remove ()
{
  auto &pending = Pending::get ();
  const std::lock_guard guard (pending.mutex);
  pending.files.erase (path);
  if (!pending.closed)
    unlink (path.c_str ());
}

void Journal::add (std::span<const std::string> lines)
{
  std::string bytes;
  for (const auto &line : lines)
    bytes += digest_of (line) + " " + line + "\n";
  put (bytes);
  if (fdatasync (file) != 0)
    fail_file ("cannot write", path, errno);
}

void Journal::put (std::string_view bytes) const
{
  while (!bytes.empty ()) {
    const auto put = write (file, bytes.data (), bytes.size ());
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0)
      fail_file ("cannot write", path, put == 0 ? EIO : errno);
    bytes.remove_prefix (static_cast<size_t> (put));
  }
}

} // namespace sino
