/**
 * Hermes relays between two chains of this program, between one and evmd with its own engine (variable EVMD), and
 * between one and four validators behind CometBFT.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { fromHex } from '../../src/core/bytes/hex.js';
import { denomOfPath, localDenom } from '../../src/core/modules/transfer/denom.js';
import { encodeAddress } from '../../src/core/sdk/codec/address.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { temporaryFolder } from '../support/temporary.js';
import { EVMD } from '../peer/evmd.js';
import { GO_DENOM, startGoValidator } from '../peer/network/go-node.js';
import { CHAIN_ID } from '../e2e/load.js';
import { hasCometbft } from '../network/comet-process.js';
import { Validator } from '../network/validators.js';
import { Hermes, hasHermes, type RelayedChain } from './hermes.js';

const MINUTES = 60_000;
const MNEMONIC = 'test test test test test test test test test test test junk';
/** The first account of the mnemonic. */
const RELAYER = fromHex('f39fd6e51aad88f6f4ce6ab8827279cfffb92266');
const WAITED_MS = 90_000;
const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();
const voucherOf = (channelId: string, denom: string): string =>
  localDenom(sha256, denomOfPath(`transfer/${channelId}/${denom}`));

const urlOf = (address: string): string => `http://${address.replace('http://', '')}`;
const OURS = { prefix: 'chron', denom: 'achr', mnemonic: MNEMONIC };

/** A chain of `chronicled start`. */
async function ours(chainId: string): Promise<RelayedChain> {
  const home = temporaryFolder();
  expect(await chronicled(['init', '--home', home, '--chain-id', chainId])).toMatchObject({ code: 0 });
  const { endpoints } = await startDaemonProcess({ home, command: 'start', args: ['--block-time', '1'] });
  const { comet, grpc = '', rest = '' } = endpoints;
  return { ...OURS, chainId, comet, grpc: urlOf(grpc), rest };
}

/** A chain of short votes, whose commands let clients expire; `replace` has governance recover one by another. */
async function governed(chainId: string) {
  const home = temporaryFolder();
  expect(await chronicled(['init', '--home', home, '--chain-id', chainId])).toMatchObject({ code: 0 });
  const file = join(home, 'config', 'genesis.json');
  const genesis = JSON.parse(readFileSync(file, 'utf8'));
  genesis.app_state.dev.enabled = true;
  Object.assign(genesis.app_state.gov.params, { voting_period: '20s', expedited_voting_period: '10s' });
  writeFileSync(file, JSON.stringify(genesis));
  const { endpoints } = await startDaemonProcess({ home, args: ['--block-time', '1'] });
  const { comet, grpc = '', rest = '', eth_http: ethereum = '' } = endpoints;
  const chain: RelayedChain = { ...OURS, chainId, comet, grpc: urlOf(grpc), rest };
  const run = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await chronicled([...words, '--home', home]);
    expect(code, stderr).toBe(0);
  };
  const send = (...words: readonly string[]): Promise<void> =>
    run('tx', ...words, '--from', 'dev0', '-y', '-b', 'block', '--node', comet, '--keyring-backend', 'test');
  return {
    chain,
    expire: (clientId: string) => run('dev', 'expire-client', clientId, '--eth-node', ethereum),
    async replace(clientId: string, substitute: string) {
      const texts = ['--title', 'a client', '--summary', 'a client', '--deposit', `${10n ** 19n}achr`];
      await send('ibc', 'client', 'recover-client', clientId, substitute, ...texts);
      await send('gov', 'vote', '1', 'yes');
      await expect.poll(() => statusOf(chain, clientId), { timeout: WAITED_MS, interval: 500 }).toBe('Active');
    },
  };
}

async function statusOf({ rest }: RelayedChain, clientId: string): Promise<string> {
  return JSON.parse(await (await fetch(`${rest}/ibc/core/client/v1/client_status/${clientId}`)).text()).status;
}

async function theirs(chainId: string): Promise<RelayedChain> {
  const { rpc, grpc, rest } = await startGoValidator(EVMD ?? '', chainId, MNEMONIC);
  return { chainId, comet: rpc, grpc, rest, prefix: 'cosmos', denom: GO_DENOM, mnemonic: MNEMONIC };
}

/** Four validators over CometBFT; the periods of this chain are those of a dev chain. */
async function network(): Promise<RelayedChain> {
  const [first] = await Validator.startAll(4);
  if (first === undefined) throw new Error('a validator');
  await first.reached(2);
  const { grpc = '', rest = '' } = first.endpoints;
  return { ...OURS, chainId: CHAIN_ID, comet: first.machine.rpc, grpc: urlOf(grpc), rest };
}

async function balance({ rest, prefix }: RelayedChain, denom: string): Promise<bigint> {
  const address = encodeAddress(prefix, RELAYER);
  const path = `/cosmos/bank/v1beta1/balances/${address}/by_denom?denom=${encodeURIComponent(denom)}`;
  const answer: { balance?: { amount: string } } = JSON.parse(await (await fetch(`${rest}${path}`)).text());
  return BigInt(answer.balance?.amount ?? 0);
}

async function escrowed({ rest }: RelayedChain, denom: string): Promise<bigint> {
  const answer: { amount?: { amount: string } } = JSON.parse(
    await (await fetch(`${rest}/ibc/apps/transfer/v1/total_escrow/${denom}`)).text(),
  );
  return BigInt(answer.amount?.amount ?? 0);
}

