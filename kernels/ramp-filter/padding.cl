// SPDX-License-Identifier: LGPL-3.0-or-later
// Padding of rows.
//
//   -DLANES=n        rows in lanes: a value of a row is followed by those of the other lanes
//   -DEDGE           rows are padded with their last and first values, else with zeros

// The value at `column` of a row that begins at `row`, has `width` values and is padded to `length`.
float padded (global const float *row, int column, int width, int length)
{
#ifdef EDGE
  const int from = column < width ? column : column < width + (length - width) / 2 ? width - 1 : 0;
#else
  const int from = column;
#endif
  return from < width ? row[(size_t)from * LANES] : 0;
}
