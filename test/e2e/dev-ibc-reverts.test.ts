/** `dev --ibc` after a revert or reset of one of its chains: what the relayer repairs, and what it logs. */
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { type Eip1193Client, waitForPacket } from '../../src/index.js';
import { type DaemonProcess, startDaemonProcess } from '../support/daemon.js';

const ICS20 = parseAbi([
  'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
  'function transfer(string sourcePort, string sourceChannel, string denom, uint256 amount, address sender, string receiver, Height timeoutHeight, uint64 timeoutTimestamp, string memo) returns (uint64)',
]);
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const RECEIVER = 'chron1wzvhjux9rqfdcwspp37srdgwp5tac7wgluxru9';
/** Nanoseconds of the year 2100: later than any clock that a test sets. */
const LATE = 4_102_444_800_000_000_000n;
const SOON = { timeout: 30_000, interval: 50 };

class Chain {
  constructor(
    readonly url: string,
    readonly channel: string,
  ) {}

  async ask(method: string, ...params: readonly unknown[]) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = JSON.parse(await (await fetch(this.url, { method: 'POST', headers, body })).text());
    if (error !== undefined) throw new Error(error.message);
    return result;
  }

  /** Sends tokens of the chain through the ICS-20 precompile. Returns the sequence of the packet. */
  async send(amount: bigint, channel = this.channel): Promise<string> {
    const data = encodeFunctionData({
      abi: ICS20,
      functionName: 'transfer',
      args: [
        'transfer',
        channel,
        'achr',
        amount,
        SENDER,
        RECEIVER,
        { revisionNumber: 0n, revisionHeight: 0n },
        LATE,
        '',
      ],
    });
    const to = '0x0000000000000000000000000000000000000802';
    const hash = await this.ask('eth_sendTransaction', { from: SENDER, to, data });
    const [packet] = await this.ask('chronicle_packets', hash);
    return packet.sequence;
  }

  async statusOf(sequence: string): Promise<string | undefined> {
    return (await this.ask('chronicle_packet', sequence))?.status;
  }
}

function chainsOf({ ready, endpoints }: DaemonProcess): readonly [Chain, Chain] {
  const { ibc } = ready;
  return [
    new Chain(endpoints.eth_http ?? '', ibc?.channel_id ?? ''),
    new Chain(ibc?.endpoints.eth_http ?? '', ibc?.counterparty_channel_id ?? ''),
  ];
}

/** The Ethereum JSON-RPC of a chain. */
const client = (chain: Chain): Eip1193Client => ({
  request: ({ method, params = [] }) => chain.ask(method, ...params),
});

/** Number of times that a text is in the log of the node. */
const told = (daemon: DaemonProcess, text: string): number => daemon.stderr().split(text).length - 1;

test.each(['here', 'there'] as const)(
  'the relayer opens another channel after a reset of the chain %s, whose clock was ahead',
  async (side) => {
    const daemon = await startDaemonProcess({ args: ['--ibc', '--ephemeral'] });
    const [here, there] = chainsOf(daemon);
    const taken = side === 'here' ? here : there;
    await taken.ask('evm_increaseTime', 100_000);
    const [first, second] = [await here.send(5n), await there.send(5n)];
    await expect.poll(() => here.statusOf(first), SOON).toBe('acknowledged');
    await expect.poll(() => there.statusOf(second), SOON).toBe('acknowledged');
    await taken.ask('anvil_reset');
    await expect.poll(() => told(daemon, 'the relayer opened another channel'), SOON).toBe(1);
    const [hereAgain, thereAgain] = side === 'here' ? ['channel-0', 'channel-1'] : ['channel-1', 'channel-0'];
    const [third, fourth] = [await here.send(6n, hereAgain), await there.send(6n, thereAgain)];
    await expect.poll(() => here.statusOf(third), SOON).toBe('acknowledged');
    await expect.poll(() => there.statusOf(fourth), SOON).toBe('acknowledged');
    expect(told(daemon, 'was taken back')).toBe(0);
    await daemon.kill('SIGTERM');
  },
  120_000,
);

test('the relayer logs a reverted clock once, and sends packets back when the clock has caught up', async () => {
  const daemon = await startDaemonProcess({ args: ['--ibc', '--ephemeral'] });
  const [here, there] = chainsOf(daemon);
  const snapshot = await here.ask('evm_snapshot');
  await here.ask('evm_increaseTime', 100_000);
  const first = await there.send(5n);
  await expect.poll(() => there.statusOf(first), SOON).toBe('acknowledged');
  await here.ask('evm_revert', snapshot);
  const second = await here.send(6n);
  await expect.poll(() => told(daemon, 'chronicle_271828-1 was taken back'), SOON).toBe(1);
  // The relayer keeps trying: it delivers each of these packets in a later round.
  for (const amount of [7n, 8n, 9n]) {
    const sequence = await there.send(amount);
    await expect.poll(() => there.statusOf(sequence), SOON).toBe('received');
  }
  await here.ask('evm_increaseTime', 200_000);
  await expect.poll(() => here.statusOf(second), SOON).toBe('acknowledged');
  expect(told(daemon, 'was taken back')).toBe(1);
  await daemon.kill('SIGTERM');
}, 120_000);

test('a packet with a sequence that was received before a revert is lost until the other chain reverts too', async () => {
  const daemon = await startDaemonProcess({ args: ['--ibc', '--ephemeral'] });
  const [here, there] = chainsOf(daemon);
  const [snapshot, ofThere] = [await here.ask('evm_snapshot'), await there.ask('evm_snapshot')];
  for (const amount of [1n, 2n]) {
    const sequence = await here.send(amount);
    await expect.poll(() => here.statusOf(sequence), SOON).toBe('acknowledged');
  }
  await here.ask('evm_revert', snapshot);
  // a packet with the sequence of one from before the revert counts as received
  expect(await here.send(1n)).toBe('0x1');
  await expect.poll(() => here.statusOf('0x1'), SOON).toBe('acknowledged');
  expect(await here.send(7n)).toBe('0x2');
  await expect.poll(() => told(daemon, 'packets are lost {"chain":"chronicle_271828-1","sequences":"2"'), SOON).toBe(1);
  expect(await here.ask('chronicle_packets')).toMatchObject([
    {
      sequence: '0x2',
      status: 'lost',
      acknowledgement: null,
      reason: expect.stringContaining('chronicletwo_271829-1'),
    },
  ]);
  await expect(here.ask('chronicle_timeOutPacket', '0x2')).rejects.toThrow('packet 2 does not wait: it is lost');
  await expect(waitForPacket(client(here), 2n)).rejects.toThrow('packet 2 is lost: chronicletwo_271829-1 received');
  const later = await here.send(8n);
  await expect.poll(() => here.statusOf(later), SOON).toBe('acknowledged');
  expect(told(daemon, 'packets are lost')).toBe(1);
  await there.ask('evm_revert', ofThere);
  await expect.poll(() => here.statusOf('0x2'), SOON).toBe('acknowledged');
  expect(told(daemon, 'commitment bytes are not equal')).toBe(0);
  await daemon.kill('SIGTERM');
}, 120_000);
