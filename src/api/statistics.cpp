// SPDX-License-Identifier: LGPL-3.0-or-later
#include "api/statistics.hpp"
#include "base/pointers.hpp"

namespace sino {

static GVariant *to_variant (const TaskStatistics &task)
{
  GVariantBuilder builder, counters, messages;
  g_variant_builder_init (&counters, G_VARIANT_TYPE ("a{sx}"));
  for (const auto &[name, count] : task.counters)
    g_variant_builder_add (&counters, "{sx}", name.c_str (), count);
  g_variant_builder_init (&messages, G_VARIANT_TYPE_STRING_ARRAY);
  for (const auto &text : task.messages)
    g_variant_builder_add (&messages, "s", CharPtr (g_utf8_make_valid (text.c_str (), -1)).get ());
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  const auto add = [&] (const char *name, GVariant *value) { g_variant_builder_add (&builder, "{sv}", name, value); };
  add ("node", g_variant_new_string (task.node.c_str ()));
  add ("blocks-in", g_variant_new_int64 (task.blocks_in));
  add ("blocks-out", g_variant_new_int64 (task.blocks_out));
  add ("busy", g_variant_new_double (task.busy));
  add ("waiting", g_variant_new_double (task.waiting));
  add ("begin", g_variant_new_double (task.begin));
  add ("end", g_variant_new_double (task.end));
  add ("bytes-in", g_variant_new_int64 (task.bytes_in));
  add ("bytes-out", g_variant_new_int64 (task.bytes_out));
  add ("queued", g_variant_new_int64 (task.queued));
  add ("queue-capacity", g_variant_new_int64 (task.room));
  const auto rate = [&] (int64_t n) {
    return task.end > task.begin ? static_cast<double> (n) / (task.end - task.begin) : 0;
  };
  add ("blocks-per-second", g_variant_new_double (rate (std::max (task.blocks_in, task.blocks_out))));
  add ("bytes-per-second", g_variant_new_double (rate (std::max (task.bytes_in, task.bytes_out))));
  add ("counters", g_variant_builder_end (&counters));
  add ("messages", g_variant_builder_end (&messages));
  return g_variant_builder_end (&builder);
}

static GVariant *to_variant (const DeviceStatistics &device)
{
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", "device", g_variant_new_string (device.id.c_str ()));
  g_variant_builder_add (&builder, "{sv}", "items", g_variant_new_int64 (device.items));
  g_variant_builder_add (&builder, "{sv}", "rows", g_variant_new_int64 (device.rows));
  return g_variant_builder_end (&builder);
}

GVariant *to_variant (const RunStatistics &statistics)
{
  GVariantBuilder builder, tasks, devices, energy, missing;
  g_variant_builder_init (&energy, G_VARIANT_TYPE ("a{sd}"));
  g_variant_builder_init (&missing, G_VARIANT_TYPE ("a{ss}"));
  for (const auto &part : statistics.energy.parts)
    if (part.fault.empty ())
      g_variant_builder_add (&energy, "{sd}", part.name.c_str (), part.joules);
    else
      g_variant_builder_add (&missing, "{ss}", part.name.c_str (),
                             CharPtr (g_utf8_make_valid (part.fault.c_str (), -1)).get ());
  g_variant_builder_init (&tasks, G_VARIANT_TYPE ("aa{sv}"));
  for (const auto &task : statistics.tasks)
    g_variant_builder_add_value (&tasks, to_variant (task));
  g_variant_builder_init (&devices, G_VARIANT_TYPE ("aa{sv}"));
  for (const auto &device : statistics.devices)
    g_variant_builder_add_value (&devices, to_variant (device));
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  const auto add = [&] (const char *name, GVariant *value) { g_variant_builder_add (&builder, "{sv}", name, value); };
  add ("seconds", g_variant_new_double (statistics.seconds));
  add ("updates", g_variant_new_double (statistics.updates));
  add ("voxels", g_variant_new_double (statistics.voxels));
  if (const auto figures = statistics.energy.figures (statistics.seconds, statistics.voxels)) {
    add ("joules", g_variant_new_double (figures->joules));
    add ("energy-delay", g_variant_new_double (figures->delay));
    if (statistics.voxels > 0)
      add ("voxels-per-second-per-watt", g_variant_new_double (figures->speed));
  }
  add ("energy", g_variant_builder_end (&energy));
  add ("energy-not-measured", g_variant_builder_end (&missing));
  add ("running", g_variant_new_boolean (statistics.running));
  add ("bottleneck", g_variant_new_string (statistics.bottleneck.c_str ()));
  add ("resident-memory", g_variant_new_double (statistics.resident_memory));
  add ("memory-limit", g_variant_new_double (statistics.memory_limit));
  add ("peak-memory", g_variant_new_double (statistics.peak_memory));
  add ("planned-memory", g_variant_new_double (statistics.planned_memory));
  add ("tasks", g_variant_builder_end (&tasks));
  add ("devices", g_variant_builder_end (&devices));
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

} // namespace sino
