/** How a contract test holds, releases, drops and awaits packets between the chains of `startNode({ ibc: true })`. */
import { DirectEthSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { GasPrice, QueryClient, setupIbcExtension, SigningStargateClient } from '@cosmjs/stargate';
import { connectComet } from '@cosmjs/tendermint-rpc';
import { encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChronicleNode, type Hex, type PacketCommands, startNode, waitForPacket } from '../../src/index.js';
import { chronicledHere } from '../support/command-here.js';

const ICS20 = parseAbi([
  'struct Height { uint64 revisionNumber; uint64 revisionHeight; }',
  'function transfer(string sourcePort, string sourceChannel, string denom, uint256 amount, address sender, string receiver, Height timeoutHeight, uint64 timeoutTimestamp, string memo) returns (uint64)',
]);
const HOUR = 3_600n;

let here: Chain;
let there: Chain;

interface Chain {
  readonly node: ChronicleNode;
  readonly packets: PacketCommands;
  readonly channel: string;
  readonly address: string;
}

function chainOf(node: ChronicleNode, channel: string | undefined): Chain {
  const [account] = node.accounts;
  if (node.packets === undefined || channel === undefined || account === undefined) throw new Error('no channel');
  return { node, packets: node.packets, channel, address: account.bech32 };
}

beforeAll(async () => {
  const node = await startNode({ ibc: true });
  if (node.second === undefined) throw new Error('no second chain');
  here = chainOf(node, node.second.channels?.here);
  there = chainOf(node.second.node, node.second.channels?.there);
}, 60_000);

afterAll(() => here.node.stop());

async function now({ node: { ethereum } }: Chain): Promise<bigint> {
  const block = await ethereum.request({ method: 'eth_getBlockByNumber', params: ['latest', false] });
  return BigInt((block as { readonly timestamp: string }).timestamp);
}

/** Sends tokens to the other chain through the ICS-20 precompile, in a block of its own. */
async function send(from: Chain, amount: bigint, receiver = from.address, denom = 'achr'): Promise<Hex> {
  const { ethereum, accounts, receipt } = from.node;
  const sender = accounts[0]?.hex ?? '0x';
  const timeout = (await now(from)) + HOUR;
  const data = encodeFunctionData({
    abi: ICS20,
    functionName: 'transfer',
    args: [
      'transfer',
      from.channel,
      denom,
      amount,
      sender,
      receiver,
      { revisionNumber: 0n, revisionHeight: 0n },
      timeout * 1_000_000_000n,
      '',
    ],
  });
  const to = '0x0000000000000000000000000000000000000802';
  const hash = await ethereum.request({ method: 'eth_sendTransaction', params: [{ from: sender, to, data }] });
  expect(await receipt(hash)).toMatchObject({ status: '0x1' });
  return hash;
}

async function sequenceOf({ node: { ethereum } }: Chain, hash: Hex): Promise<bigint> {
  const [packet] = (await ethereum.request({ method: 'chronicle_packets', params: [hash] })) as readonly {
    readonly sequence: string;
  }[];
  return BigInt(packet?.sequence ?? '');
}

async function rest({ node: { endpoints } }: Chain, path: string): Promise<unknown> {
  return JSON.parse(await (await fetch(`${endpoints.rest}${path}`)).text());
}

/** Balance in vouchers of the first chain on the second chain. */
async function vouchers(): Promise<bigint> {
  const { balances } = (await rest(there, `/cosmos/bank/v1beta1/balances/${there.address}`)) as {
    readonly balances: readonly { readonly denom: string; readonly amount: string }[];
  };
  return balances.reduce((sum, { denom, amount }) => (denom.startsWith('ibc/') ? sum + BigInt(amount) : sum), 0n);
}

async function escrow(): Promise<bigint> {
  const { amount } = (await rest(here, '/ibc/apps/transfer/v1/total_escrow/achr')) as {
    readonly amount: { readonly amount: string };
  };
  return BigInt(amount.amount);
}

/** Sequences of the packets that the second chain received, in the order of its blocks and transactions. */
async function arrivals(): Promise<readonly bigint[]> {
  const answer = await there.node.comet.request({
    method: 'tx_search',
    params: { query: 'recv_packet.packet_sequence EXISTS', per_page: '100', order_by: 'asc' },
  });
  const { txs } = answer as {
    readonly txs: readonly {
      readonly tx_result: {
        readonly events: readonly {
          readonly type: string;
          readonly attributes: readonly { readonly key: string; readonly value: string }[];
        }[];
      };
    }[];
  };
  return txs
    .flatMap(({ tx_result }) => tx_result.events)
    .filter(({ type }) => type === 'recv_packet')
    .map(({ attributes }) => BigInt(attributes.find(({ key }) => key === 'packet_sequence')?.value ?? ''));
}

/** Long enough for a relayer without holds to deliver a packet several times. */
const aWhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 600));

