# SPDX-License-Identifier: LGPL-3.0-or-later
"""Functions with the names, arguments and conventions of other packages, so that a script changes one import."""
