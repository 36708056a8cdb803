import type { EthereumDevApi } from '../../../src/core/ethereum/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import type { StoredBlock } from '../../../src/core/comet/stored-block.js';
import type { KeyValueStore } from '../../../src/core/ports/key-value-store.js';
import { upperHex } from '../../../src/core/bytes/hex.js';
import { toHeight, toTimeNs } from '../../../src/core/primitives.js';
import { openEventLog } from '../../../src/store/log/event-log.js';
import { expect } from 'vitest';
import { crypto } from '../../core/app/support.js';
import { derivedRows, replayLog } from '../../support/replay-log.js';
import { send, type SimulatedNode } from '../simulated-node.js';
import { WHOLE } from '../../support/whole-search.js';

export function devOf({ node }: SimulatedNode): EthereumDevApi {
  const dev = node.ethereum?.api.dev;
  if (dev === undefined) throw new Error('the node has no dev commands');
  return dev;
}

export async function value<Value>(outcome: Promise<Outcome<Value>>): Promise<Value> {
  const answer = await outcome;
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

/** Waits for a command that yields to the timers of the simulation. */
export async function firing<Value>(simulated: SimulatedNode, command: Promise<Outcome<Value>>): Promise<Value> {
  let done = false;
  void command.finally(() => {
    done = true;
  });
  while (!done) await simulated.time.advance(0);
  return value(command);
}

export function head({ node }: SimulatedNode) {
  return node.api.queries.chain.head();
}

export function blockAt({ node }: SimulatedNode, height: bigint): StoredBlock | undefined {
  return node.api.queries.chain.block(toHeight(height));
}

/** Seconds of a block's time. */
export function secondOf(simulated: SimulatedNode, height: bigint): bigint {
  return blockAt(simulated, height)?.block.header?.time?.seconds ?? 0n;
}

export async function admit({ node }: SimulatedNode, tx: Uint8Array): Promise<number> {
  const answer = await node.api.commands.broadcastTx(tx);
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value.code;
}

/** Everything that clients can see of a chain. */
export async function shown(simulated: SimulatedNode): Promise<string> {
  const { chain } = simulated.node.api.queries;
  const { height, appHash } = chain.head();
  const blocks = Array.from({ length: Number(height) }, (_, index) => {
    const at = toHeight(BigInt(index + 1));
    const results = chain.results(at)?.txResults.map(({ code, log, gasUsed }) => `${code} ${log} ${gasUsed}`);
    return `${upperHex(chain.block(at)?.blockId.hash ?? new Uint8Array())} ${JSON.stringify(results)} ${chain.validators(at)?.validators.length}`;
  });
  const found = await chain.searchTxs('tx.height > 0', WHOLE);
  return JSON.stringify([
    String(height),
    upperHex(appHash),
    blocks,
    found.ok ? found.value.items.map(({ height: at, index }) => `${at}/${index}`) : found.error,
  ]);
}

/** A block with a transfer of dev account 0. */
export async function transfer(simulated: SimulatedNode, sequence: bigint, amount = 5n): Promise<Uint8Array> {
  const tx = send(0, 1, amount, sequence);
  expect(await admit(simulated, tx)).toBe(0);
  await value(devOf(simulated).mine(1, undefined));
  return tx;
}

/**
 * Opens the store of a stopped node: every record is sound, and a second execution of the log agrees with it and gives
 * the rows of the store.
 */
export async function judge(store: KeyValueStore): Promise<void> {
  const log = await openEventLog({ store, crypto, clock: { now: () => toTimeNs(0n) }, sync: 'os' });
  expect((await log.verifyAll()).problems).toEqual([]);
  const replayed = await replayLog({ log, store }, crypto);
  expect(await derivedRows(replayed.store)).toEqual(await derivedRows(store));
}