test('waitForPacket waits for the packet of a token that a contract sends', async () => {
  const hash = await send(here, 100n);
  expect(await waitForPacket(here.node.ethereum, hash)).toMatchObject({
    status: 'acknowledged',
    error: undefined,
    channel: here.channel,
    destinationChannel: there.channel,
  });
  expect(await vouchers()).toBe(100n);
  const refused = await here.packets.wait(await send(here, 1n, 'nobody'));
  expect(refused).toMatchObject({ status: 'acknowledged', error: expect.stringContaining('ABCI code') });
  expect(await escrow()).toBe(100n);
});

test('cosmjs sends a packet over IBC and queries its status', async () => {
  const mnemonic = 'test test test test test test test test test test test junk';
  const wallet = await DirectEthSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'chron' });
  const client = await SigningStargateClient.connectWithSigner(here.node.endpoints.comet, wallet, {
    gasPrice: GasPrice.fromString('2000000000achr'),
  });
  const clock = await now(here);
  const sent = await client.sendIbcTokens(
    here.address,
    there.address,
    { denom: 'achr', amount: '21' },
    'transfer',
    here.channel,
    undefined,
    Number(clock + HOUR),
    'auto',
  );
  expect(sent.code).toBe(0);
  client.disconnect();
  await waitForPacket(here.node.ethereum, `0x${sent.transactionHash.toLowerCase()}`);

  const asking = await connectComet(here.node.endpoints.comet);
  const { ibc } = QueryClient.withExtensions(asking, setupIbcExtension);
  const { channels } = await ibc.channel.allChannels();
  expect(channels).toMatchObject([{ portId: 'transfer', channelId: here.channel, version: 'ics20-1' }]);
  const [hop = ''] = channels[0]?.connectionHops ?? [];
  const { connection } = await ibc.connection.connection(hop);
  const clientId = connection?.clientId ?? '';
  expect((await ibc.connection.clientConnections(clientId)).connectionPaths).toEqual([hop]);
  expect(await ibc.client.stateTm(clientId)).toMatchObject({ chainId: there.node.chainId });
  const { consensusStates } = await ibc.client.allConsensusStates(clientId);
  expect(consensusStates.length).toBeGreaterThan(0);
  expect((await ibc.client.consensusStateTm(clientId, consensusStates[0]?.height)).root?.hash).toHaveLength(32);
  expect((await ibc.channel.clientState('transfer', here.channel)).identifiedClientState?.clientId).toBe(clientId);
  expect((await ibc.channel.allPacketCommitments('transfer', here.channel)).commitments).toEqual([]);
  expect((await ibc.channel.unreceivedPackets('transfer', here.channel, [900])).sequences).toEqual([900n]);
  expect((await ibc.channel.nextSequenceReceive('transfer', here.channel)).nextSequenceReceive).toBe(0n);
  expect((await ibc.transfer.params()).params).toEqual({ sendEnabled: true, receiveEnabled: true });
  asking.disconnect();
});

test('waiting for a packet fails for a transaction without one, and for an unknown transaction', async () => {
  const { ethereum, accounts } = here.node;
  const [from] = accounts;
  if (from === undefined) throw new Error('no account');
  const hash = await ethereum.request({
    method: 'eth_sendTransaction',
    params: [{ from: from.hex, to: from.hex, value: '0x1' }],
  });
  await here.node.receipt(hash);
  await expect(here.packets.wait(hash)).rejects.toThrow('sent no packet');
  const absent = here.packets.wait(`0x${'00'.repeat(32)}`, { timeoutMs: 100 });
  await expect(absent).rejects.toThrow('no packet was sent');
  expect(await here.packets.find(999n)).toBeUndefined();
  await expect(here.packets.drop(999n)).rejects.toThrow('packet 999 does not wait: it was not sent');
});

test('a held packet arrives after its release', async () => {
  await here.packets.hold();
  const hash = await send(here, 7n);
  await aWhile();
  const before = await vouchers();
  const [packet] = await here.packets.list();
  expect(packet).toMatchObject({ status: 'waiting', reason: 'held' });
  await expect(here.packets.wait(hash, { timeoutMs: 100 })).rejects.toThrow('is waiting: held');
  await here.packets.release();
  await here.packets.wait(hash);
  expect(await vouchers()).toBe(before + 7n);
});

