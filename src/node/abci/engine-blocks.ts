import { equal } from '../../core/bytes/bytes.js';
import { blockFromJson, isBlockJson } from '../../core/comet/json/block-json.js';
import { blockIdOf } from '../../core/comet/part-set.js';
import type { DomainError, Outcome } from '../../core/errors.js';
import { asObject } from '../../core/text/json-object.js';
import type { ChainQueries } from '../../core/node-api.js';
import type { StoredBlock } from '../../core/comet/stored-block.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { Height } from '../../core/primitives.js';

export interface EngineBlocksOptions {
  readonly crypto: Crypto;
  readonly chain: Pick<ChainQueries, 'block'>;
  /** Posts a body of JSON-RPC to the engine and resolves with its answer; rejects when the engine cannot be reached. */
  readonly post: (body: string) => Promise<string>;
}

const UNREACHABLE: DomainError = { code: 'busy', what: 'the RPC of the consensus engine' };

/** Requests whole blocks of this chain from the engine: the node never received all of their parts. */
export function createEngineBlocks({
  crypto,
  chain,
  post,
}: EngineBlocksOptions): (height: Height) => Promise<Outcome<StoredBlock>> {
  return async (height) => {
    const params = { height: `${height}` };
    let block: unknown;
    try {
      const answer: unknown = JSON.parse(
        await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'block', params })),
      );
      block = asObject(asObject(answer)?.['result'])?.['block'];
    } catch {
      return { ok: false, error: UNREACHABLE };
    }
    if (!isBlockJson(block)) return { ok: false, error: { code: 'height-pruned', height, lowest: height + 1n } };
    const whole = blockFromJson(block);
    const { blockId, size } = blockIdOf(crypto, whole);
    const known = chain.block(height)?.blockId.hash;
    // An engine of another chain at that address.
    if (known === undefined || !equal(known, blockId.hash)) return { ok: false, error: UNREACHABLE };
    return { ok: true, value: { block: whole, blockId, size } };
  };
}
