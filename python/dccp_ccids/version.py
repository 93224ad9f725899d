# SPDX-License-Identifier: GPL-2.0-only
"""The version of the project, as in its file VERSION."""
__version__ = "1.0"
