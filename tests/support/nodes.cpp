// SPDX-License-Identifier: LGPL-3.0-or-later
#include "tests/support/nodes.hpp"
#include "base/error.hpp"
#include "base/pointers.hpp"
#include "glue/module.hpp"
#include "glue/registry.hpp"
#include "glue/shapes.hpp"
#include <chrono>
#include <cstring>
#include <thread>

namespace sino::test {

std::map<std::string, Array> &kept ()
{
  static std::map<std::string, Array> results;
  return results;
}

namespace {

// Blocks of projections whose values are a formula. `once`: checks that every block is asked for once and in order.
// `whole-chunks`: some rows cost as much as all of them. `stored`: the plan takes them for read from files.
struct TestScan final : Source {
  static constexpr Info info{"test-scan", "Projections from a formula"};
  int angles = 12, rows = 10, columns = 8, fail_at = -1, in_flight = 1;
  bool once = false, whole_chunks = false, stored = false;
  static constexpr Property properties[] = {
      prop<&TestScan::angles> ("angles", "Number of projections", {1, 1e6}),
      prop<&TestScan::rows> ("rows", "Rows of a projection", {1, 1e6}),
      prop<&TestScan::columns> ("columns", "Columns of a projection", {1, 1e6}),
      prop<&TestScan::fail_at> ("fail-at", "Throw at this projection; -1: never", {-1, 1e6}),
      prop<&TestScan::once> ("once", "Can be read once only"),
      prop<&TestScan::whole_chunks> ("whole-chunks", "Some rows cost as much as all"),
      prop<&TestScan::stored> ("stored", "Passes for files"),
      prop<&TestScan::in_flight> ("in-flight", "Requests at a time", {1, 64}),
  };

  Format negotiate (std::span<const Format *const>) override
  {
    return projections (Element::f32, {Axis::angle, angles}, {Axis::row, rows}, {Axis::column, columns});
  }
  Access access () const override { return once ? Access::once : Access::random; }
  int requests (int) const override { return in_flight; }
  std::vector<FileStamp> files () const override { return std::vector<FileStamp> (stored ? 1 : 0); }
  double bytes_read (const Format &output, const Rows &wanted) const override
  {
    return whole_chunks ? output.bytes () : Source::bytes_read (output, wanted);
  }
  std::unique_ptr<Worker> start (const Replica &replica) override;
};

struct TestScanWorker final : SourceWorker {
  const TestScan &task;
  Counters &counters;
  int64_t next = 0; // projection, of a source that can be read once
  TestScanWorker (const TestScan &t, Counters &c) : task (t), counters (c) {}

  void fill (Block &out) override
  {
    if (task.once && (out.rows ().size () != task.rows || out.angles ().begin != next))
      fail (SINO_ERROR_FAILED, "was read out of order");
    next = out.angles ().end;
    auto *values = out.as<float> ();
    for (auto angle = out.angles ().begin; angle < out.angles ().end; angle++) {
      if (angle == task.fail_at)
        fail (SINO_ERROR_BAD_FILE, "projection %d cannot be read", task.fail_at);
      for (int64_t r = 0; r < out.rows ().size (); r++)
        for (int64_t column = 0; column < task.columns; column++)
          *values++ = source_value (angle, out.rows ().at (r), column);
    }
    counters.add ("values", out.values ());
  }
};

std::unique_ptr<Worker> TestScan::start (const Replica &replica)
{
  return std::make_unique<TestScanWorker> (*this, replica.counters);
}

struct Gain final : PointFilter {
  static constexpr Info info{"test-gain", "Multiply by a factor"};
  double factor = 2;
  int fail_at = -1, delay = 0;
  static constexpr Property properties[] = {
      prop<&Gain::factor> ("factor", "Factor", {-1e6, 1e6}),
      prop<&Gain::fail_at> ("fail-at", "Throw at this block; -1: never", {-1, 1e6}),
      prop<&Gain::delay> ("delay", "Milliseconds per block", {0, 1e6}),
  };

