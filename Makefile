# SPDX-License-Identifier: GPL-2.0-only

KERNEL ?= running

# depmod is there, which the PATH of a plain su does not have.
export PATH := $(PATH):/usr/sbin:/sbin

# Where lab/build and packaging/make-deb build.  The programs are always in build/.
B := $(or $(LAB_BUILD),build)
$(if $(word 2,$B),$(error LAB_BUILD is a path with a white space, which make cannot handle: $(LAB_BUILD)))

all: modules tools

# Several targets need the same files, each by a make or a script of its own, which would
# work on them at the same time.  These use all processors by themselves.
.NOTPARALLEL:

help:
	@echo 'On this machine:'
	@echo '  make                 the same as make modules tools'
	@echo '  make modules         build the modules for the running kernel'
	@echo '  make tools           dccperf, the elements of GStreamer, the examples in C, programs for tests'
	@echo '  make install         install them (a DCCP that is loaded stays until a reboot)'
	@echo '  make install-tools   install all of it but the modules: tools, manuals, pages, examples'
	@echo '  make uninstall       remove what make install installed'
	@echo '  make deb             Debian packages: modules by DKMS, tools'
	@echo '  make gstreamer       the elements dccpsink and dccpsrc (part of make tools)'
	@echo
	@echo 'In the lab (guests; this machine gets Debian packages, and no modules):'
	@echo '  make setup           get what the lab needs: packages, kernels'
	@echo '  make media           a video in layers for dccperf (part of make setup)'
	@echo '  make modules KERNEL=uml|7.3|7.2|6.12|6.1'
	@echo '  make guest-uml       what a guest with this kernel needs: setup, tools, media, modules'
	@echo '  make demo            a video over CCID 2, CCID 3 and the five schemes'
	@echo '  make test            KUnit and selftests; TESTS="..." for some of them'
	@echo '  make test-debug      the tests in kernels with KASAN, lockdep, kmemleak (long)'
	@echo '  make test-kernels    the tests of 6.12 in 7.3, some in 7.2, VLC, packages (long)'
	@echo '  make test-package    the packages in the kernels of Debian (long)'
	@echo '  make test-readme     README, from nothing to a video, on bare Debian 12 and 13 (long)'
	@echo '  make test-elements   the elements of GStreamer on the same two (long)'
	@echo '  make test-mutations  mutation tests: each test fails without what it tests (long)'
	@echo '  make bench           the benchmarks, calls and shorter experiments (hours)'
	@echo '  make papers          the experiments of all figures and tables of the papers (hours)'
	@echo '  make check           checkpatch, sparse, W=1, shellcheck, ruff, sphinx...'
	@echo '  make docs            the documentation as a web site, build/docs/index.html'
	@echo
	@echo '  make clean           remove what was built, keep kernels and downloads'
	@echo '  make distclean       remove these too'

modules:
	lab/build $(KERNEL)

