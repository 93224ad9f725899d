/* SPDX-License-Identifier: GPL-2.0-only */
/* DCCP sockets: their options and their state. */
#ifndef DCCPERF_DCCP_H
#define DCCPERF_DCCP_H

#include <sys/socket.h>
#include "test.h"

#define MAX_CCIDS	8
#define REGISTERED_UDP	6511	/* RFC 6773, 7.1 */
#define UDP_OF_SYSCTL	-1	/* the port is that of net.dccp.udp_port */

struct ccid_list {
	u8		ccid[MAX_CCIDS];
	int		n;
};

const char *ccid_name(int ccid, char *buf, size_t n);
int ccid_parse_list(const char *arg, struct ccid_list *l);
int dccp_open(int family, bool only, const struct ccid_list *tx,
	      const struct ccid_list *rx);
void dccp_set_udp(int fd, int port);
int dccp_udp_port(int want);
void dccp_set_test(int fd, const struct test *t, bool sending);
int dccp_get_int(int fd, int opt);
void dccp_tx_info(int fd, struct tx_info *info);
void dccp_rx_info(int fd, struct rx_info *info);
void dccp_check_ccid(const char *whose, const char *server_knob,
		     const struct ccid_list *want, int got);
const char *addr_text(const struct sockaddr_storage *ss, char *buf, size_t n);
u16 addr_port(const struct sockaddr_storage *ss);
bool addr_same_host(const struct sockaddr_storage *a,
		    const struct sockaddr_storage *b);

#endif /* DCCPERF_DCCP_H */
