/**
 * Hermes relays between two chains of this program, between one and evmd with its own engine (variable EVMD), and
 * between one and four validators behind CometBFT.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EVMD } from '../peer/evmd.js';
import { hasCometbft } from '../network/comet-process.js';
import { Hermes, hasHermes } from './hermes.js';
import { balance, escrowed, MINUTES, network, ours, type RelayedChain, settled, theirs, voucherOf } from './relayed.js';

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

  // the other chain acknowledges with an error
  await hermes.transfer(a, channelA, '8', a.denom, { receiver: 'nobody' });
  expect(await escrowed(a, a.denom)).toBe(608n);
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);

  // without a relayer the packet times out, and its coins are refunded
  await stop();
  await hermes.transfer(a, channelA, '5', a.denom, { seconds: 2 });
  expect(await escrowed(a, a.denom)).toBe(605n);
  await sleep(4_000);
  stop = await hermes.start();
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);
  expect(await balance(b, onB)).toBe(600n);
  await stop();

  // neither chain closes a transfer channel on request, nor while the other end is open
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
