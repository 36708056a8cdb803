/** Clients of a log, as random steps of a property. */
import type { LogSync } from '../../src/core/ports/log-sync.js';
import fc from 'fast-check';
import type { Recorded } from '../../src/core/log-events.js';
import { toHeight, toPosition } from '../../src/core/primitives.js';
import { blockIndexRows } from '../../src/store/log/block-index.js';
import type { EventLog } from '../../src/store/log/event-log.js';
import type { HeadWitness, Witnessed } from '../../src/store/log/witness.js';
import { admitted, blockHash, collect, decided, executed, text, txHash } from './support.js';

/** One step of a client: a block with its index rows, or an admission under a command id (ids repeat). */
export type Step = { readonly kind: 'block' } | { readonly kind: 'admit'; readonly command: number };
export const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'block' }),
    fc.record({ kind: fc.constant<'admit'>('admit'), command: fc.nat(5) }),
  ),
  { minLength: 1, maxLength: 25 },
);
export const plan = fc.record({
  seed: fc.nat(),
  commitFails: fc.constantFrom(0, 0.1, 0.3),
  delays: fc.constantFrom(0, 0.5),
});
export const syncMode = fc.constantFrom<LogSync>('block', 'always', 'os');

export function memoryWitness(): HeadWitness {
  let last: Witnessed | undefined;
  return { read: () => last, write: (head) => void (last = head), close: () => undefined };
}

/** Runs the steps, some at the same time; returns the acknowledged events and the outcome of each call. */
export async function run(log: EventLog, script: readonly Step[]) {
  let height = log.head().decided;
  const calls = script.map((step) => {
    if (step.kind === 'admit')
      return log.append([{ event: admitted(`tx ${step.command}`) }], [], { once: `command ${step.command}` });
    height = toHeight(height + 1n);
    const rows = blockIndexRows({ height, blockHash: blockHash(height), txHashes: [[txHash(text(`tx-${height}`))]] });
    return log.append([{ event: decided(height) }, { event: executed(height) }], rows);
  });
  const outcomes = await Promise.allSettled(calls);
  return {
    outcomes,
    acknowledged: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
  };
}

export const all = async (log: EventLog): Promise<Recorded[]> =>
  (await collect(log.read({ from: toPosition(1n) }))).flat();
export const lastOf = (events: readonly Recorded[]): bigint =>
  events.reduce((last, { position }) => (position > last ? position : last), 0n);
