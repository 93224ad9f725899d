/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flag --udp[=PORT] of the examples: DCCP over UDP (RFC 6773), for NATs. A receiver
 * receives at this UDP port, a sender sends to it. Without PORT it is net.dccp.udp_port
 * of this host, which must not be 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Take the flag out of the arguments. Returns the UDP port; 0: plain DCCP. */
static int take_udp(int *argc, char **argv, int receives)
{
	int i = 1, here = 0, port;
	const char *value;
	FILE *sysctl;

	while (i < *argc && strcmp(argv[i], "--udp") && strncmp(argv[i], "--udp=", 6))
		i++;
	if (i == *argc)
		return 0;
	value = strchr(argv[i], '=');
	port = value ? atoi(value + 1) : 0;
	if (value && (port < 1 || port > 65535)) {
		fprintf(stderr, "%s: the port must be 1 to 65535\n", argv[i]);
		exit(2);
	}
	for (--*argc; i <= *argc; i++)
		argv[i] = argv[i + 1];	/* the last one is NULL */

	sysctl = fopen("/proc/sys/net/dccp/udp_port", "r");
	if (!sysctl || fscanf(sysctl, "%d", &here) != 1) {
		perror("no DCCP over UDP on this host: net.dccp.udp_port");
		exit(1);
	}
	fclose(sysctl);
	if (!here || (receives && port && here != port)) {
		fprintf(stderr, "net.dccp.udp_port is %d here: as root, sysctl net.dccp.udp_port=%d\n",
			here, receives && port ? port : 6511);
		exit(1);
	}
	return port ? port : here;
}
