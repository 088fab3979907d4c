// SPDX-License-Identifier: LGPL-3.0-or-later
// Pixels of a view: means of the sums of their rays.
kernel void average (global const float *sums, ulong first, int across, int down, int columns, int rows,
                     global float *pixels, ulong to)
{
  const int u = get_global_id (0), v = get_global_id (1);
  if (u >= columns || v >= rows)
    return;
  sums += first + (size_t) v * down * (columns * across) + u * across;
  float sum = 0;
  for (int j = 0; j < down; j++, sums += columns * across)
    for (int i = 0; i < across; i++)
      sum += sums[i];
  pixels[to + (size_t) v * columns + u] = sum * (1.0f / (across * down));
}
