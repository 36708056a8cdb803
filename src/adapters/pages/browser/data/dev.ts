/** Dev commands for the header and views (`docs/interfaces/dev-commands.md`). */
import { computed, signal } from '@preact/signals';
import { ask, hexOf } from './ethereum.js';
import { groupedText } from './format.js';
import { chain, lookNow } from './store.js';

const taken = signal<readonly { readonly chain: string; readonly id: string }[]>([]);

/** Ids of unused snapshots of this chain that this page took, newest last. */
export const snapshots = computed(() => taken.value.filter((one) => one.chain === chain.value).map(({ id }) => id));

/** Mines blocks. */
export async function mine(count: number): Promise<string> {
  await ask('evm_mine', { blocks: count });
  lookNow();
  return count === 1 ? 'Mined a block.' : `Mined ${count} blocks.`;
}

/** Moves the block clock forward and mines a block with the new time. */
export async function moveClock(seconds: number): Promise<string> {
  await ask('evm_increaseTime', hexOf(seconds));
  await ask('evm_mine');
  lookNow();
  return `The clock is ${groupedText(seconds)} s ahead, and a block has the new time.`;
}

/** Takes a snapshot. */
export async function takeSnapshot(): Promise<string> {
  const id = await ask<string>('evm_snapshot');
  taken.value = [...taken.value, { chain: chain.value, id }];
  return `Snapshot ${BigInt(id)} taken.`;
}

/** Reverts the chain to the newest snapshot of this page. */
export async function revertToSnapshot(): Promise<string> {
  const id = snapshots.value.at(-1);
  if (id === undefined) return 'This page took no snapshot.';
  const isDone = await ask<boolean>('evm_revert', id);
  taken.value = taken.value.filter((one) => one.chain !== chain.value || one.id !== id);
  lookNow();
  return isDone ? `The chain is at snapshot ${BigInt(id)} again.` : `Snapshot ${BigInt(id)} is gone.`;
}

/** Mining modes; `interval` is two seconds. */
export type Mining = 'instant' | 'manual' | 'interval';

/** Reads the mining mode. */
export async function readMining(): Promise<Mining> {
  if (await ask<boolean>('anvil_getAutomine')) return 'instant';
  return (await ask<number | string | null>('anvil_getIntervalMining')) ? 'interval' : 'manual';
}

/** Sets the mining mode. */
export async function setMining(mode: Mining): Promise<string> {
  switch (mode) {
    case 'instant':
      await ask('evm_setAutomine', true);
      return 'A block is made for each transaction.';
    case 'manual':
      await ask('evm_setAutomine', false);
      await ask('evm_setIntervalMining', 0);
      return 'Blocks are made on request alone.';
    case 'interval':
      await ask('evm_setIntervalMining', 2);
      return 'A block is made every 2 s.';
  }
}
