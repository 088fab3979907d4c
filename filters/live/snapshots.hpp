// SPDX-License-Identifier: LGPL-3.0-or-later
// Writes the pictures of a run into files, for people without a program that pulls them.
#pragma once
#include "filters/live/board.hpp"
#include "formats/output.hpp"
#include "glue/property.hpp"
#include "glue/task.hpp"
#include <map>
#include <set>
#include <thread>

namespace sino::live {

struct SnapshotSettings {
  std::string path; // "": no files
  bool overwrite = false;
  double every = 2; // seconds
  enum class Type { f32, u8 } type = Type::f32;

  // Throws if the path suits no format for a single image, or a file of the first planes exists.
  void check (size_t planes) const;
  std::vector<std::string> paths (size_t planes) const;

  Element element () const { return type == Type::u8 ? Element::u8 : Element::f32; }

  static constexpr Nick<Type> types[] = {{Type::f32, "f32"}, {Type::u8, "u8"}};
  static constexpr std::array properties{
      prop<&SnapshotSettings::path> (
          "path", "Path of image files for the pictures, with the number of the plane, as live/%i.tif; empty: none"),
      prop<&SnapshotSettings::every> ("every", "Seconds between two files of a plane", Range{0.01, 1e6}),
      prop<&SnapshotSettings::type> ("type", "Element type of the files; u8: grey values by contrast", types),
      prop<&SnapshotSettings::overwrite> ("overwrite", "Replace existing files"),
  };
};

class Snapshots : NoCopy
{
public:
  // Begins to write at once, in a thread of its own.
  Snapshots (const SnapshotSettings &settings, Pictures &pictures, const Board &board, Messages &messages,
             Failed failed);
  ~Snapshots ();

  // Writes the last pictures, and ends.
  void finish (const std::vector<std::pair<int, LivePicture>> &last);

private:
  const SnapshotSettings &settings;
  Pictures &pictures;
  const Board &board;
  Messages &messages;
  const Failed failed;
  std::set<int> first;    // planes, whose files were looked for before the run
  std::set<int> left_out; // planes whose files cannot be written
  // The file of each plane.
  struct Written {
    int64_t version;
    Contrast contrast;
    friend bool operator== (const Written &, const Written &) = default;
  };
  std::map<int, Written> written;
  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;
  std::thread thread;

  void work ();
  void stop ();
  void write (int number, const LivePicture &picture);
  void write_file (int number, const LivePicture &picture);
};

} // namespace sino::live
