/** Resolves a block reference to a height or a block, with geth's refusals. */
import { hexData } from '../../core/bytes/hex.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { type RpcError, rpcErrorOf, serverError } from './errors.js';
import { type Answer, type FailedAnswer, type MethodContext, NULL, failed } from './method.js';
import type { BlockRef } from './params/block-ref.js';

export type Resolved<Value> = { readonly ok: true; readonly value: Value } | FailedAnswer;

/** Height of the state that a reference means, which is kept. */
export function resolveState(api: EthereumApi, ref: BlockRef): Resolved<Height> {
  const resolved = resolveHeight(api, ref);
  if (!resolved.ok) return resolved;
  const { value } = resolved;
  return value < api.earliestState() ? failed(missingState(api, value)) : { ok: true, value };
}

/**
 * geth's text for a state that is not kept, which its clients know, with the root in the header (v1.17
 * `trie/errors.go`, `triedb/pathdb/database.go`).
 */
function missingState(api: EthereumApi, height: Height): RpcError {
  const root = hexData(api.block(height)?.stateRoot ?? new Uint8Array(32));
  return serverError(`missing trie node ${root.slice(2)} (path ) state ${root} is not available`);
}

/**
 * Height of the block that a reference means. Blocks are final at once, so `safe` and `finalized` mean the head. A
 * `pending` block is made before the method runs (`Param.isPending`).
 */
export function resolveHeight(api: EthereumApi, ref: BlockRef): Resolved<Height> {
  switch (ref.kind) {
    case 'tag':
      if (ref.tag === 'pending') return { ok: true, value: api.pendingHeight() };
      return { ok: true, value: ref.tag === 'earliest' ? api.earliestBlock() : api.blockNumber() };
    case 'number':
      return ref.number > api.blockNumber()
        ? failed(serverError('header not found'))
        : notPruned(api, toHeight(ref.number));
    case 'hash': {
      const height = api.heightOfBlock(ref.hash);
      return height === undefined ? failed(serverError('header for hash not found')) : notPruned(api, height);
    }
  }
}

/** The block that a reference means; undefined when it does not exist, which is answered by null. */
export function resolveBlock(api: EthereumApi, ref: BlockRef): Resolved<EthereumBlock | undefined> {
  if (ref.kind === 'number' && ref.number > api.blockNumber()) return { ok: true, value: undefined };
  if (ref.kind === 'hash' && api.heightOfBlock(ref.hash) === undefined) return { ok: true, value: undefined };
  const height = resolveHeight(api, ref);
  return height.ok ? { ok: true, value: api.block(height.value) } : height;
}

function notPruned(api: EthereumApi, height: Height): Resolved<Height> {
  const lowest = api.earliestBlock();
  return isPruned(api, height)
    ? failed(rpcErrorOf({ code: 'height-pruned', height, lowest }))
    : { ok: true, value: height };
}

/** True for a block that was there. Below the genesis block there never was one, and nothing is missing. */
export function isPruned(api: Pick<EthereumApi, 'earliestBlock' | 'firstBlock'>, height: bigint): boolean {
  const lowest = api.earliestBlock();
  return height < lowest && lowest >= api.firstBlock();
}

/** Resolves as `resolveBlock` does, and refuses a block that does not exist. */
export function existingBlock(api: EthereumApi, ref: BlockRef): Resolved<EthereumBlock> {
  const block = resolveBlock(api, ref);
  if (!block.ok) return block;
  return block.value === undefined ? failed(unknownBlock(ref)) : { ok: true, value: block.value };
}

/** The answer that `show` makes of a block; `absent` where there is none. */
export function answerWithBlock(
  { api }: Pick<MethodContext, 'api'>,
  ref: BlockRef,
  show: (block: EthereumBlock) => Answer,
  absent: Answer = NULL,
): Answer {
  const block = resolveBlock(api, ref);
  if (!block.ok) return block;
  return block.value === undefined ? absent : show(block.value);
}

/** geth's error for a block that does not exist. */
export function unknownBlock(ref: BlockRef): RpcError {
  if (ref.kind === 'hash') return serverError(`block ${hexData(ref.hash)} not found`);
  return serverError(ref.kind === 'number' ? `block #${ref.number} not found` : 'block not found');
}
