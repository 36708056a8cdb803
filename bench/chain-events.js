import { hash } from 'node:crypto';
import { toHeight } from '../build/core/primitives.js';

export const crypto = { sha256: (data) => hash('sha256', data, 'buffer') };
export const clock = { now: () => BigInt(Date.now()) * 1_000_000n };

const bytes = (length, seed) => Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255);

/** An encoded tendermint.types.Block with only a header, `length` bytes long. */
function blockBytes(length, seed) {
  const block = new Uint8Array(length + 3);
  block.set([0x0a, (length & 127) | 128, length >>> 7]);
  block.set(bytes(length, seed), 3);
  return block;
}

/** A small event that begins a chain. */
export function chainStarted() {
  return {
    type: 'ChainStarted',
    v: 1,
    data: {
      chainId: 'chronicle_271828-1',
      evmChainId: 271828n,
      bech32Prefix: 'chron',
      preset: 'chronicle',
      genesis: bytes(1_000, 0),
      initialHeight: toHeight(1n),
      validators: bytes(80, 0),
      consensusParams: bytes(40, 0),
      writes: [],
    },
  };
}

/** A decided and executed block, as large as one with a single transfer. @param {bigint} height */
export function blockEvents(height) {
  const seed = Number(height & 255n);
  return [
    {
      type: 'BlockDecided',
      v: 3,
      data: { height: toHeight(height), block: blockBytes(1_100, seed), commit: bytes(180, seed), trace: [] },
    },
    {
      type: 'BlockExecuted',
      v: 1,
      data: {
        height: toHeight(height),
        results: bytes(900, seed),
        writes: Array.from({ length: 4 }, (_, index) => ({
          store: 'bank',
          key: bytes(28, index),
          value: bytes(40, seed),
        })),
        upgradeHeight: undefined,
      },
    },
  ];
}

/** An admitted transaction, as large as a MsgSend. @param {number} seed */
export function txAdmitted(seed) {
  return { type: 'TxAdmitted', v: 2, data: { tx: bytes(320, seed), left: [] } };
}
