/** Governance replaces expired light clients, and Hermes continues to relay over their channel. */
import { expect, it } from 'vitest';
import { hasCometbft } from '../network/comet-process.js';
import { EVMD } from '../peer/evmd.js';
import { startDaemonProcess } from '../support/daemon.js';
import { Hermes, hasHermes } from './hermes.js';
import {
  balance,
  type CommandedChain,
  commanded,
  escrowed,
  homeOf,
  longUnbonding,
  MINUTES,
  network,
  ours,
  recover,
  run,
  settled,
  shortVotes,
  statusOf,
  theirs,
  voucherOf,
  WAITED_MS,
} from './relayed.js';

const [SUBJECT, SUBSTITUTE] = ['07-tendermint-0', '07-tendermint-1'];
/** The handshakes update the light clients; afterwards nothing does. */
const TRUSTED_SECONDS = 60;

/** A chain with commands that expire light clients at once. */
async function dev(
  chainId: string,
): Promise<{ readonly chain: CommandedChain; readonly expire: () => Promise<unknown> }> {
  const home = await homeOf(chainId, (genesis) => {
    genesis.app_state.dev.enabled = true;
    shortVotes(genesis);
  });
  const { endpoints } = await startDaemonProcess({ home, args: ['--block-time', '1'] });
  return {
    chain: commanded(home, chainId, endpoints, ['dev0']),
    expire: () => run('dev', 'expire-client', SUBJECT, '--eth-node', endpoints.eth_http ?? '', '--home', home),
  };
}

async function relaysAgain(
  a: CommandedChain,
  b: CommandedChain,
  { expire, trusted }: { readonly expire?: () => Promise<unknown>; readonly trusted?: number } = {},
): Promise<void> {
  const hermes = new Hermes([a, b], trusted);
  await hermes.addKeys();
  const [channelA, channelB] = await hermes.createChannel();
  const onB = voucherOf(channelB, a.denom);
  const stop = await hermes.start();
  await hermes.transfer(a, channelA, '1000', a.denom);
  expect(await settled(() => balance(b, onB), 1_000n)).toBe(1_000n);
  await stop();

  // one packet is pending when the clients expire; no other packet can be sent
  await hermes.transfer(a, channelA, '30', a.denom);
  await expire?.();
  for (const chain of [a, b])
    await expect.poll(() => statusOf(chain, SUBJECT), { timeout: WAITED_MS, interval: 500 }).toBe('Expired');
  await expect(hermes.transfer(a, channelA, '1', a.denom)).rejects.toThrow(`(${SUBJECT}) with status Expired`);
  const update = hermes.run('update', 'client', '--host-chain', b.chainId, '--client', SUBJECT);
  await expect(update).rejects.toThrow(/is expired|status Expired/);

  for (const [of, on] of [
    [a, b],
    [b, a],
  ] as const) {
    const chains = ['--host-chain', on.chainId, '--reference-chain', of.chainId];
    await hermes.run('create', 'client', ...chains, '--trusting-period', '3600s');
  }
  await Promise.all([a, b].map((chain) => recover(chain, SUBJECT, SUBSTITUTE)));

  // When it starts, Hermes checks only the first packet of a channel (`unreceived_packets_on_counterparty`). That one
  // has arrived and hides the pending one until Hermes notices another packet; packets of evmd wait, too.
  await hermes.start();
  await hermes.transfer(a, channelA, '5', a.denom);
  expect(await settled(() => balance(b, onB), 1_035n)).toBe(1_035n);
  await hermes.transfer(b, channelB, '400', onB);
  expect(await settled(() => escrowed(a, a.denom), 635n)).toBe(635n);
}

it.skipIf(!hasHermes())(
  'Hermes relays again when both clients expired and governance replaced them',
  async () => {
    const [one, two] = await Promise.all([dev('alpha_271828-1'), dev('beta_271829-4')]);
    await relaysAgain(one.chain, two.chain, { expire: () => Promise.all([one, two].map(({ expire }) => expire())) });
  },
  10 * MINUTES,
);

it.skipIf(!hasHermes() || EVMD === undefined)(
  'Hermes relays again between this program and evmd when governance of both replaced clients',
  async () => relaysAgain(await ours('alpha_271828-1'), await theirs('gamma-1'), { trusted: TRUSTED_SECONDS }),
  10 * MINUTES,
);

it.skipIf(!hasHermes() || !hasCometbft())(
  'Hermes relays again when governance of four validators over CometBFT replaced a client',
  async () => relaysAgain(await ours('alpha_271828-1'), await network(longUnbonding), { trusted: TRUSTED_SECONDS }),
  10 * MINUTES,
);