/** Waits until a number is as it should be; answers the last one. */
async function settled(read: () => Promise<bigint>, expected: bigint): Promise<bigint> {
  const end = Date.now() + WAITED_MS;
  for (;;) {
    const value = await read();
    if (value === expected || Date.now() > end) return value;
    await sleep(500);
  }
}

async function relaysBothWays(a: RelayedChain, b: RelayedChain): Promise<void> {
  const hermes = new Hermes([a, b]);
  await hermes.addKeys();
  const [channelA, channelB] = await hermes.createChannel();
  const [onB, onA] = [voucherOf(channelB, a.denom), voucherOf(channelA, b.denom)];
  let stop = await hermes.start();

  await hermes.transfer(a, channelA, '1000', a.denom);
  await hermes.transfer(b, channelB, '77', b.denom);
  expect(await settled(() => balance(b, onB), 1_000n)).toBe(1_000n);
  expect(await settled(() => balance(a, onA), 77n)).toBe(77n);
  expect(await escrowed(a, a.denom)).toBe(1_000n);

  await hermes.transfer(b, channelB, '400', onB);
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);
  expect(await balance(b, onB)).toBe(600n);

  // the other chain answers with an error
  await hermes.transfer(a, channelA, '8', a.denom, { receiver: 'nobody' });
  expect(await escrowed(a, a.denom)).toBe(608n);
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);

  // nobody relays, the packet times out, and its coins come back
  await stop();
  await hermes.transfer(a, channelA, '5', a.denom, { seconds: 2 });
  expect(await escrowed(a, a.denom)).toBe(605n);
  await sleep(4_000);
  stop = await hermes.start();
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);
  expect(await balance(b, onB)).toBe(600n);
  await stop();

  // nobody closes a channel of tokens, and none is closed that the other chain has open
  for (const [from, to, here, there] of [
    [a, b, channelA, channelB],
    [b, a, channelB, channelA],
  ] as const) {
    const ends = ['--dst-chain', to.chainId, '--src-chain', from.chainId, '--dst-connection', 'connection-0'];
    const ports = ['--dst-port', 'transfer', '--src-port', 'transfer', '--dst-channel', there, '--src-channel', here];
    const close = (step: string) => hermes.run('tx', `chan-close-${step}`, ...ends, ...ports);
    await expect(close('init')).rejects.toThrow('user cannot close channel: invalid request');
    await expect(close('confirm')).rejects.toThrow('failed channel state verification');
  }

  const left = await hermes.run(
    'query',
    'packet',
    'pending',
    '--chain',
    a.chainId,
    '--port',
    'transfer',
    '--channel',
    channelA,
  );
  expect(left).not.toMatch(/Sequence|[1-9]\d*\.\.=/);
}

it.skipIf(!hasHermes())(
  'Hermes relays between two chains of this program',
  async () => relaysBothWays(await ours('alpha_271828-1'), await ours('beta_271829-4')),
  10 * MINUTES,
);

it.skipIf(!hasHermes() || EVMD === undefined)(
  'Hermes relays between this program and evmd with its own engine',
  async () => relaysBothWays(await ours('alpha_271828-1'), await theirs('gamma-1')),
  10 * MINUTES,
);

it.skipIf(!hasHermes() || !hasCometbft())(
  'Hermes relays between this program and four validators of it over CometBFT',
  async () => relaysBothWays(await ours('alpha_271828-1'), await network()),
  10 * MINUTES,
);

it.skipIf(!hasHermes())(
  'Hermes relays again when both clients expired and governance replaced them',
  async () => {
    const [one, two] = await Promise.all([governed('alpha_271828-1'), governed('beta_271829-4')]);
    const [a, b] = [one.chain, two.chain];
    const hermes = new Hermes([a, b]);
    await hermes.addKeys();
    const [channelA, channelB] = await hermes.createChannel();
    const onB = voucherOf(channelB, a.denom);
    const stop = await hermes.start();
    await hermes.transfer(a, channelA, '1000', a.denom);
    expect(await settled(() => balance(b, onB), 1_000n)).toBe(1_000n);
    await stop();

    // one packet waits when the clients expire, and no other one leaves
    await hermes.transfer(a, channelA, '30', a.denom);
    const [subject, substitute] = ['07-tendermint-0', '07-tendermint-1'];
    for (const each of [one, two]) await each.expire(subject);
    for (const { chain } of [one, two]) expect(await statusOf(chain, subject)).toBe('Expired');
    await expect(hermes.transfer(a, channelA, '1', a.denom)).rejects.toThrow(`(${subject}) with status Expired`);
    const update = hermes.run('update', 'client', '--host-chain', b.chainId, '--client', subject);
    await expect(update).rejects.toThrow(/is expired|status Expired/);
    for (const [of, on] of [
      [a, b],
      [b, a],
    ] as const)
      await hermes.run('create', 'client', '--host-chain', on.chainId, '--reference-chain', of.chainId);
    await Promise.all([one, two].map((each) => each.replace(subject, substitute)));

    await hermes.start();
    await hermes.transfer(a, channelA, '5', a.denom);
    expect(await settled(() => balance(b, onB), 1_035n)).toBe(1_035n);
    await hermes.transfer(b, channelB, '400', onB);
    expect(await settled(() => escrowed(a, a.denom), 635n)).toBe(635n);
  },
  10 * MINUTES,
);
