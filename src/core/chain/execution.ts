/**
 * The request of a block to the application, and the effect of its answer on the chain: the same for a block that was
 * just decided and for a block of the log that is executed again.
 */
import { toBinary } from '@bufbuild/protobuf';
import type { FinalizeBlockRequest } from '../application-requests.js';
import { blockFacts, blockRequest } from './block-facts.js';
import type { ChainState, ExecutedBlock } from './chain-state.js';
import type { ReportedFacts } from './decision.js';
import type { EncodedResults } from '../comet/encoded-results.js';
import { EMPTY, equal } from '../bytes/bytes.js';
import { headerHash } from '../comet/header-hash.js';
import { invariant } from '../errors.js';
import type { Crypto } from '../ports/crypto.js';
import type { Block } from '../proto/tendermint/types/block_pb.js';
import { ConsensusParamsSchema, type ConsensusParams } from '../proto/tendermint/types/params_pb.js';

const NOTHING_VERIFIED: ReadonlySet<number> = new Set();

/**
 * The request for a block on top of `state`, without hints of signatures that were checked before. `reported`: the
 * votes and offences that an external engine sent with the block.
 */
export function finalizeRequest(
  crypto: Crypto,
  state: ChainState,
  block: Block,
  blockHash?: Uint8Array,
  reported?: ReportedFacts,
): FinalizeBlockRequest {
  const { header, data } = block;
  invariant(header !== undefined, 'a block has a header');
  const facts = blockFacts(block, state.lastValidators);
  const hash = blockHash ?? headerHash(crypto, header);
  const txs = data?.txs ?? [];
  return blockRequest(reported === undefined ? facts : { ...facts, ...reported }, hash, txs, NOTHING_VERIFIED);
}

/** Parameters change so seldom that the same object is compared block after block. */
const encodedParams = new WeakMap<ConsensusParams, Uint8Array>();

function bytesOf(params: ConsensusParams): Uint8Array {
  const known = encodedParams.get(params);
  if (known !== undefined) return known;
  const bytes = toBinary(ConsensusParamsSchema, params);
  encodedParams.set(params, bytes);
  return bytes;
}

/**
 * The input of `afterBlock` before the app hash is known, which is empty there; parameters that an update leaves as
 * they are count as unchanged.
 */
export function executedBlockOf(
  before: ChainState,
  { block, blockId, commit }: Pick<ExecutedBlock, 'block' | 'blockId' | 'commit'>,
  results: EncodedResults,
): ExecutedBlock {
  const update = results.encodedParamUpdates;
  const changed = update !== undefined && !equal(update, bytesOf(before.consensusParams));
  const consensusParamUpdates = changed ? results.consensusParamUpdates : undefined;
  return { block, blockId, commit, results, consensusParamUpdates, appHash: EMPTY };
}
