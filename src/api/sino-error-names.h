/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"

G_BEGIN_DECLS

/**
 * sino_error_get_node:
 * @error: an error
 *
 * Gives the name of the node that an error is about, in the graph: "reconstruct", or "reconstruct/back-project" for one
 * that a node stands for.
 *
 * Returns: (transfer none) (nullable): the name, as long as @error, or %NULL where the error is of another domain or
 * not about a node
 */
SINO_PUBLIC
const gchar *sino_error_get_node (const GError *error);

/**
 * sino_error_get_property:
 * @error: an error
 *
 * Gives the name of the property whose value or name is the mistake.
 *
 * Returns: (transfer none) (nullable): the name, as long as @error, or %NULL where the error is of another domain or
 * not about a property
 */
SINO_PUBLIC
const gchar *sino_error_get_property (const GError *error);

G_END_DECLS
