/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _DCCP_CARRIED_NAMES_H
#define _DCCP_CARRIED_NAMES_H

/*
 * The names of functions that come from the donor, or are written anew (carried.c).
 *
 * The kernel has functions of most of these names, too, which work on its own
 * structures or on TCP's tables.  A name that is missing here ends in one of three
 * ways: modpost finds it undefined; modpost finds it exported twice; or, with nothing
 * to warn of, a function of the kernel's is given a structure of ours.  Therefore all
 * functions of the donor's files are in the list, whether they are used or not.
 */

/* net/ipv4/inet_connection_sock.c */
#define inet_csk_accept				dccp_inet_csk_accept
#define inet_csk_addr2sockaddr			dccp_inet_csk_addr2sockaddr
#define inet_csk_clear_xmit_timers		dccp_inet_csk_clear_xmit_timers
#define inet_csk_clear_xmit_timers_sync		dccp_inet_csk_clear_xmit_timers_sync
#define inet_csk_clone_lock			dccp_inet_csk_clone_lock
#define inet_csk_complete_hashdance		dccp_inet_csk_complete_hashdance
#define inet_csk_delete_keepalive_timer		dccp_inet_csk_delete_keepalive_timer
#define inet_csk_destroy_sock			dccp_inet_csk_destroy_sock
#define inet_csk_get_port			dccp_inet_csk_get_port
#define inet_csk_init_xmit_timers		dccp_inet_csk_init_xmit_timers
#define inet_csk_listen_start			dccp_inet_csk_listen_start
#define inet_csk_listen_stop			dccp_inet_csk_listen_stop
#define inet_csk_prepare_for_destroy_sock	dccp_inet_csk_prepare_for_destroy_sock
#define inet_csk_prepare_forced_close		dccp_inet_csk_prepare_forced_close
#define inet_csk_reqsk_queue_add		dccp_inet_csk_reqsk_queue_add
#define inet_csk_reqsk_queue_drop		dccp_inet_csk_reqsk_queue_drop
#define inet_csk_reqsk_queue_drop_and_put	dccp_inet_csk_reqsk_queue_drop_and_put
#define inet_csk_reqsk_queue_hash_add		dccp_inet_csk_reqsk_queue_hash_add
#define inet_csk_reset_keepalive_timer		dccp_inet_csk_reset_keepalive_timer
#define inet_csk_route_child_sock		dccp_inet_csk_route_child_sock
#define inet_csk_route_req			dccp_inet_csk_route_req
#define inet_csk_update_fastreuse		dccp_inet_csk_update_fastreuse
#define inet_csk_update_pmtu			dccp_inet_csk_update_pmtu
#define inet_rcv_saddr_any			dccp_inet_rcv_saddr_any
#define inet_rcv_saddr_equal			dccp_inet_rcv_saddr_equal
#define inet_reqsk_alloc			dccp_inet_reqsk_alloc
#define inet_rtx_syn_ack			dccp_inet_rtx_syn_ack

