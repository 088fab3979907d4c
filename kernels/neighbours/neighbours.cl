// SPDX-License-Identifier: LGPL-3.0-or-later
// Arguments of the kernels of neighbourhood filters (src/glue/workers/opencl-neighbours.hpp), and access to the lines
// of the input. IN is the type of the values. OpenCL C 1.2.

// Sizes of the stream, and of the launch.
typedef struct {
  int frames, lines; // size of the stream
  int width, step; // values per line; distance of columns
  int first_frame, first_line; // beginning of the input block
  int block_lines; // lines per frame in memory
  int kept; // size of the ring of frames before the block
  int made_frame, made_line; // first frame and line to compute
  int made_lines; // lines per frame to compute
  int out_frame, out_line, out_lines; // beginning of the output block, and its lines per frame
} Neighbours;

// Output of a work-item: a value at a position in a line. The width of a launch is a multiple of the group size.
typedef struct {
  int frame, line, x;
} Spot;

inline Spot spot (Neighbours n)
{
  const int row = get_global_id (1);
  const Spot s = {n.made_frame + row / n.made_lines, n.made_line + row % n.made_lines, get_global_id (0)};
  return s;
}

// A line of the input; beyond the border, the nearest line.
inline global const IN *line_at (Neighbours n, global const IN *block, global const IN *kept, int frame, int line)
{
  frame = clamp (frame, 0, n.frames - 1);
  line = clamp (line, 0, n.lines - 1);
  const bool before = frame < n.first_frame;
  const size_t place = before ? frame % n.kept : frame - n.first_frame;
  return (before ? kept : block) + (place * n.block_lines + (line - n.first_line)) * n.width;
}

// The index of a column in a line; beyond the border, that of the nearest column.
inline int x_at (Neighbours n, int x, int columns)
{
  const int to = x + columns * n.step;
  return to < 0 ? x % n.step : to >= n.width ? n.width - n.step + x % n.step : to;
}

inline size_t place_of (Neighbours n, Spot s)
{
  return ((size_t)(s.frame - n.out_frame) * n.out_lines + (s.line - n.out_line)) * n.width + s.x;
}
