# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: ns lab/ns2.tcl FILE
#
# The dumbbell of lab/topology in ns-2, whose TFRC, TCP and RED share nothing with Linux.
# labkit/ns2.py writes FILE, which calls what is here.  packets.tr gets a line for each
# packet at the bottleneck and behind it, rates.txt the rate of each TFRC flow.

set ns [new Simulator]
set first_loss 1
set tfrcs {}

# A link without a rate that matters, in one direction.
proc free_link {from to delay} {
	global ns

	$ns simplex-link $from $to 100Gb $delay DropTail
	$ns queue-limit $from $to 1000000
}

# dumbbell RATE HALF ROOM KIND: bit/s; half of the RTT, s; packets; DropTail or RED
proc dumbbell {rate half room kind} {
	global ns left r1 r2 right

	foreach name {left r1 r2 right} {
		set $name [$ns node]
	}
	free_link $left $r1 0
	free_link $r1 $left 0
	$ns simplex-link $r1 $r2 $rate 0 $kind
	$ns queue-limit $r1 $r2 $room
	free_link $r2 $r1 $half
	free_link $r2 $right $half
	free_link $right $r2 0

	set trace [open packets.tr w]
	$ns trace-queue $r1 $r2 $trace
	$ns trace-queue $r2 $r1 $trace
	$ns trace-queue $r2 $right $trace
}

# apart DELAYS: receivers behind r2, so many s away; way FLOW N: a flow goes to the Nth, from 0
proc apart {delays} {
	global ns r2 rights

	foreach delay $delays {
		set node [$ns node]
		free_link $r2 $node $delay
		free_link $node $r2 0
		lappend rights $node
	}
}

proc way {flow n} {
	global ways

	set ways($flow) $n
}

# The room of a drop-tail queue is in bytes.
proc in_bytes {} {
	global ns r1 r2

	set queue [[$ns link $r1 $r2] queue]
	$queue set queue_in_bytes_ true
	$queue set mean_pktsize_ 1
}

# red PACKET MIN MAX PROBABILITY GENTLE WAIT: bytes of a packet, thresholds in packets
proc red {packet min max probability gentle wait} {
	global ns r1 r2

	set queue [[$ns link $r1 $r2] queue]
	$queue set queue_in_bytes_ true
	$queue set bytes_ false
	$queue set mean_pktsize_ $packet
	$queue set thresh_ $min
	$queue set maxthresh_ $max
	$queue set linterm_ [expr 1.0 / $probability]
	$queue set q_weight_ [expr 1.0 / 512]
	$queue set gentle_ $gentle
	$queue set wait_ $wait
}

# Drop each EVERYth packet to the receivers from a time on.
proc periodic_loss {when every} {
	global ns r2 right

	set model [new ErrorModel/Periodic]
	$model unit pkt
	$model set period_ $every
	$model set offset_ 1
	$model drop-target [new Agent/Null]
	$model set enable_ 0
	$ns link-lossmodel $model $r2 $right
	$ns at $when "$model set enable_ 1"
}

# Connect two agents, whose packets have the number of the flow.
proc join {source sink flow} {
	global ns left right rights ways

	$ns attach-agent $left $source
	if {[info exists ways($flow)]} {
		$ns attach-agent [lindex $rights $ways($flow)] $sink
	} else {
		$ns attach-agent $right $sink
	}
	$source set fid_ $flow
	$sink set fid_ $flow
	$ns connect $source $sink
}

# tfrc FLOW START END PACKET RATE QUEUE SAMPLES VARIABLES: RATE of 0 is a greedy source, others
# have so many bytes/s, of which QUEUE packets wait; SAMPLES is the length of the loss
# history; VARIABLES are names and values of Agent/TFRC.
proc tfrc {flow start end packet rate queue samples variables} {
	global ns tfrcs first_loss

	set source [new Agent/TFRC]
	set sink [new Agent/TFRCSink]
	join $source $sink $flow
	$source set packetSize_ $packet
	$source set useHeaders_ false
	$sink set NumSamples_ $samples
	$sink set printLoss_ $first_loss
	set first_loss 0
	foreach {name value} $variables {
		$source set $name $value
	}
	if {$rate > 0} {
		$source set SndrType_ 1
		$source set maxqueue_ $queue
		set what [new Application/Traffic/CBR]
		$what attach-agent $source
		$what set packetSize_ $packet
		$what set rate_ [expr 8 * $rate]
		$what set random_ 0
	} else {
		set what $source
	}
	$ns at $start "$what start"
	$ns at $end "$what stop; $source stop"
	lappend tfrcs $source
}

# tcp FLOW KIND SINK START END SEGMENT WINDOW BYTES VARIABLES: BYTES of 0 is a greedy source;
# VARIABLES are those of Agent/TCP.  The kind Linux is ns-2's copy of the TCP of Linux 2.6.
proc tcp {flow kind sink start end segment window bytes variables} {
	global ns

	set source [new Agent/TCP/$kind]
	join $source [new Agent/$sink] $flow
	$source set packetSize_ $segment
	$source set windowInit_ $window
	$source set window_ 10000
	foreach {name value} $variables {
		$source set $name $value
	}
	if {$kind eq "Linux"} {
		$ns at 0 "$source select_ca reno"
	}
	set ftp [new Application/FTP]
	$ftp attach-agent $source
	if {$bytes > 0} {
		$ns at $start "$ftp send $bytes"
	} else {
		$ns at $start "$ftp start"
	}
	$ns at $end "$ftp stop"
}

# udp FLOW PACKET TIMES: a packet at each of these times
proc udp {flow packet times} {
	global ns udp_times

	set source [new Agent/UDP]
	join $source [new Agent/Null] $flow
	$source set packetSize_ $packet
	if {[llength $times] > 0} {
		set udp_times($flow) $times
		$ns at [lindex $times 0] "send_udp $flow $source $packet 0"
	}
}

# Send the packet of this number, and note the next one: ns-2 is slow with many events.
proc send_udp {flow source packet number} {
	global ns udp_times

	$source send $packet
	incr number
	if {$number < [llength $udp_times($flow)]} {
		$ns at [lindex $udp_times($flow) $number] "send_udp $flow $source $packet $number"
	}
}

proc sample {interval} {
	global ns tfrcs rates

	set line [$ns now]
	foreach source $tfrcs {
		lappend line [$source set rate_]
	}
	puts $rates $line
	$ns at [expr [$ns now] + $interval] "sample $interval"
}

# run SECONDS INTERVAL: with a line in rates.txt each INTERVAL
proc run {seconds interval} {
	global ns rates

	set rates [open rates.txt w]
	$ns at 0 "sample $interval"
	$ns at $seconds "close $rates; exit 0"
	$ns run
}

source [lindex $argv 0]
