// SPDX-License-Identifier: LGPL-3.0-or-later
// Small nodes with every kind of property and port, for the tests of graphs, files and the command line.
#include "base/error.hpp"
#include "base/files/temporary.hpp"
#include "glue/binding.hpp"
#include "glue/shapes.hpp"
#include <chrono>
#include <thread>

namespace {

using namespace sino;

// A ramp: value = row of the scan + level.
class TestSource final : public Source
{
public:
  static constexpr Info info{"test-source", "Gives slices whose values are their number in the scan plus a level"};
  int slices = 4, size = 8;
  double level = 0;
  std::string path;
  static constexpr Property properties[] = {
      prop<&TestSource::slices> ("slices", "Slices to give", {1, 1000000}),
      prop<&TestSource::size> ("size", "Rows and columns of a slice", {1, 4096}),
      prop<&TestSource::level> ("level", "Added to every value"),
      prop<&TestSource::path> ("path", "A file that must exist, if given"),
  };

  Format negotiate (std::span<const Format *const>) override
  {
    if (!path.empty () && !g_file_test (path.c_str (), G_FILE_TEST_EXISTS))
      fail (SINO_ERROR_BAD_FILE, "path '%s': no such file", path.c_str ());
    return sino::slices (Element::f32, {Axis::z, slices}, {Axis::y, size}, {Axis::x, size});
  }

  std::unique_ptr<Worker> start (const Replica &) override
  {
    struct Fill final : SourceWorker {
      float level;
      explicit Fill (double l) : level (static_cast<float> (l)) {}
      void fill (Block &out) override
      {
        const auto line = out.line ();
        for (int64_t row = 0; row < out.rows ().size (); row++)
          std::fill_n (out.as<float> () + row * line, line, static_cast<float> (out.rows ().at (row)) + level);
      }
    };
    return std::make_unique<Fill> (level);
  }
};

enum class Window { none, hann, hamming };
constexpr Nick<Window> windows[] = {{Window::none, "none"}, {Window::hann, "hann"}, {Window::hamming, "hamming"}};

enum class Trouble { none, fails, slow, hangs, says };
constexpr Nick<Trouble> troubles[] = {{Trouble::none, "none"},
                                      {Trouble::fails, "throw"},
                                      {Trouble::slow, "slow"},
                                      {Trouble::hangs, "hang"},
                                      {Trouble::says, "say"}};

// Hands blocks on as they are, or makes trouble.
class TestFilter final : public PointFilter
{
public:
  static constexpr Info info{"test-filter", "Copies blocks, or fails on purpose"};
  bool on = true;
  int count = 3, any = 0;
  double fraction = 0.5, angle = 0;
  Window window = Window::none;
  std::string axis, note = "a \"note\"";
  Trouble trouble = Trouble::none;
  static constexpr Property properties[] = {
      prop<&TestFilter::on> ("on", "A switch"),
      prop<&TestFilter::count> ("count", "A bounded integer", {1, 32}),
      prop<&TestFilter::any> ("any", "An integer without bounds"),
      prop<&TestFilter::fraction> ("fraction", "A bounded number", {0, 1}),
      prop<&TestFilter::angle> ("angle", "A number without bounds"),
      prop<&TestFilter::window> ("window", "A choice", windows),
      prop<&TestFilter::axis> ("axis", "A string that often holds a number"),
      prop<&TestFilter::note> ("note", "A string with a default | and a bar"),
      prop<&TestFilter::trouble> ("trouble", "What goes wrong in a run", troubles),
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }
  std::vector<std::string> warnings () const override
  {
    return trouble == Trouble::says ? std::vector<std::string>{"there will be trouble"} : std::vector<std::string>{};
  }

  std::unique_ptr<Worker> start (const Replica &replica) override
  {
    struct Copy final : PointWorker {
      Trouble trouble;
      const Monitor &monitor;
      Messages &messages;
      Copy (Trouble t, const Replica &r) : trouble (t), monitor (r.monitor), messages (r.messages) {}
      void process (const Block &in, Block &out) override
      {
        if (trouble == Trouble::fails)
          fail (SINO_ERROR_FAILED, "failed on purpose");
        if (trouble == Trouble::says)
          messages.add ("there was trouble");
        for (int i = 0; (trouble == Trouble::slow && i < 20) || trouble == Trouble::hangs; i++) {
          std::this_thread::sleep_for (std::chrono::milliseconds (10));
          if (trouble == Trouble::slow)
            monitor.check ();
        }
        std::copy_n (in.data (), in.bytes (), out.data ());
      }
    };
    return std::make_unique<Copy> (trouble, replica);
  }
};

// Adds its inputs; the third is optional.
class TestJoin final : public Task
{
public:
  static constexpr Info info{"test-join", "Adds two streams, and a third if there is one"};
  static constexpr Signature signature{.takes = {image_kinds, any_element}};

  std::span<const Port> inputs () const override
  {
    static constexpr Port ports[] = {{"left"}, {"right"}, {"more", true}};
    return ports;
  }

  Format negotiate (std::span<const Format *const> in) override { return *in[0]; }
  bool takes_lanes () const override { return true; }

  std::unique_ptr<Worker> start (const Replica &) override
  {
    struct Add final : Worker {
      void run (std::span<Input *const> in, Output *output) override
      {
        while (Block out = output->next ()) {
          std::fill_n (out.as<float> (), out.values (), 0.0f);
          for (auto *input : in) {
            if (!input)
              continue;
            const Block block = input->pop ();
            for (int64_t i = 0; i < out.values (); i++)
              out.as<float> ()[i] += block.as<float> ()[i];
          }
          output->push (std::move (out));
        }
        for (auto *input : in)
          if (input)
            input->pop ();
      }
    };
    return std::make_unique<Add> ();
  }
};

// Takes everything. Has a property `name`, as a node may, and leaves a file if asked.
class TestSink final : public Sink
{
public:
  static constexpr Info info{"test-sink", "Takes slices and drops them"};
  std::string name, file;
  static constexpr Property properties[] = {
      prop<&TestSink::name> ("name", "A property that is called name"),
      prop<&TestSink::file> ("file", "A file that is there when all went well"),
  };

  Format negotiate (std::span<const Format *const> inputs) override { return *inputs[0]; }

  std::unique_ptr<Worker> start (const Replica &) override
  {
    struct Drop final : SinkWorker {
      void take (const Block &) override {}
    };
    if (!file.empty () && !part)
      part = std::make_shared<Temporary> (file);
    return std::make_unique<Drop> ();
  }

  void finish () override
  {
    if (part)
      part->commit (false);
  }

private:
  std::shared_ptr<Temporary> part;
};

SINO_REGISTER (TestSource)
SINO_REGISTER (TestFilter)
SINO_REGISTER (TestJoin)
SINO_REGISTER (TestSink)

} // namespace
