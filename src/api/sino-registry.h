/* SPDX-License-Identifier: LGPL-3.0-or-later */
#pragma once

#include "sino-task.h"

G_BEGIN_DECLS

/**
 * SinoRegistry:
 *
 * The nodes that there are: those of the modules in the install folder and in `SINOGRAPH_PLUGIN_PATH`, and those that
 * the program itself adds. A module hides those with the same file name in later folders: `SINOGRAPH_PLUGIN_PATH` comes
 * before the install folder, and of its folders the first wins. There is one registry in a process; its functions may
 * be called from any thread.
 */
typedef struct SinoRegistry SinoRegistry;

/**
 * sino_registry_list:
 *
 * Lists the names of all nodes.
 *
 * Returns: (array zero-terminated=1) (transfer full): the names, sorted
 */
SINO_PUBLIC
gchar **sino_registry_list (void);

/**
 * sino_registry_find:
 * @name: name of a node, as in `back-project`
 * @error: return location for an error
 *
 * Finds the type of a node.
 *
 * Fails with %SINO_ERROR_NOT_FOUND when there is none; the message names the nearest one, and modules that were
 * refused.
 *
 * Returns: a type derived from [class@Sino.Task], or %G_TYPE_INVALID
 */
SINO_PUBLIC
GType sino_registry_find (const gchar *name, GError **error);

/**
 * sino_registry_register:
 * @name: name of the node in graphs: lower-case words joined by `-`, which may have digits after the first letter
 * @type: a type derived from [class@Sino.Task]
 * @error: return location for an error
 *
 * Adds a node of the program's own, so that graph files and launch lines can name it.
 *
 * Fails with %SINO_ERROR_EXISTS when another type has the name, and with %SINO_ERROR_FAILED when @type is no task or
 * @name no such name.
 *
 * Returns: whether the node was added
 */
SINO_PUBLIC
gboolean sino_registry_register (const gchar *name, GType type, GError **error);

/**
 * sino_registry_get_summary:
 * @name: name of a node
 * @error: return location for an error
 *
 * Says in a line what a node does.
 *
 * Fails with %SINO_ERROR_NOT_FOUND when there is no such node.
 *
 * Returns: (transfer none): the line; empty for nodes that the program itself added
 */
SINO_PUBLIC
const gchar *sino_registry_get_summary (const gchar *name, GError **error);

/**
 * sino_registry_describe:
 * @name: name of a node
 * @error: return location for an error
 *
 * Describes a node, of type `a{sv}`, as `sinograph inspect --json` does:
 *
 * - `name`, `summary` and `type` (`s`): as in graphs, what it does, and the name of its GType
 * - `module` (`s`): path of its module; absent for the library's own nodes; `page` (`s`): of its documentation, if
 * installed
 * - `composite` (`b`): whether it stands for other nodes
 * - `devices` (`as`): kinds of devices that it runs on; absent for composites
 * - `inputs` (`aa{sv}`): for each `name` (`s`) and `optional` (`b`); or `inputs-unknown` (`s`): why they are unknown
 * - `output` (`b`): whether it has one
 * - `formats` (`aa{sv}`): pairs of what it `takes` and `gives` (`a{sv}`), each with `kind`, `element` (`s`) and `axes`
 * (`as`); `formats-unknown` (`s`): why they are unknown
 * - `properties` (`aa{sv}`): for each `name`, `type` (`s`), `default`, `minimum`, `maximum` (of the property's type, if
 * there are any), `choices` (`as`, if it has a choice), `blurb` (`s`) and `live` (`b`)
 *
 * Fails with %SINO_ERROR_NOT_FOUND when there is no such node.
 *
 * Returns: (transfer full): the description
 */
SINO_PUBLIC
GVariant *sino_registry_describe (const gchar *name, GError **error);

/**
 * sino_registry_list_refused:
 *
 * Lists the modules that were found but not loaded, as those made for another version, and nodes of modules that are
 * not used, as those whose name is taken.
 *
 * Returns: (array zero-terminated=1) (transfer full): a message for each, after the path of the module
 */
SINO_PUBLIC
gchar **sino_registry_list_refused (void);

G_END_DECLS
