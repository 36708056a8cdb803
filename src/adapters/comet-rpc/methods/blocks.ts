/**
 * Routes about stored blocks, their results and their validator sets (CometBFT v0.38 `rpc/core/blocks.go`,
 * `rpc/core/consensus.go`).
 */
import { blockIdToJson } from '../../../core/comet/json/block-id-json.js';
import { blockMetaToJson, blockToJson } from '../../../core/comet/json/block-json.js';
import { commitToJson } from '../../../core/comet/json/commit-json.js';
import { headerToJson } from '../../../core/comet/json/header-json.js';
import { consensusParamsToJson } from '../../../core/comet/json/params-json.js';
import { validatorToJson } from '../../../core/comet/json/validator-json.js';
import type { StoredBlock } from '../../../core/comet/stored-block.js';
import { type Height, toHeight } from '../../../core/primitives.js';
import { failed, gone, pageOf, readHeight, result } from '../answers.js';
import { internalError } from '../errors.js';
import { type Answer, type Method, type MethodContext, method } from '../method.js';
import { bytesHash, hexHash, int, int64 } from '../params.js';
import { blockResultsText } from '../results-text.js';

/** Maximum number of block metas in an answer of /blockchain. */
const BLOCKCHAIN_METAS = 20n;

/** The object `{block_id, block}`; an unknown block gives a zero id and null, as in CometBFT. */
export function blockAnswer(stored: StoredBlock | undefined): unknown {
  return { block_id: blockIdToJson(stored?.blockId), block: stored === undefined ? null : blockToJson(stored.block) };
}

/** Checks the height, reads the block, and answers from it. */
function fromBlock(
  { api }: MethodContext,
  requested: bigint | undefined,
  answer: (stored: StoredBlock, height: Height) => Answer,
): Answer {
  const { chain } = api.queries;
  const read = readHeight(chain, requested, chain.tip());
  if (!read.ok) return failed(read.error);
  const stored = chain.block(read.height);
  return stored === undefined ? gone(chain, read.height) : answer(stored, read.height);
}

function byHash({ api }: MethodContext, hash: Uint8Array): StoredBlock | undefined {
  const { chain } = api.queries;
  const height = hash.length === 0 ? undefined : chain.heightByHash(hash);
  return height === undefined ? undefined : chain.block(height);
}

function headerAnswer(stored: StoredBlock | undefined): Answer {
  return result({ header: stored?.block.header === undefined ? null : headerToJson(stored.block.header) });
}

function blockchain({ api }: MethodContext, minHeight: bigint, maxHeight: bigint): Answer {
  const { chain } = api.queries;
  const head = chain.tip();
  if (minHeight < 0n || maxHeight < 0n) return failed(internalError('heights must be non-negative'));
  const highest = maxHeight === 0n || maxHeight > head ? head : maxHeight;
  const base = chain.earliestHeight();
  let lowest: bigint = minHeight < base ? base : minHeight;
  if (lowest < highest - BLOCKCHAIN_METAS + 1n) lowest = highest - BLOCKCHAIN_METAS + 1n;
  if (lowest > highest)
    return failed(internalError(`min height ${lowest} can't be greater than max height ${highest}`));
  const metas = [];
  for (let height = highest; height >= lowest; height--) {
    const stored = chain.block(toHeight(height));
    if (stored !== undefined) metas.push(blockMetaToJson(stored.block, stored.blockId, stored.size));
  }
  return result({ last_height: String(head), block_metas: metas });
}

export const blockMethods: readonly Method[] = [
  method('blockchain', { minHeight: int64, maxHeight: int64 }, 'never', ({ minHeight = 0n, maxHeight = 0n }, context) =>
    blockchain(context, minHeight, maxHeight),
  ),
  method('block', { height: int64 }, 'at-height', ({ height }, context) =>
    fromBlock(context, height, (stored) => result(blockAnswer(stored))),
  ),
  method('block_by_hash', { hash: bytesHash }, 'always', ({ hash }, context) =>
    result(blockAnswer(byHash(context, hash))),
  ),
  method('header', { height: int64 }, 'at-height', ({ height }, context) => fromBlock(context, height, headerAnswer)),
  method('header_by_hash', { hash: hexHash }, 'always', ({ hash }, context) => headerAnswer(byHash(context, hash))),
  method('block_results', { height: int64 }, 'at-height', async ({ height: requested }, { api, timers }) => {
    const { chain } = api.queries;
    const read = readHeight(chain, requested, chain.tip());
    if (!read.ok) return failed(read.error);
    const results = chain.results(read.height);
    if (results === undefined) return failed({ code: 'no-results-for-height', height: read.height });
    return { ok: true, json: await blockResultsText(read.height, results, timers) };
  }),
  method('commit', { height: int64 }, 'at-height', ({ height: requested }, context) =>
    fromBlock(context, requested, ({ block }, height) => {
      const { chain } = context.api.queries;
      const found = chain.commit(height);
      if (found === undefined || block.header === undefined) return gone(chain, height);
      return result({
        signed_header: { header: headerToJson(block.header), commit: commitToJson(found.commit) },
        canonical: found.canonical,
      });
    }),
  ),
  method(
    'validators',
    { height: int64, page: int, per_page: int },
    'at-height',
    ({ height: requested, page, per_page }, { api, limits }) => {
      const { chain } = api.queries;
      // The next validator set is also known while a decided block waits for an upgrade.
      const read = readHeight(chain, requested, chain.tip() + 1n);
      if (!read.ok) return failed(read.error);
      const set = chain.validators(read.height);
      if (set === undefined) return gone(chain, read.height);
      const slice = pageOf(set.validators, page, per_page, limits);
      if (!slice.ok) return failed(slice.error);
      return result({
        block_height: String(read.height),
        validators: slice.items.map(validatorToJson),
        count: String(slice.items.length),
        total: String(set.validators.length),
      });
    },
  ),
  method('consensus_params', { height: int64 }, 'at-height', ({ height: requested }, { api }) => {
    const { chain } = api.queries;
    const read = readHeight(chain, requested, chain.head().height + 1n);
    if (!read.ok) return failed(read.error);
    const params = chain.consensusParams(read.height);
    if (params === undefined) return gone(chain, read.height);
    return result({ block_height: String(read.height), consensus_params: consensusParamsToJson(params) });
  }),
];