test('the command line holds, lists and releases packets', async () => {
  const run = (...words: readonly string[]) =>
    chronicledHere(['dev', ...words, '--eth-node', here.node.endpoints.ethHttp]);
  expect(await run('packets', 'hold')).toMatchObject({ code: 0, stdout: '' });
  const hash = await send(here, 1n);
  const { stdout } = await run('packets');
  expect(JSON.parse(stdout)).toMatchObject({ status: 'waiting', reason: 'held' });
  expect(await run('packets', 'order')).toMatchObject({ code: 2, stderr: expect.stringContaining('3,1,2') });
  expect(await run('packets', 'lose', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('none of list') });
  expect(await run('packets', 'delay', '1h')).toMatchObject({ code: 2 });
  expect(await run('expire-client', '07-tendermint-9')).toMatchObject({ code: 1 });
  expect(await run('packets', 'release')).toMatchObject({ code: 0 });
  expect(await here.packets.wait(hash)).toMatchObject({ status: 'acknowledged' });
});

test('packets arrive in the requested order, and a dropped one is refunded after its timeout', async () => {
  await here.packets.hold();
  const [escrowed, received] = [await escrow(), await arrivals()];
  const sequences: bigint[] = [];
  for (const amount of [1n, 2n, 3n, 4n]) sequences.push(await sequenceOf(here, await send(here, amount)));
  const [first = 0n, second = 0n, third = 0n, fourth = 0n] = sequences;
  await here.packets.order(fourth, second, third, first);
  await here.packets.drop(third);
  expect(await escrow()).toBe(escrowed + 10n);
  await here.packets.release(fourth, first);
  await here.packets.wait(fourth);
  await aWhile();
  expect(await here.packets.find(first)).toMatchObject({ status: 'waiting', reason: `behind packet ${second}` });
  await here.packets.release(second);
  await here.packets.wait(first);
  expect((await arrivals()).slice(received.length)).toEqual([fourth, second, first]);
  await here.packets.release();
  await aWhile();
  expect(await here.packets.find(third)).toMatchObject({ status: 'waiting', reason: 'dropped' });
  await here.packets.timeOut(third);
  expect(await here.packets.wait(third)).toMatchObject({ status: 'timed out' });
  expect(await escrow()).toBe(escrowed + 7n);
  await expect(here.packets.timeOut(fourth)).rejects.toThrow(`packet ${fourth} does not wait: it is acknowledged`);
});

test('a packet is delayed by a number of blocks, or by seconds of the clock of the chain', async () => {
  await there.packets.delay({ blocks: 2n });
  const [byBlocks, mine] = [await send(there, 5n), () => there.node.ethereum.request({ method: 'evm_mine' })];
  await mine();
  await aWhile();
  expect(await there.packets.list()).toMatchObject([{ reason: 'delayed' }]);
  await mine();
  await there.packets.wait(byBlocks);
  await there.packets.delay({ seconds: 600n });
  const byTime = await send(there, 5n);
  await aWhile();
  expect(await there.packets.list()).toMatchObject([{ reason: 'delayed' }]);
  await there.node.ethereum.request({ method: 'evm_increaseTime', params: [601] });
  await mine();
  await there.packets.wait(byTime);
  await there.packets.release();
});

describe('an IBC client whose trusting period has passed', () => {
  test('stops packets, and is named in the error', async () => {
    await there.packets.hold();
    const hash = await send(there, 5n);
    const snapshot = await here.node.ethereum.request({ method: 'evm_snapshot' });
    const id = await here.packets.expireClient();
    expect(id).toBe('07-tendermint-0');
    await there.packets.release();
    const named = `client ${id} of ${here.node.chainId} is Expired`;
    await expect(there.packets.wait(hash)).rejects.toThrow(named);
    await expect(send(here, 1n)).rejects.toThrow('status Expired');
    await expect(here.packets.expireClient(id)).rejects.toThrow(`client (${id}) status is Expired`);
    await expect(here.packets.expireClient('07-tendermint-9')).rejects.toThrow('07-tendermint-9');
    await aWhile();
    expect(await there.packets.list()).toMatchObject([{ status: 'waiting', reason: named }]);
    // a revert of the chain also undoes the expiry of its client
    expect(await here.node.ethereum.request({ method: 'evm_revert', params: [snapshot] })).toBe(true);
    expect(await there.packets.wait(hash)).toMatchObject({ status: 'acknowledged' });
  });
});
