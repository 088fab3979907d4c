// SPDX-License-Identifier: LGPL-3.0-or-later
// The stages of CGLS's rows. x, the residual r and the direction p are 0 outside the circle; q is not read there.

kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
lay (global const float2 *p, global float2 *z0, global float2 *z1, global const Range *circle,
     global const float2 *roots, global const float2 *half_turns)
{
  local float places[ROWS][LOCAL_VALUES];
  const int item = get_local_id (0), row = get_global_id (1);
  const size_t image = image_of (get_global_id (2));
  lay_row (p + image + (size_t)row * LENGTH, circle[row], item, places[get_local_id (1)], roots, half_turns, z0 + image,
           z1 + image, row);
}

// q = T p. Sums: p.q.
kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
take_product (global const float2 *p, global float2 *q, global const float2 *z0, global const float2 *z1,
              global const Range *circle, global const float2 *roots, global const float2 *half_turns,
              global float2 *sums)
{
  local float places[ROWS][LOCAL_VALUES];
  const int item = get_local_id (0), row = get_global_id (1), pair = get_global_id (2);
  local float *const line = places[get_local_id (1)];
  const Range inside = circle[row];
  const size_t image = image_of (pair), first = image + (size_t)row * LENGTH;
  float2 product[VALUES];
  take_row (product, z0 + image, z1 + image, row, item, line, roots, half_turns);
  float2 sum = 0;
  UNROLLED
  for (int k = 0; k < ROUNDS (LAST) * LAST; k++) {
    const int column = index_of (k, LAST, item);
    if (is_in (column, inside)) {
      sum += p[first + column] * product[k];
      q[first + column] = product[k];
    }
  }
  sum = sum_of_row (sum, item, line);
  if (item == 0)
    sums[pair * LENGTH + row] = sum;
}

// x += alpha p; r -= alpha q. Sums: |r|^2.
kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
step_along (global float2 *restrict x, global float2 *restrict r, global const float2 *restrict p,
      global const float2 *restrict q, global const Range *circle, global const float2 *alphas, global float2 *sums)
{
  local float places[ROWS][2 * ITEMS];
  const int item = get_local_id (0), row = get_global_id (1), pair = get_global_id (2);
  const float2 alpha = alphas[pair];
  const Range inside = circle[row];
  const size_t first = image_of (pair) + (size_t)row * LENGTH;
  float2 sum = 0;
  PARTLY_UNROLLED
  for (int column = item; column < LENGTH; column += ITEMS)
    if (is_in (column, inside)) {
      const size_t i = first + column;
      const float2 rest = r[i] - alpha * q[i];
      x[i] += alpha * p[i];
      r[i] = rest;
      sum += rest * rest;
    }
  sum = sum_of_row (sum, item, places[get_local_id (1)]);
  if (item == 0)
    sums[pair * LENGTH + row] = sum;
}

// p = r + beta p.
kernel __attribute__ ((reqd_work_group_size (ITEMS, ROWS, 1))) void
turn (global float2 *restrict p, global const float2 *restrict r, global const Range *circle,
      global const float2 *betas)
{
  const int row = get_global_id (1), pair = get_global_id (2);
  const float2 beta = betas[pair];
  const Range inside = circle[row];
  const size_t first = image_of (pair) + (size_t)row * LENGTH;
  PARTLY_UNROLLED
  for (int column = get_local_id (0); column < LENGTH; column += ITEMS)
    if (is_in (column, inside))
      p[first + column] = r[first + column] + beta * p[first + column];
}