/* net/ipv4/inet_hashtables.c */
#define __inet_hash				dccp__inet_hash
#define __inet_hash_connect			dccp__inet_hash_connect
#define __inet_inherit_port			dccp__inet_inherit_port
#define __inet_lookup_established		dccp__inet_lookup_established
#define __inet_lookup_listener			dccp__inet_lookup_listener
#define inet_bhash2_addr_any_hashbucket		dccp_inet_bhash2_addr_any_hashbucket
#define inet_bhash2_reset_saddr			dccp_inet_bhash2_reset_saddr
#define inet_bhash2_update_saddr		dccp_inet_bhash2_update_saddr
#define inet_bind2_bucket_create		dccp_inet_bind2_bucket_create
#define inet_bind2_bucket_destroy		dccp_inet_bind2_bucket_destroy
#define inet_bind2_bucket_find			dccp_inet_bind2_bucket_find
#define inet_bind2_bucket_match_addr_any	dccp_inet_bind2_bucket_match_addr_any
#define inet_bind_bucket_create			dccp_inet_bind_bucket_create
#define inet_bind_bucket_destroy		dccp_inet_bind_bucket_destroy
#define inet_bind_bucket_match			dccp_inet_bind_bucket_match
#define inet_bind_hash				dccp_inet_bind_hash
#define inet_ehash_insert			dccp_inet_ehash_insert
#define inet_ehash_locks_alloc			dccp_inet_ehash_locks_alloc
#define inet_ehash_nolisten			dccp_inet_ehash_nolisten
#define inet_ehashfn				dccp_inet_ehashfn
#define inet_hash				dccp_inet_hash
#define inet_hash_connect			dccp_inet_hash_connect
#define inet_hashinfo2_init_mod			dccp_inet_hashinfo2_init_mod
#define inet_lookup_reuseport			dccp_inet_lookup_reuseport
#define inet_lookup_run_sk_lookup		dccp_inet_lookup_run_sk_lookup
#define inet_pernet_hashinfo_alloc		dccp_inet_pernet_hashinfo_alloc
#define inet_pernet_hashinfo_free		dccp_inet_pernet_hashinfo_free
#define inet_put_port				dccp_inet_put_port
#define inet_unhash				dccp_inet_unhash
#define sock_gen_put				dccp_sock_gen_put

/* net/ipv4/inet_timewait_sock.c */
#define __inet_twsk_schedule			dccp__inet_twsk_schedule
#define inet_twsk_alloc				dccp_inet_twsk_alloc
#define inet_twsk_bind_unhash			dccp_inet_twsk_bind_unhash
#define inet_twsk_deschedule_put		dccp_inet_twsk_deschedule_put
#define inet_twsk_free				dccp_inet_twsk_free
#define inet_twsk_hashdance_schedule		dccp_inet_twsk_hashdance_schedule
#define inet_twsk_purge				dccp_inet_twsk_purge
#define inet_twsk_put				dccp_inet_twsk_put

/* net/ipv6/inet6_connection_sock.c */
#define inet6_csk_addr2sockaddr			dccp_inet6_csk_addr2sockaddr
#define inet6_csk_route_req			dccp_inet6_csk_route_req
#define inet6_csk_update_pmtu			dccp_inet6_csk_update_pmtu
#define inet6_csk_xmit				dccp_inet6_csk_xmit

/* net/ipv6/inet6_hashtables.c */
#define __inet6_lookup_established		dccp__inet6_lookup_established
#define inet6_ehashfn				dccp_inet6_ehashfn
#define inet6_hash				dccp_inet6_hash
#define inet6_hash_connect			dccp_inet6_hash_connect
#define inet6_lookup				dccp_inet6_lookup
#define inet6_lookup_listener			dccp_inet6_lookup_listener
#define inet6_lookup_reuseport			dccp_inet6_lookup_reuseport

/* carried.c */
#define __reqsk_free				dccp__reqsk_free
#define inet6_sk_rebuild_header			dccp_inet6_sk_rebuild_header
#define inet_sk_rebuild_header			dccp_inet_sk_rebuild_header
#define inet_sk_state_store			dccp_inet_sk_state_store
#define ip_build_and_send_pkt			dccp_ip_build_and_send_pkt
#define ipv6_opt_accepted			dccp_ipv6_opt_accepted
#define reqsk_queue_alloc			dccp_reqsk_queue_alloc
#define secure_dccp_sequence_number		dccp_secure_dccp_sequence_number
#define secure_dccpv6_sequence_number		dccp_secure_dccpv6_sequence_number
#define sk_free_unlock_clone			dccp_sk_free_unlock_clone
#define sk_stream_wait_close			dccp_sk_stream_wait_close

/* carried_diag.c */
#define inet_diag_dump_icsk			dccp_inet_diag_dump_icsk
#define inet_diag_dump_one_icsk			dccp_inet_diag_dump_one_icsk
#define inet_diag_find_one_icsk			dccp_inet_diag_find_one_icsk

#endif /* _DCCP_CARRIED_NAMES_H */
