// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/statistics.hpp"
#include "base/variant.hpp"

namespace sino {

static GVariant *to_variant (const std::map<std::string, int64_t> &counts)
{
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{sx}"));
  for (const auto &[name, count] : counts)
    g_variant_builder_add (&builder, "{sx}", name.c_str (), count);
  return g_variant_builder_end (&builder);
}

static GVariant *to_variant (const TaskStatistics &task)
{
  const auto rate = [&] (int64_t n) {
    return task.end > task.begin ? static_cast<double> (n) / (task.end - task.begin) : 0.0;
  };
  return Dict ()
      .add ("node", task.node)
      .add ("blocks-in", task.blocks_in)
      .add ("blocks-out", task.blocks_out)
      .add ("busy", task.busy)
      .add ("waiting", task.waiting)
      .add ("begin", task.begin)
      .add ("end", task.end)
      .add ("bytes-in", task.bytes_in)
      .add ("bytes-out", task.bytes_out)
      .add ("queued", task.queued)
      .add ("queue-capacity", task.room)
      .add ("blocks-per-second", rate (std::max (task.blocks_in, task.blocks_out)))
      .add ("bytes-per-second", rate (std::max (task.bytes_in, task.bytes_out)))
      .add ("counters", to_variant (task.counters))
      .add ("messages", task.messages)
      .end ();
}

static GVariant *to_variant (const DeviceStatistics &device)
{
  Dict dict;
  dict.add ("device", device.id).add ("items", device.items).add ("rows", device.rows);
  if (!device.failure.empty ())
    dict.add ("failure", device.failure);
  return dict.end ();
}

GVariant *to_variant (const RunStatistics &statistics)
{
  GVariantBuilder energy, missing;
  g_variant_builder_init (&energy, G_VARIANT_TYPE ("a{sd}"));
  g_variant_builder_init (&missing, G_VARIANT_TYPE ("a{ss}"));
  for (const auto &part : statistics.energy.parts)
    if (part.fault.empty ())
      g_variant_builder_add (&energy, "{sd}", part.name.c_str (), part.joules);
    else
      g_variant_builder_add (&missing, "{ss}", part.name.c_str (),
                             CharPtr (g_utf8_make_valid (part.fault.c_str (), -1)).get ());
  Dict dict;
  dict.add ("seconds", statistics.seconds).add ("updates", statistics.updates).add ("voxels", statistics.voxels);
  if (const auto figures = statistics.energy.figures (statistics.seconds, statistics.voxels)) {
    dict.add ("joules", figures->joules).add ("energy-delay", figures->delay);
    if (statistics.voxels > 0)
      dict.add ("voxels-per-second-per-watt", figures->speed);
  }
  dict.add ("energy", g_variant_builder_end (&energy))
      .add ("energy-not-measured", g_variant_builder_end (&missing))
      .add ("running", statistics.running)
      .add ("bottleneck", statistics.bottleneck)
      .add ("frames-done", statistics.frames_done)
      .add ("frames-total", statistics.frames_total)
      .add ("resident-memory", statistics.resident_memory)
      .add ("memory-limit", statistics.memory_limit)
      .add ("peak-memory", statistics.peak_memory)
      .add ("planned-memory", statistics.planned_memory)
      .add ("tasks", statistics.tasks, [] (const TaskStatistics &task) { return to_variant (task); })
      .add ("devices", statistics.devices, [] (const DeviceStatistics &device) { return to_variant (device); });
  if (!statistics.ranks.empty ())
    dict.add ("ranks", statistics.ranks, [] (const Share &share) {
      return Dict ().add ("items", share.items).add ("rows", share.rows).add ("slices", share.slices).end ();
    });
  return g_variant_ref_sink (dict.end ());
}

} // namespace sino
