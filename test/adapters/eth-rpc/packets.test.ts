/** Commands for IBC packets: what they request from a node with a second chain, and the answers of one without it. */
import { describe, expect, test } from 'vitest';
import type { PacketCommands, RelayedPacket } from '../../../src/core/ethereum/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { openFace } from './face.js';

const PACKET: RelayedPacket = {
  sequence: 3n,
  channel: 'channel-0',
  destinationChannel: 'channel-1',
  status: 'received',
  reason: undefined,
  acknowledgement: Uint8Array.of(1, 2),
};
const SHOWN = {
  sequence: '0x3',
  channel: 'channel-0',
  destinationChannel: 'channel-1',
  status: 'received',
  reason: null,
  acknowledgement: '0x0102',
};
const HASH = `0x${'11'.repeat(32)}`;

/** A node with a second chain that records its calls. */
function withSecond() {
  const asked: unknown[] = [];
  const noted =
    <Value>(name: string, value: Value) =>
    (...args: readonly unknown[]): Outcome<Value> => {
      asked.push([name, ...args]);
      return { ok: true, value };
    };
  const later =
    <Value>(name: string, value: Value) =>
    (...args: readonly unknown[]): Promise<Outcome<Value>> =>
      Promise.resolve(noted(name, value)(...args));
  const packets: PacketCommands = {
    list: later('list', [PACKET]),
    ofTransaction: later('ofTransaction', undefined),
    find: later('find', undefined),
    hold: noted('hold', undefined),
    release: noted('release', undefined),
    drop: later('drop', undefined),
    order: later('order', undefined),
    delay: noted('delay', undefined),
    timeOut: later('timeOut', undefined),
    client: noted('client', '07-tendermint-4'),
  };
  return { face: openFace({ dev: true, packets }), asked };
}

const NO_SECOND = 'this node has no second chain: start it with chronicled dev --ibc';

describe('a node without a second chain', () => {
  test.each([
    ['packets'],
    ['packet', 1],
    ['holdPackets'],
    ['releasePackets', [1]],
    ['dropPacket', 1],
    ['orderPackets', [2, 1]],
    ['delayPackets', { blocks: 1 }],
    ['timeOutPacket', '0x1'],
    ['expireClient'],
  ])('refuses with the reason that there is none: %s', async (name, ...params) => {
    const { error } = await openFace({ dev: true }).call(`chronicle_${name}`, ...params);
    expect(error).toEqual({ code: -32000, message: NO_SECOND });
  });

  test('expires the client that is named', async () => {
    const face = openFace({ dev: true });
    expect(await face.call('chronicle_expireClient', '07-tendermint-9')).toMatchObject({ result: '07-tendermint-9' });
    expect(face.node.asked.dev).toEqual([['expireClient', '07-tendermint-9']]);
  });
});

describe('a node with a second chain', () => {
  test('passes each command to the second chain', async () => {
    const { face, asked } = withSecond();
    const result = async (name: string, ...params: readonly unknown[]) =>
      (await face.call(`chronicle_${name}`, ...params)).result;
    expect(await result('packets')).toEqual([SHOWN]);
    expect(await result('packets', HASH)).toBeNull();
    expect(await result('packet', '0x5')).toBeNull();
    for (const [name, ...params] of [
      ['holdPackets'],
      ['releasePackets', ['0x2', 3, 2]],
      ['dropPacket', 7],
      ['orderPackets', [3, 1]],
      ['delayPackets', { seconds: '0x10' }],
      ['timeOutPacket', 8],
    ] as const)
      expect(await result(name, ...params)).toBeNull();
    expect(await result('expireClient')).toBe('07-tendermint-4');
    expect(asked).toEqual([
      ['list'],
      ['ofTransaction', new Uint8Array(32).fill(0x11)],
      ['find', 5n],
      ['hold', undefined],
      ['release', [2n, 3n]],
      ['drop', 7n],
      ['order', [3n, 1n]],
      ['delay', { blocks: 0n, seconds: 16n }],
      ['timeOut', 8n],
      ['client'],
    ]);
    expect(face.node.asked.dev).toEqual([['expireClient', '07-tendermint-4']]);
  });

  test.each([
    ['holdPackets', [1, 'one'], 'invalid hex or decimal integer'],
    ['orderPackets', 5, 'not a list of sequences'],
    ['orderPackets', Array.from({ length: 1_001 }, (_, index) => index), 'limit relayerControls (1000)'],
    ['delayPackets', { blocks: -1 }, 'blocks or seconds is not a number'],
    ['delayPackets', 7, 'not an object with blocks or seconds'],
    ['expireClient', 'no client', 'not the id of a client'],
  ])('refuses %s of %s', async (name, argument, text) => {
    const { error } = await withSecond().face.callOtherwise(`chronicle_${name}`, argument);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(text) });
  });
});
