# SPDX-License-Identifier: GPL-2.0-only
"""Sphinx builds these pages with it: "make docs"."""
project = "DCCP CCIDs for media"
author = "the authors"
copyright = author
html_theme = "alabaster"
html_theme_options = {"page_width": "1080px", "fixed_sidebar": True}
html_show_sourcelink = False
# Included by other pages
exclude_patterns = ["results"]
