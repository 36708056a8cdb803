/** A relayer whose pass fails because a dev-mode revert removed the block at which it reads a chain. */
import { expect, test } from 'vitest';
import { openPath } from '../../../src/node/relayer/open-path.js';
import { crypto } from '../../core/app/support.js';
import { Chain } from './chain.js';

/** A chain whose head is removed once its state was queried; then `answers` are its answers. */
function chain(heights: readonly [number, number], isRemoved: (hash: string) => boolean): Chain {
  let queries = 0;
  return new Chain({
    status: () => ({
      sync_info: {
        latest_block_height: String(queries === 0 ? heights[0] : heights[1]),
        latest_block_hash: queries === 0 ? 'AA' : 'BB',
        latest_block_time: '2026-12-02T00:00:00Z',
      },
    }),
    abci_query: ({ height }) => {
      queries += 1;
      return { response: { code: 26, log: `no state at ${String(height)}` } };
    },
    header_by_hash: ({ hash }) => ({ header: isRemoved(String(hash)) ? null : {} }),
  });
}

test('the relayer reads a chain again whose head a revert removed', async () => {
  const removed = Buffer.from('AA', 'hex').toString('base64');
  const remotes = { a: chain([9, 3], (hash) => hash === removed), b: chain([9, 9], () => false) };
  // The state of the new head cannot be read either, and that head stays: this error is thrown.
  await expect(openPath(crypto, remotes)).rejects.toThrow('no state at 3');
});

test('the relayer passes on an error of a chain whose head stays', async () => {
  const remotes = { a: chain([9, 3], () => false), b: chain([9, 9], () => false) };
  await expect(openPath(crypto, remotes)).rejects.toThrow('no state at 9');
});
