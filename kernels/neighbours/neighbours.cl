// SPDX-License-Identifier: LGPL-3.0-or-later
// What a kernel of a neighbourhood filter is given (src/glue/workers/opencl-neighbours.hpp), and where the lines lie that it
// reads. IN is the type of the values. OpenCL C 1.2.

// Sizes of the stream, and of the launch in it.
typedef struct {
  int frames, lines;            // of the stream
  int width, step;              // values of a line; from a column to the next
  int first_frame, first_line;  // of the block that came
  int block_lines;              // of a frame in memory
  int kept;                     // frames before the block are in a ring of so many
  int made_frame, made_line;    // the first to be made
  int made_lines;               // of a frame
  int out_frame, out_line, out_lines; // the same of the block that is made, as the block that came
} Neighbours;

// What a work-item makes: a value, at a place in a line. Launches are as wide as whole groups.
typedef struct {
  int frame, line, x;
} Spot;

inline Spot spot (Neighbours n)
{
  const int row = get_global_id (1);
  const Spot s = {n.made_frame + row / n.made_lines, n.made_line + row % n.made_lines, get_global_id (0)};
  return s;
}

// A line of the input; of those beyond the border, the nearest one.
inline global const IN *line_at (Neighbours n, global const IN *block, global const IN *kept, int frame, int line)
{
  frame = clamp (frame, 0, n.frames - 1);
  line = clamp (line, 0, n.lines - 1);
  const bool before = frame < n.first_frame;
  const size_t place = before ? frame % n.kept : frame - n.first_frame;
  return (before ? kept : block) + (place * n.block_lines + (line - n.first_line)) * n.width;
}

// The same for places in a line.
inline int x_at (Neighbours n, int x, int columns)
{
  const int to = x + columns * n.step;
  return to < 0 ? x % n.step : to >= n.width ? n.width - n.step + x % n.step : to;
}

inline size_t place_of (Neighbours n, Spot s)
{
  return ((size_t)(s.frame - n.out_frame) * n.out_lines + (s.line - n.out_line)) * n.width + s.x;
}
