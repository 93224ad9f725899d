-- SPDX-License-Identifier: GPL-2.0-only
--
-- Names the options of the CCIDs from 248 to 252 in DCCP packets, for Wireshark
-- and tshark, which show them as bytes:
--
--	tshark -X lua_script:dccp-ccid.lua -r FILE -O dccp_ccid
--
-- or put it in the folder that Help > About > Folders calls Personal Lua Plugins.
-- The layouts are those of lib_tfrc/options.c and of the schemes' wire.c. Options from 128 to 191 are from
-- the sender of data, those from 192 on from its receiver.

local ccid = Proto("dccp_ccid", "DCCP CCID options")

local f = ccid.fields
f.interval = ProtoField.uint32("dccp_ccid.interval", "Report interval (us)")
f.interval_rtt = ProtoField.uint32("dccp_ccid.interval_rtt", "Round-trip time (us)")
f.rtt = ProtoField.uint32("dccp_ccid.rtt", "Smoothed round-trip time (us)")
f.deviation = ProtoField.uint32("dccp_ccid.deviation", "Its deviation (us)")
f.round_rate = ProtoField.uint32("dccp_ccid.round_rate", "Present rate (bytes/s)")
f.round_waited = ProtoField.uint32("dccp_ccid.round_waited", "Waited since the report (us)")
f.layer = ProtoField.uint32("dccp_ccid.layer", "Rate up to this layer (bytes/s)")
f.ect1 = ProtoField.uint8("dccp_ccid.ect1", "Sent with ECT(1)")
f.loss_event_rate = ProtoField.uint32("dccp_ccid.loss_event_rate",
				      "Inverse of the loss event rate (4294967295: no loss)")
f.receive_rate = ProtoField.uint32("dccp_ccid.receive_rate", "Receive rate (bytes/s)")
f.lost = ProtoField.uint16("dccp_ccid.lost", "Packets lost, modulo 2^16")
f.marked = ProtoField.uint16("dccp_ccid.marked", "Packets marked, modulo 2^16")
f.loss_share = ProtoField.uint32("dccp_ccid.loss_share", "Share of packets lost (2^-32)")
f.bottleneck = ProtoField.uint32("dccp_ccid.bottleneck", "Bottleneck (bytes/s, 0: unknown)")
f.request_rate = ProtoField.uint32("dccp_ccid.request_rate", "Rate to send at (bytes/s)")
f.request_timeout = ProtoField.uint32("dccp_ccid.request_timeout", "Receiver's timeout (us)")
f.arrival = ProtoField.uint32("dccp_ccid.arrival", "Arrival of the acknowledged packet by the receiver's clock (us)")
f.request_number = ProtoField.uint8("dccp_ccid.request_number", "Round or number of layers")
local malformed = ProtoExpert.new("dccp_ccid.malformed", "Option of a wrong length",
				  expert.group.MALFORMED, expert.severity.ERROR)
ccid.experts = { malformed }

-- Type of an option: its name, then the fields in its value, with their lengths.
local options = {
	[136] = { "Interval", f.interval, 4, f.interval_rtt, 4 },
	[137] = { "RTT", f.rtt, 4, f.deviation, 4 },
	[138] = { "Round", f.round_rate, 4, f.round_waited, 4 },
	[139] = { "Layers", repeated = f.layer },
	[140] = { "L4S", f.ect1, 1 },
	[192] = { "Loss Event Rate", f.loss_event_rate, 4 },
	[194] = { "Receive Rate", f.receive_rate, 4 },
	[200] = { "Signals", f.lost, 2, f.marked, 2 },
	[201] = { "Loss Share", f.loss_share, 4 },
	[202] = { "Bottleneck", f.bottleneck, 4 },
	[203] = { "Request", f.request_rate, 4, f.request_timeout, 4, f.request_number, 1 },
	[204] = { "Arrival", f.arrival, 4 },
	[205] = { "L4S Read" },
}

-- Packet types of RFC 4340, 5.1, and what is between the header and the options.
local subheader = { [0] = 4, 12, 0, 8, 8, 8, 8, 12, 8, 8 }

local port = Field.new("dccp.srcport")

local function add(tree, tvb, at, length)
	local known = options[tvb(at, 1):uint()]
	local item, from = tree:add(ccid, tvb(at, length), known[1]), at + 2

	if known.repeated then
		if length < 6 or (length - 2) % 4 ~= 0 then
			item:add_proto_expert_info(malformed)
			return
		end
		while from < at + length do
			item:add(known.repeated, tvb(from, 4))
			from = from + 4
		end
		return
	end
	local needed = 2
	for i = 3, #known, 2 do
		needed = needed + known[i]
	end
	if needed ~= length then
		item:add_proto_expert_info(malformed)
		return
	end
	for i = 2, #known, 2 do
		item:add(known[i], tvb(from, known[i + 1]))
		from = from + known[i + 1]
	end
end

function ccid.dissector(_, pinfo, root)
	local start = port()

	if not start then
		return
	end
	-- Not that of the frame, where IP fragments were put together.
	local tvb, at = start.source, start.offset

	-- ICMP may quote 8 bytes of the header, and a capture may be cut.
	if at + 9 > tvb:len() then
		return
	end
	local kind = tvb(at + 8, 1):bitfield(3, 4)
	local extended = tvb(at + 8, 1):bitfield(7, 1)
	local stop = math.min(at + 4 * tvb(at + 4, 1):uint(), tvb:len())
	local tree

	if extended == 0 or not subheader[kind] then
		return
	end
	at = at + 16 + subheader[kind]
	while at < stop do
		local option = tvb(at, 1):uint()
		local length = 1

		if option >= 32 then
			if at + 1 >= stop then
				return
			end
			length = tvb(at + 1, 1):uint()
			if length < 2 or at + length > stop then
				return
			end
			if options[option] then
				tree = tree or root:add(ccid, tvb(at, stop - at))
				add(tree, tvb, at, length)
			end
		end
		at = at + length
	end
end

register_postdissector(ccid)

-- DCCP over UDP (RFC 6773), at its registered port
DissectorTable.get("udp.port"):add(6511, DissectorTable.get("ip.proto"):get_dissector(33))
