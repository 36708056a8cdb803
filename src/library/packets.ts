import { setTimeout as pause } from 'node:timers/promises';
import { text } from '../core/bytes/bytes.js';
import { bytesOfDigits, hexQuantity } from '../core/bytes/hex.js';
import { asObject, jsonOf } from '../core/text/json-object.js';
import type { Hex } from './methods.js';
import type { Eip1193Client, EndedPacket, Packet, PacketCommands, WaitOptions } from './packet-types.js';

const LOOK_AGAIN_MS = 50;
const LONGEST_WAIT_MS = 60_000;

/** A packet did not end in time, or cannot proceed; the message names the reason. */
export class PacketStuck extends Error {
  override readonly name = 'PacketStuck';

  constructor(
    message: string,
    /** The last known state of the packet; undefined if none was found. */
    readonly packet: Packet | undefined,
  ) {
    super(message);
  }
}

/**
 * Waits until a packet has ended: it was acknowledged on the chain that sent it, or it timed out there. `which`: the
 * hash of the transaction that sent it, as of a contract's call, or its sequence. `client`: the Ethereum face of the
 * chain that sent it. Throws PacketStuck after `timeoutMs`, for a transaction that sent no packet or several, and at
 * once if a light client has expired.
 */
export async function waitForPacket(
  client: Eip1193Client,
  which: Hex | bigint,
  { timeoutMs = LONGEST_WAIT_MS, signal }: WaitOptions = {},
): Promise<EndedPacket> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const packet = await look(client, which);
    if (packet !== undefined && isEnded(packet)) return packet;
    if (packet?.status === 'lost' || packet?.reason?.startsWith('client ') === true) throw stuck(packet);
    if (performance.now() >= until)
      throw packet === undefined ? new PacketStuck(`${which}: no packet was sent`, undefined) : stuck(packet);
    await pause(LOOK_AGAIN_MS, undefined, { signal });
  }
}

const isEnded = (packet: Packet): packet is EndedPacket =>
  packet.status === 'acknowledged' || packet.status === 'timed out';

const stuck = (packet: Packet): PacketStuck =>
  new PacketStuck(`packet ${packet.sequence} is ${packet.status}: ${packet.reason ?? 'on its way'}`, packet);

/** Finds the packet of a transaction or a sequence; undefined until a block includes the transaction. */
async function look(client: Eip1193Client, which: Hex | bigint): Promise<Packet | undefined> {
  if (typeof which === 'bigint')
    return packetOf(await client.request({ method: 'chronicle_packet', params: [hexQuantity(which)] }));
  const answer = await client.request({ method: 'chronicle_packets', params: [which] });
  if (!Array.isArray(answer)) return undefined;
  const [packet, ...others] = answer.flatMap((one: unknown) => packetOf(one) ?? []);
  if (packet === undefined) throw new PacketStuck(`the transaction ${which} sent no packet`, undefined);
  if (others.length === 0) return packet;
  const sequences = [packet, ...others].map(({ sequence }) => sequence).join(', ');
  throw new PacketStuck(`the transaction ${which} sent several packets; name one: ${sequences}`, packet);
}

/** Parses a packet from an answer of the node; undefined for null. */
function packetOf(json: unknown): Packet | undefined {
  const packet = asObject(json);
  if (packet === undefined) return undefined;
  const { sequence, channel, destinationChannel, status, reason, acknowledgement } = packet;
  const bytes = typeof acknowledgement === 'string' ? bytesOfDigits(acknowledgement.slice(2)) : undefined;
  return {
    sequence: BigInt(String(sequence)),
    channel: String(channel),
    destinationChannel: String(destinationChannel),
    status: status as Packet['status'],
    reason: typeof reason === 'string' ? reason : undefined,
    error: bytes && errorOf(bytes),
  };
}

/** The error text of an ICS-4 acknowledgement; undefined for a success. */
function errorOf(acknowledgement: Uint8Array): string | undefined {
  const error = asObject(jsonOf(text(acknowledgement)))?.['error'];
  return typeof error === 'string' ? error : undefined;
}

/** Creates the packet commands, which call the dev methods of the node behind `client`. */
export function packetCommands(client: Eip1193Client): PacketCommands {
  const ask = (method: string, ...params: readonly unknown[]): Promise<unknown> => client.request({ method, params });
  const quantities = (sequences: readonly bigint[]) => sequences.map(hexQuantity);
  const done = async (method: string, ...params: readonly unknown[]): Promise<void> => {
    await ask(method, ...params);
  };
  return {
    async list() {
      const answer = await ask('chronicle_packets');
      return (Array.isArray(answer) ? answer : []).flatMap((one: unknown) => packetOf(one) ?? []);
    },
    find: (sequence) => look(client, sequence),
    wait: (which, options) => waitForPacket(client, which, options),
    hold: (...sequences) => done('chronicle_holdPackets', ...(sequences.length > 0 ? [quantities(sequences)] : [])),
    release: (...sequences) =>
      done('chronicle_releasePackets', ...(sequences.length > 0 ? [quantities(sequences)] : [])),
    drop: (sequence) => done('chronicle_dropPacket', hexQuantity(sequence)),
    order: (...sequences) => done('chronicle_orderPackets', quantities(sequences)),
    delay: ({ blocks = 0n, seconds = 0n }) =>
      done('chronicle_delayPackets', { blocks: hexQuantity(blocks), seconds: hexQuantity(seconds) }),
    timeOut: (sequence) => done('chronicle_timeOutPacket', hexQuantity(sequence)),
    expireClient: async (clientId) =>
      String(await ask('chronicle_expireClient', ...(clientId === undefined ? [] : [clientId]))),
  };
}
