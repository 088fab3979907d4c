// SPDX-License-Identifier: LGPL-3.0-or-later
#include "monitor/run/watched.hpp"
#include "base/shown.hpp"
#include "monitor/http/body.hpp"
#include "monitor/volume/gallery.hpp"
#include "pass/newest.hpp"

namespace sino::monitor {

void Watched::begin (Run &now)
{
  const Facts plan{VariantPtr (now.plan_variant ())};
  const std::lock_guard guard (mutex);
  run = &now;
  state = "preparing";
  message.clear ();
  last.reset ();
  inputs.clear ();
  devices.clear ();
  sinks.clear ();
  made.clear ();
  rates = {};
  waited = looked = 0;
  find_inputs (plan);
  for (const auto &device : plan.list ("devices"))
    devices.emplace_back (device.text ("id"), device.text ("name"));
  for (auto &node : now.slice_sinks ())
    sinks.push_back ({std::move (node), nullptr});
  planes = Planes (now.graph ());
}

// Streams that are kept between passes go from the node that made them.
void Watched::find_inputs (const Facts &plan)
{
  for (const auto &pass : plan.list ("passes")) {
    const auto stages = pass.list ("stages");
    for (const auto &stage : stages) {
      if (stage.text ("role") != "task")
        continue;
      auto &own = inputs[stage.text ("node")];
      for (const auto producer : stage.integers ("inputs"))
        if (producer >= 0)
          own.push_back (stages[static_cast<size_t> (producer)].text ("node"));
    }
  }
}

void Watched::end (const char *how, const std::string &why)
{
  const std::lock_guard guard (mutex);
  state = how;
  message = shown_lines (why);
  last.reset (run ? g_variant_ref_sink (describe_now ()) : nullptr);
  run = nullptr;
}

VariantPtr Watched::describe ()
{
  const std::lock_guard guard (mutex);
  if (run)
    return VariantPtr (g_variant_ref_sink (describe_now ()));
  if (last)
    return VariantPtr (g_variant_ref (last.get ()));
  Dict dict;
  dict.add ("state", state).add ("title", title).add ("message", message);
  return VariantPtr (g_variant_ref_sink (dict.end ()));
}

// Seconds that are left if the run goes on as fast as until now; none: too little is done to say.
GVariant *Watched::seconds_left (const Progress &progress)
{
  if (run->paused ())
    waited += progress.seconds - looked;
  looked = progress.seconds;
  const auto done = progress.fraction ();
  if (done < 0.01)
    return g_variant_new_maybe (G_VARIANT_TYPE_DOUBLE, nullptr);
  return g_variant_new_maybe (nullptr, g_variant_new_double ((progress.seconds - waited) * (1 - done) / done));
}

GVariant *Watched::describe_node (const TaskStatistics &task) const
{
  const auto rate = rates.of (task);
  const auto found = inputs.find (task.node);
  return Dict ()
      .add ("name", task.node)
      .add ("type", task.node.substr (task.node.rfind ('/') + 1))
      .add ("inputs", found != inputs.end () ? found->second : std::vector<std::string> ())
      .add ("busy", rate.busy)
      .add ("rate", rate.bytes)
      .add ("busy-seconds", task.busy)
      .add ("waiting-seconds", task.waiting)
      .add ("blocks-in", task.blocks_in)
      .add ("blocks-out", task.blocks_out)
      .add ("bytes-in", task.bytes_in)
      .add ("bytes-out", task.bytes_out)
      .add ("queued", task.queued)
      .add ("capacity", task.room)
      .add ("messages", task.messages)
      .end ();
}

GVariant *Watched::describe_device (const DeviceStatistics &device) const
{
  const auto named = std::ranges::find (devices, device.id, &std::pair<std::string, std::string>::first);
  return Dict ()
      .add ("id", device.id)
      .add ("name", named != devices.end () ? named->second : "")
      .add ("items", device.items)
      .add ("rows", device.rows)
      .add ("failure", device.failure)
      .end ();
}

GVariant *Watched::describe_now ()
{
  const auto statistics = run->statistics ();
  const auto progress = run->progress ();
  rates.look (statistics);
  Dict done, memory, dict;
  done.add ("fraction", progress.fraction ())
      .add ("slices-done", progress.slices_done)
      .add ("slices-total", progress.slices_total)
      .add ("seconds", progress.seconds)
      .add ("left", seconds_left (progress))
      .add ("frames-done", progress.frames_done)
      .add ("frames-total", progress.frames_total);
  memory.add ("resident", statistics.resident_memory)
      .add ("peak", statistics.peak_memory)
      .add ("planned", statistics.planned_memory)
      .add ("limit", statistics.memory_limit);
  const bool goes_on = std::string_view (state) == "preparing";
  dict.add ("state", goes_on ? run->paused () ? "paused" : "running" : state)
      .add ("title", title)
      .add ("message", message)
      .add ("progress", done.end ())
      .add ("memory", memory.end ())
      .add ("bottleneck", statistics.bottleneck)
      .add ("can-pause", goes_on && run->can_pause ());
  dict.add ("nodes", statistics.tasks, [this] (const TaskStatistics &task) { return describe_node (task); });
  dict.add ("devices", statistics.devices,
            [this] (const DeviceStatistics &device) { return describe_device (device); });
  dict.add ("messages", run->messages (), [] (const Message &said) {
    return Dict ().add ("node", said.node).add ("text", shown_lines (said.text)).add ("warning", said.warns).end ();
  });
  return dict.add ("pictures", pictures ()).add ("live", planes.describe ()).end ();
}

// --- pictures ---

GVariant *Watched::pictures ()
{
  struct Listed {
    std::string name, title;
    int64_t version, width, height, projections = 0;
  };
  std::vector<Listed> list;
  for (auto &sink : sinks) {
    run->wish_slice (sink.node);
    if (auto fresh = run->newest_slice (sink.node); fresh != sink.slice) {
      sink.slice = std::move (fresh);
      sink.version++;
    }
    if (const auto &slice = sink.slice)
      list.push_back ({sink.node + "/slice",
                       text ("slice %" G_GINT64_FORMAT " of %s", slice->number, sink.node.c_str ()), sink.version,
                       slice->width, slice->height});
  }
  for (const auto &shown : planes.pictures ())
    list.push_back ({shown.name, shown.title, shown.version, shown.width, shown.height, shown.projections});
  return Dict::array (list, [] (const Listed &each) {
    return Dict ()
        .add ("name", each.name)
        .add ("title", each.title)
        .add ("version", each.version)
        .add ("width", each.width)
        .add ("height", each.height)
        .add ("projections", each.projections)
        .end ();
  });
}

// A picture of each version is made once, for all pages.
Answer Watched::picture (const std::string &name, const Monitor &wanted)
{
  const auto began = std::chrono::steady_clock::now ();
  const std::lock_guard guard (mutex);
  Plane plane;
  int64_t version = 0;
  const auto sink = std::ranges::find_if (sinks, [&] (const Sink &each) { return each.node + "/slice" == name; });
  if (sink != sinks.end () && sink->slice)
    version = sink->version;
  else if (auto live = planes.picture (name))
    std::tie (plane, version) = std::move (*live);
  else
    throw Refused (404, "there is no picture " + in_quotes (name) + " yet");
  if (const auto known = made.find (name); known != made.end () && known->second.first == version)
    return known->second.second;
  if (sink != sinks.end ()) {
    const auto &slice = *sink->slice;
    plane.width = slice.width;
    plane.height = slice.height;
    plane.values = floats_of (slice.element, slice.values);
  }
  const Cpu cpu (1, wanted); // the run needs the others
  auto answer = answer_of (picture_of (plane, cpu), version, began);
  made[name] = {version, answer};
  return answer;
}

// --- control ---

void Watched::control (const Request &request)
{
  if (request.path == "/run/cancel")
    return run->cancel ();
  if (request.path == "/run/resume")
    return run->resume ();
  if (request.path == "/run/pause") {
    if (!run->can_pause ())
      throw Refused (409, "the run cannot wait, because its frames come from outside");
    return run->pause ();
  }
  const Body body (request);
  if (request.path == "/run/live")
    return run->set_live (body.text ("node"), body.text ("property"), body.text ("value"));
  planes.change (body.text ("node"), static_cast<int> (body.integer ("number", -1, 1000000)), body.text ("plane"));
}

std::optional<Answer> Watched::answer (const Request &request, const Monitor &wanted)
{
  if (request.path == "/run/picture" && request.method == "GET")
    return picture (request.word ("name"), wanted);
  static constexpr std::string_view controls[] = {"/run/cancel", "/run/pause", "/run/resume", "/run/live",
                                                  "/run/plane"};
  if (std::ranges::find (controls, request.path) == std::end (controls))
    return {};
  if (request.method != "POST")
    throw Refused (405, request.path + " wants POST");
  const std::lock_guard guard (mutex);
  if (!run)
    throw Refused (409, "the run has not begun yet, or has ended");
  try {
    control (request);
  } catch (const Refused &) {
    throw;
  } catch (const Error &error) {
    throw Refused (400, error.what ());
  }
  return Answer::of_text ("{}", "application/json");
}

} // namespace sino::monitor
