/** rly relays between two chains of this program, and between one and evmd with its own engine (variable EVMD). */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EVMD } from '../peer/evmd.js';
import {
  balance,
  type CommandedChain,
  escrowed,
  MINUTES,
  ours,
  relayerOn,
  settled,
  theirs,
  voucherOf,
} from './relayed.js';
import { hasRly, Rly } from './rly.js';

const CHANNEL = 'channel-0';
const FUNDS = 10n ** 20n;

async function relaysBothWays(a: CommandedChain, b: CommandedChain): Promise<void> {
  const rly = new Rly([a, b]);
  const addresses = await rly.configure();
  for (const [index, chain] of [a, b].entries()) {
    const [sender = ''] = chain.voters;
    await chain.send(sender, 'bank', 'send', sender, addresses[index] ?? '', `${FUNDS}${chain.denom}`);
  }
  await rly.link();
  const transfer = (from: CommandedChain, amount: bigint, denom: string, receiver: string, seconds = 600n) => {
    const [sender = ''] = from.voters;
    const timeout = ['--packet-timeout-timestamp', String(seconds * 1_000_000_000n)];
    const words = ['transfer', CHANNEL, receiver, `${amount}${denom}`, ...timeout];
    return from.send(sender, 'ibc-transfer', 'transfer', ...words);
  };
  const [onB, onA] = [voucherOf(CHANNEL, a.denom), voucherOf(CHANNEL, b.denom)];

  let stop = rly.start();
  await transfer(a, 1_000n, a.denom, relayerOn(b));
  await transfer(b, 77n, b.denom, relayerOn(a));
  expect(await settled(() => balance(b, onB), 1_000n)).toBe(1_000n);
  expect(await settled(() => balance(a, onA), 77n)).toBe(77n);
  await transfer(b, 400n, onB, relayerOn(a));
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);

  // the other chain acknowledges with an error
  await transfer(a, 8n, a.denom, 'nobody');
  expect(await escrowed(a, a.denom)).toBe(608n);
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);

  // without a relayer the packet times out, and its coins are refunded
  await stop();
  await transfer(a, 5n, a.denom, relayerOn(b), 2n);
  expect(await escrowed(a, a.denom)).toBe(605n);
  await sleep(4_000);
  stop = rly.start();
  expect(await settled(() => escrowed(a, a.denom), 600n)).toBe(600n);
  expect(await balance(b, onB)).toBe(600n);
  await stop();
}

it.skipIf(!hasRly())(
  'rly relays between two chains of this program',
  async () => relaysBothWays(await ours('alpha_271828-1'), await ours('beta_271829-4')),
  10 * MINUTES,
);

it.skipIf(!hasRly() || EVMD === undefined)(
  'rly relays between this program and evmd with its own engine',
  async () => relaysBothWays(await ours('alpha_271828-1'), await theirs('gamma-1')),
  10 * MINUTES,
);
