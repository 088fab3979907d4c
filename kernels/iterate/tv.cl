// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of TV's rows. Nothing outside the circle is touched, except duals between its border and what is outside.
// `lambdas`: of each pair; below 0: the slice is finished, and does not change.

// The pixels whose gradient, to the right and down, has a part inside the circle.
Range duals_of (global const Range *circle, int row)
{
  const Range here = circle[row], below = circle[min (row + 1, LENGTH - 1)];
  const Range range = {max (0, min (here.begin - 1, below.begin)), max (here.end, below.end)};
  return range;
}

kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
lay_duals (global const float2 *restrict x, global const float2 *restrict q, global float2 *restrict y0,
           global float2 *restrict y1, global float2 *restrict positive, global float2 *restrict z0,
           global float2 *restrict z1, global const Range *circle, global const float2 *roots,
           global const float2 *half_turns, global const float2 *lambdas, float sigma, float rise)
{
  local float places[ROWS][LOCAL_VALUES];
  const int item = get_local_id (0), row = get_global_id (1), pair = get_global_id (2);
  const float2 lambda = lambdas[pair], least = fmax (lambda, FLT_MIN); // so that 0 / 0 is not NaN
  const int2 moving = lambda >= 0;
  const Range range = duals_of (circle, row);
  const size_t image = image_of (pair), line = image + (size_t)row * LENGTH;
  const size_t below = row + 1 < LENGTH ? line + LENGTH : line;
  PARTLY_UNROLLED
  for (int column = item; column < LENGTH; column += ITEMS) {
    if (!is_in (column, range))
      continue;
    const size_t i = line + column;
    const float2 here = q[i], right = column + 1 < LENGTH ? q[i + 1] : here;
    const float2 old0 = y0[i], old1 = y1[i], old = positive[i];
    const float2 a = old0 + sigma * (q[below + column] - here), b = old1 + sigma * (right - here);
    const float2 share = lambda / fmax (sqrt (a * a + b * b), least);
    y0[i] = select (old0, a * share, moving);
    y1[i] = select (old1, b * share, moving);
    positive[i] = select (old, fmin (old + rise * here, 0.0f), moving);
  }
  lay_row (x + line, circle[row], item, places[get_local_id (1)], roots, half_turns, z0 + image, z1 + image, row);
}

// Sums: x.(T x - 2 c).
kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
lay_gradient (global const float2 *restrict x, global const float2 *restrict data, global const float2 *restrict y0,
              global const float2 *restrict y1, global const float2 *restrict positive, global float2 *z0,
              global const float2 *restrict z1, global const Range *circle, global const float2 *roots,
              global const float2 *half_turns, global float2 *sums)
{
  local float places[ROWS][LOCAL_VALUES];
  const int item = get_local_id (0), row = get_global_id (1), pair = get_global_id (2);
  local float *const line = places[get_local_id (1)];
  const Range inside = circle[row];
  const size_t image = image_of (pair), first = image + (size_t)row * LENGTH;
  float2 gradient[VALUES];
  take_row (gradient, z0 + image, z1 + image, row, item, line, roots, half_turns);
  float2 sum = 0;
  UNROLLED
  for (int k = 0; k < ROUNDS (LAST) * LAST; k++) {
    const int column = index_of (k, LAST, item);
    float2 value = 0;
    if (is_in (column, inside)) {
      const size_t i = first + column;
      const float2 c = data[i], off = gradient[k] - c;
      sum += x[i] * (off - c);
      // Duals of the last row and column are 0, for the gradient has no part beyond the image.
      const float2 above = row > 0 ? y0[i - LENGTH] : (float2)(0), left = column > 0 ? y1[i - 1] : (float2)(0);
      value = off + positive[i] + ((above + left) - (y0[i] + y1[i]));
    }
    gradient[k] = value;
  }
  sum = sum_of_row (sum, item, line);
  if (item == 0)
    sums[pair * LENGTH + row] = sum;
  const int here = hidden (item, 2);
  begin_again (gradient, here, line);
  lay_line (gradient, here, line, roots, z0 + image, row);
}

// Sums, `apart` values behind those of lay_gradient: |x' - x|^2; as many further: |x'|^2.
kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
update (global float2 *restrict x, global float2 *restrict q, global const float2 *restrict z0,
        global const Range *circle, global const float2 *roots, global const float2 *lambdas, global float2 *sums,
        int apart)
{
  local float places[ROWS][LOCAL_VALUES];
  const int item = get_local_id (0), row = get_global_id (1), pair = get_global_id (2);
  local float *const line = places[get_local_id (1)];
  const int2 moving = lambdas[pair] >= 0;
  const Range inside = circle[row];
  const size_t image = image_of (pair), first = image + (size_t)row * LENGTH;
  float2 change[VALUES];
  take_line (change, z0 + image, row, item, line, roots);
  float2 changes = 0, squares = 0;
  UNROLLED
  for (int k = 0; k < ROUNDS (LAST) * LAST; k++) {
    const int column = index_of (k, LAST, item);
    if (is_in (column, inside)) {
      const size_t i = first + column;
      const float2 old = x[i], now = select (old, old - change[k], moving), difference = now - old;
      changes += difference * difference;
      squares += now * now;
      x[i] = now;
      q[i] = now + difference;
    }
  }
  changes = sum_of_row (changes, item, line);
  squares = sum_of_row (squares, item, line);
  if (item == 0) {
    sums[apart + pair * LENGTH + row] = changes;
    sums[2 * apart + pair * LENGTH + row] = squares;
  }
}
