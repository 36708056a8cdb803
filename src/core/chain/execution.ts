/**
 * FinalizeBlock requests, and the effect of their results on the chain state. Blocks just decided and blocks executed
 * again from the log share this code.
 */
import { toBinary } from '@bufbuild/protobuf';
import type { FinalizeBlockRequest } from '../application-requests.js';
import { blockFacts } from './block-facts.js';
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
 * Builds the request for a block on top of `state`, without hints about verified signatures. `reported`: votes and
 * misbehavior that an external engine sent with the block.
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
  return {
    ...blockFacts(block, state.lastValidators),
    ...reported,
    hash: blockHash ?? headerHash(crypto, header),
    txs: data?.txs ?? [],
    verified: NOTHING_VERIFIED,
  };
}

/** Encodes each parameter object once: parameters rarely change, and every block compares them. */
const encodedParams = new WeakMap<ConsensusParams, Uint8Array>();

function bytesOf(params: ConsensusParams): Uint8Array {
  const known = encodedParams.get(params);
  if (known !== undefined) return known;
  const bytes = toBinary(ConsensusParamsSchema, params);
  encodedParams.set(params, bytes);
  return bytes;
}

/**
 * Input of `afterBlock` while the app hash is unknown (empty). A parameter update equal to the current parameters
 * counts as no change.
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