  struct Work;

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  std::unique_ptr<Worker> start (const Replica &replica) override;
};

struct Gain::Work final : PointWorker {
  const Gain gain;
  const Monitor &monitor;
  int block = 0;
  Work (const Gain &g, const Monitor &m) : gain (g), monitor (m) {}
  void process (const Block &in, Block &out) override
  {
    if (block++ == gain.fail_at)
      fail (SINO_ERROR_FAILED, "broke at block %d", gain.fail_at);
    for (int i = 0; i < gain.delay; i++) {
      monitor.check ();
      std::this_thread::sleep_for (std::chrono::milliseconds (1));
    }
    for (int64_t i = 0; i < in.values (); i++)
      out.as<float> ()[i] = in.as<float> ()[i] * static_cast<float> (gain.factor);
  }
};

std::unique_ptr<Worker> Gain::start (const Replica &replica)
{
  return std::make_unique<Work> (*this, replica.monitor);
}

// Subtracts the mean over the rows of each projection: needs whole projections.
struct Level final : Task {
  static constexpr Info info{"test-level", "Subtract each projection's mean over its rows"};

  struct Work final : Worker {
    int64_t all;
    explicit Work (int64_t rows) : all (rows) {}
    void run (std::span<Input *const> inputs, Output *output) override
    {
      while (const Block in = inputs[0]->pop ()) {
        if (in.rows ().size () != all)
          fail (SINO_ERROR_FAILED, "got only some rows");
        Block out = output->next ();
        for (int64_t a = 0; a < in.angles ().size (); a++)
          for (int64_t c = 0; c < in.line (); c++) {
            double mean = 0;
            for (int64_t r = 0; r < all; r++)
              mean += in.as<float> ()[in.offset (a, r) + c];
            mean /= static_cast<double> (all);
            for (int64_t r = 0; r < out.rows ().size (); r++)
              out.as<float> ()[out.offset (a, r) + c] =
                  static_cast<float> (in.as<float> ()[in.offset (a, in.rows ().place (out.rows ().at (r))) + c] - mean);
          }
        output->push (std::move (out));
      }
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  Rows demand (size_t, const Format &input, const Rows &) const override { return {0, input.rows ()}; }
  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    return std::make_unique<Work> (replica.inputs[0]->rows ());
  }
};

// Sum of a row and its two neighbours, fewer at the border.
struct Blur final : Task {
  static constexpr Info info{"test-blur", "Add the neighbouring rows"};