# For the running kernel, in place of the DCCP that came with it.  All of it is
# built before the first file is replaced.
updates = $(DESTDIR)/lib/modules/$(shell uname -r)/updates
install: all install-tools
	install -D -m 644 -t $(updates) $(B)/running/modules/lib/modules/$(shell uname -r)/updates/*.ko
	$(if $(DESTDIR),,depmod $(shell uname -r))
	$(if $(DESTDIR),,-@tools/dccp-ccids-check)

# Tools, manual pages, the header for programs, examples of configuration and of programs,
# the pages, the dissector for Wireshark.
prefix ?= /usr/local
to := $(DESTDIR)$(prefix)
doc := $(to)/share/doc/dccp-ccids
install-tools: dccperf
	install -D -t $(to)/bin build/tools/dccperf
	install -D -t $(to)/bin tools/ccid-trace
	install -D -t $(to)/sbin tools/dccp-ccids-check
	install -D -m 644 -t $(to)/include/linux include/uapi/linux/dccp_ccid.h
	install -D -m 644 -t $(to)/share/man/man1 Documentation/dccperf.1 Documentation/ccid-trace.1
	install -D -m 644 -t $(to)/share/man/man7 Documentation/dccp-ccids.7
	install -D -m 644 -t $(to)/share/man/man8 Documentation/dccp-ccids-check.8
	cd packaging/etc && for file in */*; do \
		install -D -m 644 $$file $(doc)/etc/$$file || exit; done
	install -D -m 644 -t $(doc) *.md MAINTAINERS
	install -D -m 644 -t $(doc)/dccp_core dccp_core/README.rst
	install -D -m 644 -t $(doc)/wireshark tools/wireshark/dccp-ccid.lua
	install -D -m 644 -t $(doc)/examples examples/*.[ch] examples/*.py
	cd Documentation && find . -name '*.rst' -o -name '*.png' -o -name '*.svg' | \
		while read -r file; do \
		install -D -m 644 $$file $(doc)/Documentation/$$file || exit; done

# The modules of all kernels for which they were installed. Modules of others may be there, too.
ours := dccp dccp_ipv4 dccp_ipv6 dccp_diag dccp_kunit \
	$(foreach name,lib_tfrc $(wildcard ccid_*),$(name) $(name)_kunit)
uninstall:
	rm -f $(foreach name,$(ours),$(DESTDIR)/lib/modules/*/updates/$(name).ko)
	-rmdir --ignore-fail-on-non-empty $(DESTDIR)/lib/modules/*/updates
	rm -f $(to)/bin/dccperf $(to)/bin/ccid-trace $(to)/sbin/dccp-ccids-check \
		$(to)/include/linux/dccp_ccid.h \
		$(addprefix $(to)/share/man/,man1/dccperf.1 man1/ccid-trace.1 \
			man7/dccp-ccids.7 man8/dccp-ccids-check.8)
	rm -rf $(doc)
	$(if $(DESTDIR),,for file in /lib/modules/*/modules.order; do depmod "$$(basename "$${file%/*}")"; done)

# Debian packages: build/deb/*.deb
deb:
	packaging/make-deb

tools: dccperf gstreamer
	$(MAKE) -s -C examples
	$(MAKE) -s -C selftests

dccperf:
	$(MAKE) -s -C tools/dccperf

# The elements of GStreamer, where there are its headers: build/gstreamer
gstreamer:
	@if ! command -v meson >/dev/null || \
		! pkg-config --exists 'gstreamer-base-1.0 >= 1.22' 2>/dev/null; then \
		echo 'make gstreamer: nothing is built, for libgstreamer1.0-dev or meson is missing'; \
	else \
		[ -e build/gstreamer/build.ninja ] || \
			meson setup build/gstreamer gstreamer >/dev/null && \
		ninja --quiet -C build/gstreamer; \
	fi

fuzz-tools:
	$(MAKE) -s -C tools/fuzz

# A video in layers, for dccperf's --frames and --layers.
media: build/media/frames
build/media/frames: lab/layers
	@mkdir -p $(@D)
	lab/layers --seconds 20 >$@.new 2>$(@D)/rates
	@mv $@.new $@

setup:
	lab/setup
	@$(MAKE) -s --no-print-directory media

# What the lab needs. This is quick when all of it is there. Status 3: this Debian does not have the
# kernel, which lab/setup says, so its tests are skipped.
absent = -e $${LAB_CACHE:-build}/linux/$(1)/.absent
guest-%:
	lab/setup $* || [ $$? = 3 ]
	@$(MAKE) -s --no-print-directory tools fuzz-tools media
	[ $(call absent,$*) ] || lab/build $*

demo: guest-uml
	lab/demo

# A repository of packages, and the packages of this project in two versions
apt:
	lab/setup apt
	packaging/make-deb
	packaging/make-deb 9.9~test

test: guest-uml guest-6.12 apt guest-6.1 guest-7.3
	selftests/run --guest $(TESTS)

# In the debug kernels, which are slow
test-debug: guest-uml-debug guest-smp-debug
	lab/setup uml-debug-7.3 && lab/build uml-debug-7.3 || [ $$? = 3 ]
	selftests/run --guest --debug $(TESTS)
	selftests/run --guest --kernel uml-debug-7.3 $(TESTS)

# The socket calls, VLC and socat in 6.1 and 6.12. In kernels without DCCP: what runs in 6.12, whether the one before
# is built and works, and the packages in a Debian 13.
test-kernels: guest-6.1 guest-6.12 guest-7.3 apt
	lab/setup trixie
	lab/setup 7.2 && lab/build 7.2 || [ $$? = 3 ]
	selftests/run --guest --kernel 6.1 sockets.py unmodified.py
	selftests/run --guest --kernel 6.12 python.py sockets.py unmodified.py
	selftests/run --guest --kernel 7.3 $(TESTS)
	selftests/run --guest --kernel 7.2 smoke.py carried.py modules.py sockets.py
	selftests/run --guest --kernel trixie package.sh

test-mutations: guest-uml guest-uml-debug guest-smp-debug guest-6.12 guest-7.3
	lab/mutations

# The packages in Debian's kernels.  With BUILD=1 dkms compiles there, too; use it on hosts
# with KVM.
BUILD ?=
test-package: guest-6.12 guest-6.1 apt
	LAB_FULL=1 selftests/run --guest package.sh
	lab/run --kernel 6.12 --timeout 1800 -- selftests/stock.sh
	for kernel in 6.12 6.1; do \
		[ ! $(call absent,$$kernel) ] || continue; \
		lab/run --kernel $$kernel --memory 3G --timeout 10800 -- \
			env PACKAGE_BUILD=$(BUILD) selftests/package.sh || exit; \
	done

# From Debian's servers
test-readme: guest-uml
	selftests/readme.sh bookworm trixie

test-elements: guest-uml
	selftests/elements.sh bookworm trixie

bench: guest-uml guest-6.12
	lab/setup ns2
	lab/bench

papers: guest-uml
	lab/setup ns2
	lab/papers all

check:
	lab/setup uml
	lab/check

docs:
	lab/setup docs
	$${LAB_CACHE:-build}/venv/bin/sphinx-build -q -W --keep-going \
		Documentation $${LAB_BUILD:-build}/docs

clean:
	rm -rf $(filter-out $(addprefix %/,debs linux venv apt fresh trixie trixie-apt),$(wildcard $(sort build/* $(B)/*)))

distclean: clean
	rm -rf build

.PHONY: help all modules install install-tools uninstall deb apt tools dccperf gstreamer fuzz-tools media setup demo test test-debug test-kernels test-mutations test-package test-readme test-elements bench papers check docs clean distclean
