# SPDX-License-Identifier: GPL-2.0

KERNEL ?= running

all: modules tools

help:
	@echo 'On this machine:'
	@echo '  make                 build the modules for the running kernel, and dccperf'
	@echo '  make install         install them (a DCCP that is loaded stays until a reboot)'
	@echo
	@echo 'In the lab (guests; nothing is installed or loaded on this machine):'
	@echo '  make setup           get what the lab needs: packages, kernels'
	@echo '  make modules KERNEL=uml|6.12|6.1'
	@echo '  make demo            a video over CCID 2, CCID 3 and MARC'
	@echo '  make test            KUnit and selftests; TESTS="..." for some of them'
	@echo '  make bench           the benchmarks and the experiments of the papers'
	@echo '  make check           checkpatch, sparse, W=1, shellcheck'
	@echo
	@echo '  make clean           remove what was built, keep kernels and downloads'
	@echo '  make distclean       remove these too'

modules:
	lab/build $(KERNEL)

# For the running kernel, in place of the DCCP that came with it.
install: all
	install -D -m 644 -t $(DESTDIR)/lib/modules/$(shell uname -r)/updates \
		build/running/modules/lib/modules/*/updates/*.ko
	install -D -t $(DESTDIR)/usr/local/bin build/tools/dccperf
	$(if $(DESTDIR),,depmod $(shell uname -r))

tools:
	$(MAKE) -s -C tools/dccperf

setup:
	lab/setup

# What the lab needs, quick when it is all there.
guest-%:
	lab/setup $*
	@$(MAKE) -s --no-print-directory tools
	lab/build $*

demo: guest-6.12
	lab/demo

test: guest-uml guest-6.12
	selftests/run --guest $(TESTS)

bench: guest-uml
	lab/bench

check:
	lab/setup uml
	lab/check

clean:
	rm -rf $(filter-out build/debs build/linux build/venv,$(wildcard build/*))

distclean:
	rm -rf build

.PHONY: help all modules install tools setup demo test bench check clean distclean
