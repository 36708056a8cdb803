/** Resolves a block reference to a height or a block, with geth's errors. */
import { hexData } from '../../core/bytes/hex.js';
import type { EthereumApi } from '../../core/ethereum/api.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { type Height, toHeight } from '../../core/primitives.js';
import { largeDigests } from './block-digests.js';
import { type RpcError, rpcErrorOf, serverError } from './errors.js';
import { type Answer, type FailedAnswer, type MethodContext, type Streamed, NULL, failed } from './method.js';
import type { BlockRef } from './params/block-ref.js';

export type Resolved<Value> = { readonly ok: true; readonly value: Value } | FailedAnswer;

/** Resolves a reference to a height whose state is kept. */
export function resolveState(api: EthereumApi, ref: BlockRef): Resolved<Height> {
  const resolved = resolveHeight(api, ref);
  if (!resolved.ok) return resolved;
  const { value } = resolved;
  return value < api.earliestState() ? failed(missingState(api, value)) : { ok: true, value };
}

/**
 * geth's error for a pruned state, which clients recognise; `root` is the header's state root (v1.17
 * `trie/errors.go`, `triedb/pathdb/database.go`).
 */
function missingState(api: EthereumApi, height: Height): RpcError {
  const root = hexData(api.block(height)?.stateRoot ?? new Uint8Array(32));
  return serverError(`missing trie node ${root.slice(2)} (path ) state ${root} is not available`);
}

/**
 * Resolves a reference to a height. Blocks are final at once, so `safe` and `finalized` mean the head. The pending
 * block was built before the method runs (`Param.isPending`).
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

/** Resolves a reference to a block; undefined if it does not exist (the response is then null). */
export function resolveBlock(api: EthereumApi, ref: BlockRef): Resolved<EthereumBlock | undefined> {
  if (ref.kind === 'number' && ref.number > api.blockNumber()) return { ok: true, value: undefined };
  if (ref.kind === 'hash' && api.heightOfBlock(ref.hash) === undefined) return { ok: true, value: undefined };
  const height = resolveHeight(api, ref);
  return height.ok ? { ok: true, value: api.block(height.value) } : height;
}

/** The height itself; fails if its block is pruned. */
export function notPruned(api: EthereumApi, height: Height): Resolved<Height> {
  const lowest = api.earliestBlock();
  return isPruned(api, height)
    ? failed(rpcErrorOf({ code: 'height-pruned', height, lowest }))
    : { ok: true, value: height };
}

/** The block at a height, which the chain has; fails if it is pruned. */
export function keptBlock(api: EthereumApi, height: Height): Resolved<EthereumBlock | undefined> {
  const kept = notPruned(api, height);
  return kept.ok ? { ok: true, value: api.block(height) } : kept;
}

/** True for a pruned block. Heights below the genesis block never existed, so they are not pruned. */
export function isPruned(api: Pick<EthereumApi, 'earliestBlock' | 'firstBlock'>, height: bigint): boolean {
  const lowest = api.earliestBlock();
  return height < lowest && lowest >= api.firstBlock();
}

/** Like `resolveBlock`, but fails if the block does not exist. */
export function existingBlock(api: EthereumApi, ref: BlockRef): Resolved<EthereumBlock> {
  const block = resolveBlock(api, ref);
  if (!block.ok) return block;
  return block.value === undefined ? failed(unknownBlock(ref)) : { ok: true, value: block.value };
}

/** Answers with `show` of a block, or with `absent` if it does not exist. */
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

/**
 * Calls `answer` after `prepare` has worked on the block over several turns of the event loop; at once if it returns
 * undefined. `answer` resolves the block again, because it may be reverted meanwhile.
 */
export function answerPrepared<Answered extends Answer | Streamed>(
  { api }: Pick<MethodContext, 'api'>,
  ref: BlockRef,
  prepare: (block: EthereumBlock) => Promise<void> | undefined,
  answer: () => Answered | Promise<Answered>,
): Answered | Promise<Answered> {
  const block = resolveBlock(api, ref);
  const preparing = block.ok && block.value !== undefined ? prepare(block.value) : undefined;
  return preparing === undefined ? answer() : preparing.then(answer);
}

/** `answerWithBlock` of a large block computes its digests over several turns of the event loop before. */
export function answerWithDigests(
  context: Pick<MethodContext, 'api' | 'timers'>,
  ref: BlockRef,
  show: (block: EthereumBlock) => Answer,
  absent: Answer = NULL,
): Answer | Promise<Answer> {
  return answerPrepared(
    context,
    ref,
    (block) => largeDigests(block, context.timers),
    () => answerWithBlock(context, ref, show, absent),
  );
}

/** geth's error for a block that does not exist. */
export function unknownBlock(ref: BlockRef): RpcError {
  if (ref.kind === 'hash') return serverError(`block ${hexData(ref.hash)} not found`);
  return serverError(ref.kind === 'number' ? `block #${ref.number} not found` : 'block not found');
}