  struct Work final : Worker {
    void run (std::span<Input *const> inputs, Output *output) override
    {
      while (const Block in = inputs[0]->pop ()) {
        Block out = output->next ();
        for (int64_t a = 0; a < in.angles ().size (); a++)
          for (int64_t r = 0; r < out.rows ().size (); r++)
            for (int64_t c = 0; c < in.line (); c++) {
              float sum = 0;
              for (int64_t row = out.rows ().at (r) - 1; row <= out.rows ().at (r) + 1; row++)
                if (const auto place = in.rows ().place (row); place >= 0)
                  sum += in.as<float> ()[in.offset (a, place) + c];
              out.as<float> ()[out.offset (a, r) + c] = sum;
            }
        output->push (std::move (out));
      }
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  Rows demand (size_t, const Format &input, const Rows &rows) const override
  {
    if (rows.empty ())
      return rows;
    return {std::max<int64_t> (rows.begin - 1, 0), std::min (rows.end + 1, input.rows ())};
  }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

// Each sinogram plus the five before it: what a work item needs grows towards lower rows.
struct Before final : Task {
  static constexpr Info info{"test-before", "Add the five rows before"};

  struct Work final : Worker {
    void run (std::span<Input *const> inputs, Output *output) override
    {
      std::vector<Block> all;
      while (Block in = inputs[0]->pop ())
        all.push_back (std::move (in));
      while (Block out = output->next ()) {
        std::memset (out.data (), 0, out.bytes ());
        for (const auto &in : all)
          for (int64_t r = 0; r < out.rows ().size (); r++)
            for (int64_t i = 0; i < in.rows ().size (); i++)
              if (const auto back = out.rows ().at (r) - in.rows ().at (i); back >= 0 && back <= 5)
                for (int64_t a = 0; a < in.angles ().size (); a++)
                  for (int64_t c = 0; c < in.line (); c++)
                    out.as<float> ()[out.offset (a, r) + c * out.lanes ()] +=
                        in.as<float> ()[in.offset (a, i) + c * in.lanes ()];
        output->push (std::move (out));
      }
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  bool takes_lanes () const override { return true; }
  bool collects (size_t) const override { return true; }
  Rows demand (size_t, const Format &, const Rows &rows) const override
  {
    return {std::max<int64_t> (rows.begin - 5, 0), rows.end};
  }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

// The sum of two streams over all their projections, drained one after the other.
struct Two final : Task {
  static constexpr Info info{"test-two", "Sum over all projections of two inputs"};
  static constexpr Port ports[] = {{"first"}, {"second"}};
  std::span<const Port> inputs () const override { return ports; }

  struct Work final : Worker {
    void run (std::span<Input *const> inputs, Output *output) override
    {
      Block out = output->next ();
      std::memset (out.data (), 0, out.bytes ());
      for (auto *input : inputs)
        while (const Block in = input->pop ())
          for (int64_t i = 0; i < in.values (); i++)
            out.as<float> ()[i % out.values ()] += in.as<float> ()[i];
      output->push (std::move (out));
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    Format out = *inputs[0];
    out.axes = {inputs[0]->dim (Axis::row), inputs[0]->dim (Axis::column)};
    return out;
  }
  bool collects (size_t) const override { return true; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

// Sinograms to slices of one line: sum over the angles, weighted by their number. Wants lanes.
struct Fold final : Task {
  static constexpr Info info{"test-fold", "Weighted sum over the angles of each sinogram"};
  static constexpr Signature signature{.takes = {Kind::sinograms, Element::f32}, .gives = {Kind::slices}};
  int lanes = 4, other_lanes = 4;
  static constexpr Property properties[] = {
      prop<&Fold::lanes> ("lanes", "Lanes wanted", {1, 32}),
      prop<&Fold::other_lanes> ("other-lanes", "Lanes wanted on others than 'native'", {1, 32})};

  struct Work final : PointWorker {
    void process (const Block &in, Block &out) override
    {
      for (int64_t r = 0; r < out.rows ().size (); r++)
        for (int64_t c = 0; c < in.line (); c++) {
          float sum = 0;
          for (int64_t a = 0; a < in.angles ().size (); a++)
            sum += static_cast<float> (a + 1) * in.as<float> ()[in.offset (a, r) + c * in.lanes ()];
          out.as<float> ()[out.offset (0, r) + c] = sum;
        }
    }
  };

  Format negotiate (std::span<const Format *const> inputs) override
  {
    const auto &row = inputs[0]->dim (Axis::row);
    return slices (Element::f32, {Axis::z, row.extent, row.first, row.step}, {Axis::y, 1},
                   {Axis::x, inputs[0]->extent (Axis::column)});
  }
  bool takes_lanes () const override { return true; }
  int wanted_lanes (const Device &d, int) const override { return d.id == "native" ? lanes : other_lanes; }
  double updates_per_row () const override { return 1; }
  std::unique_ptr<Worker> start (const Replica &) override { return std::make_unique<Work> (); }
};

// Keeps what it gets, densely.
struct Keep final : Sink, Writes {
  static constexpr Info info{"test-keep", "Keep the stream for the test"};
  std::string key = "result";
  bool pages = false, one_at_a_time = false;
  int delay = 0;
  static constexpr Property properties[] = {
      prop<&Keep::key> ("key", "Name of the result"),
      prop<&Keep::pages> ("pages", "Take whole projections"),
      prop<&Keep::one_at_a_time> ("one-at-a-time", "One worker for all replicas"),
      prop<&Keep::delay> ("delay", "Milliseconds per block", {0, 1e6}),
  };

  struct Work;

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  bool whole_projections () const override { return pages; }
  bool serial () const override { return one_at_a_time; }
  std::unique_ptr<Worker> start (const Replica &replica) override;
};

struct Keep::Work final : SinkWorker {
  const Keep keep;
  const Monitor &monitor;
  Work (const Keep &k, const Monitor &m) : keep (k), monitor (m) {}
  void take (const Block &in) override
  {
    const auto &format = in.format ();
    if (keep.pages && in.rows ().size () != format.rows ())
      fail (SINO_ERROR_FAILED, "got only some rows");
    for (int i = 0; i < keep.delay; i++) {
      monitor.check ();
      std::this_thread::sleep_for (std::chrono::milliseconds (1));
    }
    auto *bytes = kept ().at (keep.key).bytes.data ();
    const auto size = static_cast<int64_t> (size_of (format.element));
    const bool rows_first = format.axes[0].axis == format.slab_axis ();
    for (int64_t a = 0; a < in.angles ().size (); a++)
      for (int64_t r = 0; r < in.rows ().size (); r++) {
        const auto angle = in.angles ().begin + a, row = in.rows ().at (r);
        const auto place = rows_first ? row * format.angles () + angle : angle * format.rows () + row;
        std::memcpy (bytes + place * in.line () * size, in.data () + in.offset (a, r) * size,
                     static_cast<size_t> (in.line () * size));
      }
  }
};

std::unique_ptr<Worker> Keep::start (const Replica &replica)
{
  static std::mutex mutex;
  const std::lock_guard guard (mutex);
  auto &array = kept ()[key];
  if (array.bytes.size () != static_cast<size_t> (replica.inputs[0]->bytes ())) {
    array.format = *replica.inputs[0];
    array.bytes.assign (static_cast<size_t> (replica.inputs[0]->bytes ()), std::byte{0xee});
  }
  return std::make_unique<Work> (*this, replica.monitor);
}

SINO_REGISTER (TestScan)
SINO_REGISTER (Gain)
SINO_REGISTER (Level)
SINO_REGISTER (Blur)
SINO_REGISTER (Before)
SINO_REGISTER (Two)
SINO_REGISTER (Fold)
SINO_REGISTER (Keep)

void register_nodes ()
{
  for (auto *r = Registration::head; r; r = r->next)
    Registry::get ().add (r->name, r->gtype ());
}

std::vector<std::string> words (const std::string &line)
{
  std::vector<std::string> list;
  for (size_t begin = 0; begin < line.size ();) {
    const auto end = std::min (line.find (' ', begin), line.size ());
    if (end > begin)
      list.push_back (line.substr (begin, end - begin));
    begin = end + 1;
  }
  return list;
}

} // namespace

Graph build (const std::vector<std::string> &lines)
{
  register_nodes ();
  Graph graph;
  for (const auto &line : lines) {
    const auto part = words (line);
    if (part[1] == "->") {
      const auto dot = part[2].find ('.');
      graph.connect (graph.find (part[0]), graph.find (part[2].substr (0, dot)),
                     dot == std::string::npos ? 0 : std::stoul (part[2].substr (dot + 1)));
      continue;
    }
    ObjectPtr<SinoTask> task{SINO_TASK (g_object_new (Registry::get ().find (part[1]), nullptr))};
    for (size_t i = 2; i < part.size (); i++) {
      const auto equals = part[i].find ('=');
      set_text (G_OBJECT (task.get ()), part[i].substr (0, equals), part[i].substr (equals + 1));
    }
    graph.add (std::move (task), part[0]);
  }
  return graph;
}

} // namespace sino::test
