// SPDX-License-Identifier: LGPL-3.0-or-later
#include "filters/live/snapshots.hpp"
#include "base/error.hpp"
#include "base/files/output-file.hpp"
#include "base/threads.hpp"
#include <cmath>

namespace sino::live {

using formats::Pattern, formats::Planned;

// One image, whose number is that of its plane.
static Planned planned_for (const SnapshotSettings &settings, int number, int64_t lines, int64_t columns)
{
  Planned planned{.pattern = Pattern (settings.path),
                  .element = settings.element (),
                  .format = slices (settings.element (), {Axis::z, 1}, {Axis::y, lines}, {Axis::x, columns}),
                  .overwrite = settings.overwrite};
  planned.format.axes[0].first = number;
  return planned;
}

static const formats::WritingFormat &format_of (const std::string &path)
{
  return formats::output_format (path, Pattern (path), formats::Compression::automatic);
}

std::vector<std::string> SnapshotSettings::paths (size_t planes) const
{
  std::vector<std::string> list;
  for (size_t i = 0; !path.empty () && i < planes; i++)
    list.push_back (Pattern (path).name (static_cast<int64_t> (i)));
  return list;
}

void SnapshotSettings::check (size_t planes) const
{
  if (path.empty ())
    return;
  if (!Pattern (path).numbered () || Pattern (path).valued ())
    fail (SINO_ERROR_BAD_PROPERTY, "path=%s is one file, and each plane has its own: put %%i into the name",
          path.c_str ());
  formats::check_holds (format_of (path), planned_for (*this, 0, 1, 1), path);
  check_outputs (paths (planes), overwrite);
}

Snapshots::Snapshots (const SnapshotSettings &s, Pictures &p, const Board &b, Messages &m, Failed f)
    : settings (s), pictures (p), board (b), messages (m), failed (std::move (f))
{
  for (const auto &wish : board.wishes ().planes)
    first.insert (wish.number);
  if (!settings.path.empty ())
    thread = start_helper ([this] { work (); }, failed);
}

Snapshots::~Snapshots ()
{
  stop ();
}

void Snapshots::stop ()
{
  {
    const std::lock_guard guard (mutex);
    stopped = true;
    changed.notify_all ();
  }
  if (thread.joinable ())
    thread.join ();
}

void Snapshots::work ()
{
  std::unique_lock held (mutex);
  while (!changed.wait_for (held, std::chrono::duration<double> (settings.every), [this] { return stopped; }))
    for (const auto &wish : board.wishes ().planes)
      if (const auto picture = pictures.picture (wish.number))
        write (wish.number, *picture);
}

void Snapshots::finish (const std::vector<std::pair<int, LivePicture>> &last)
{
  stop ();
  if (!settings.path.empty ())
    for (const auto &[number, picture] : last)
      write (number, picture);
}

// A plane that was added during the run may have no file: the scan goes on.
void Snapshots::write (int number, const LivePicture &picture)
{
  if (first.contains (number))
    return write_file (number, picture);
  if (!left_out.contains (number))
    try {
      write_file (number, picture);
    } catch (const Error &e) {
      left_out.insert (number);
      messages.add (text ("there is no file of plane %d: ", number) + e.what ());
    }
}

void Snapshots::write_file (int number, const LivePicture &picture)
{
  const Written fresh{picture.version, settings.type == SnapshotSettings::Type::u8 ? board.contrast () : Contrast ()};
  const auto known = written.find (number);
  if (known != written.end () && known->second == fresh)
    return;
  const auto &format = picture.block.format ();
  auto planned = planned_for (settings, number, format.axes[1].extent, format.axes[2].extent);
  planned.overwrite = settings.overwrite || known != written.end (); // it replaces its own file
  const auto target = format_of (settings.path).open (planned, {});
  if (settings.type == SnapshotSettings::Type::u8) {
    const auto values = picture.block.all<float> ();
    std::vector<uint8_t> grey (values.size ());
    to_grey (range_of (fresh.contrast, values), values, grey.data ());
    target->write (0, {0, planned.lines ()}, reinterpret_cast<const std::byte *> (grey.data ()));
  } else
    target->write (0, {0, planned.lines ()}, picture.block.data ());
  target->finish ();
  written[number] = fresh;
}

} // namespace sino::live
