// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tasks/files/hdf5/file.hpp"
#include "base/error.hpp"
#include "base/files/confinement.hpp"
#include "base/shown.hpp"
#include <algorithm>
#include <fcntl.h>

namespace sino::files {

using hdf5::Parcel;
using hdf5::Unpacker;
using hdf5::Word;

bool is_hdf5 (const Descriptor &file)
{
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  for (int64_t at = 0; at <= file.size () - std::ssize (signature); at = at == 0 ? 512 : 2 * at) {
    char start[8];
    file.read (start, sizeof start, at);
    if (std::string_view (start, sizeof start) == signature)
      return true;
  }
  return false;
}

std::string first_of (std::vector<std::string> names)
{
  constexpr size_t most = 10;
  if (names.size () > most) {
    names.resize (most);
    names.emplace_back ("...");
  }
  return join (names);
}

// The first bytes of a file, for messages if it is no HDF5 file.
static std::string beginning (const Descriptor &file)
{
  const auto n = static_cast<size_t> (std::min<int64_t> (file.size (), 16));
  std::string start (n, '\0');
  file.read (start.data (), n, 0);
  for (auto &c : start)
    if (!g_ascii_isprint (c))
      c = '.';
  return n == 0 ? "is empty" : "begins with \"" + start + "\"";
}

// Returns the path after checking that it is an HDF5 file.
static const std::string &checked (const std::string &path)
{
  const Descriptor file (path, O_RDONLY);
  if (!is_hdf5 (file))
    fail (SINO_ERROR_BAD_FILE, "'%s' is not an HDF5 file: it %s", path.c_str (), beginning (file).c_str ());
  return path;
}

Hdf5File::Hdf5File (const std::string &p, bool growing) : path (checked (p))
{
  Parcel request;
  request.put (hdf5::version);
  request.put (path);
  request.put (growing);
  const auto *confinement = Confinement::current ();
  request.put (confinement ? confinement->folder () : std::string ());
  process.ask (Word::open, request, in_quotes (path));
}

Parcel Hdf5File::named (const std::string &object) const
{
  if (object.size () > hdf5::most_request / 4)
    fail (SINO_ERROR_BAD_PROPERTY, "the name of a dataset has %zu bytes: no file has such a long name", object.size ());
  Parcel request;
  request.put (object);
  return request;
}

bool Hdf5File::exists (const std::string &object) const
{
  const auto answer = process.ask (Word::exists, named (object), title (object));
  return Unpacker (answer).get<uint64_t> () != 0;
}

std::vector<Hdf5File::Listed> Hdf5File::list (uint64_t least, uint64_t most) const
{
  Parcel request;
  request.put (least), request.put (most);
  const auto answer = process.ask (Word::list, request, in_quotes (path));
  std::vector<Listed> listed;
  for (Unpacker in (answer); !in.empty ();)
    listed.push_back (in.get<Listed> ());
  return listed;
}

int64_t Hdf5File::count (const std::string &dataset) const
{
  const auto answer = process.ask (Word::count, named (dataset), title (dataset));
  return static_cast<int64_t> (std::min<uint64_t> (Unpacker (answer).get<uint64_t> (), INT64_MAX));
}

std::vector<double> Hdf5File::numbers (const std::string &dataset, int64_t wanted) const
{
  auto request = named (dataset);
  request.put (static_cast<uint64_t> (wanted));
  const auto answer = process.ask (Word::numbers, request, title (dataset));
  auto values = Unpacker (answer).get<std::vector<double>> ();
  if (std::ssize (values) != wanted)
    values.clear ();
  return values;
}

std::string Hdf5File::attribute (Word word, const std::string &object, const char *name) const
{
  auto request = named (object);
  request.put (std::string (name));
  auto answer = process.ask (word, request, title (object));
  const auto n = Unpacker (answer).get<uint64_t> ();
  if (n == hdf5::undefined)
    return {};
  if (n != 1)
    fail (SINO_ERROR_BAD_FILE, "the attribute '%s' of %s has %" G_GUINT64_FORMAT " values: it must have one", name,
          title (object).c_str (), n);
  return answer.substr (sizeof n);
}

std::optional<double> Hdf5File::number_attribute (const std::string &object, const char *name) const
{
  const auto answer = attribute (Word::number_attribute, object, name);
  return answer.empty () ? std::nullopt : std::optional (Unpacker (answer).get<double> ());
}

std::string Hdf5File::text_attribute (const std::string &object, const char *name) const
{
  const auto answer = attribute (Word::text_attribute, object, name);
  return answer.empty () ? std::string () : Unpacker (answer).text ();
}

hdf5::Description Hdf5File::describe (const std::string &dataset) const
{
  const auto answer = process.ask (Word::describe, named (dataset), title (dataset));
  return Unpacker (answer).get<hdf5::Description> ();
}

void Hdf5File::places (const std::string &dataset, const std::function<void (const hdf5::ChunkPlace &)> &found) const
{
  process.ask (Word::places, named (dataset), title (dataset), [&] (const std::string &answer) {
    for (Unpacker in (answer); !in.empty ();)
      found (in.get<hdf5::ChunkPlace> ());
  });
}

void Hdf5File::read_box (const std::string &dataset, Sample sample, uint64_t memory,
                         const std::array<int64_t, 3> &corner, const std::array<int64_t, 3> &extent,
                         std::byte *out) const
{
  auto request = named (dataset);
  request.put (static_cast<uint32_t> (sample));
  request.put (memory), request.put (corner), request.put (extent);
  const auto bytes = static_cast<size_t> (extent[0] * extent[1] * extent[2]) * size_of (sample);
  process.ask (Word::box, request, title (dataset), out, bytes);
}

} // namespace sino::files
