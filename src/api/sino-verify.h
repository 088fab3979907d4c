/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-error.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * sino_verify:
 * @path: (type filename): a file, a folder of slices or of several results, or `path` of `write`
 * @cancellable: (nullable): ends it when it is cancelled, from any thread
 * @error: return location for an error
 *
 * Reads results again and compares them with the checksums that the runs which wrote them have kept, as `sinograph
 * verify` does. Waits for that. A result that is not as it was written is no error.
 *
 * Gives a list of type `aa{sv}`, which has for each output:
 *
 * - `output` (`s`): its path
 * - `kind` (`s`): "images", or "rows", which have a line of every image
 * - `right`, `all` (`x`): how many are as they were written, of how many; the result is good where these are equal
 * - `changed`, `missing` (`as`): the others: names of files, or numbers of images or rows
 * - `why` (`s`): where the output cannot be read at all, what the error was, else empty
 *
 * Fails with %SINO_ERROR_NOT_FOUND when there are no checksums, with %SINO_ERROR_BAD_FILE when there is no such file
 * or folder, and with %G_IO_ERROR_CANCELLED when it was cancelled.
 *
 * Returns: (transfer full): what was found
 */
SINO_PUBLIC
GVariant *sino_verify (const gchar *path, GCancellable *cancellable, GError **error);

G_END_DECLS
