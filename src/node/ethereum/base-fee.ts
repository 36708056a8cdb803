import type { Application } from '../../core/application.js';
import type { Height } from '../../core/primitives.js';
import type { StateReader } from '../../core/state/state.js';
import type { Ledger } from '../chain/ledger.js';

/** Base fee of the block after the head, computed once for each head; 0 without a fee market. */
export function createNextBaseFee({ ethereum }: Application, latest: StateReader, ledger: Pick<Ledger, 'state'>): () => bigint {
  let known: { readonly blockHash: Uint8Array | undefined; readonly height: Height; readonly fee: bigint } | undefined;
  return () => {
    const { chainId, height, time, lastBlockId } = ledger.state;
    const blockHash = lastBlockId?.hash;
    if (known === undefined || known.height !== height || known.blockHash !== blockHash) {
      known = { height, blockHash, fee: ethereum?.nextBaseFee(latest, { chainId, height, time }) ?? 0n };
    }
    return known.fee;
  };
}
