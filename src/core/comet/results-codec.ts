/** `tendermint.abci.ResponseFinalizeBlock` as the log holds it, and a transaction's part of it that all nodes agree on. */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type Event,
  type ExecTxResult,
  ExecTxResultSchema,
  type ResponseFinalizeBlock,
  ResponseFinalizeBlockSchema,
  type ValidatorUpdate,
} from '../proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';

/** What a block's execution answers, without the app hash, which stands in the next header. */
export interface BlockResults {
  readonly events: readonly Event[];
  readonly txResults: readonly ExecTxResult[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly consensusParamUpdates?: ConsensusParams | undefined;
}

/** The message of the results. */
export function resultsMessage({
  events,
  txResults,
  validatorUpdates,
  consensusParamUpdates,
}: BlockResults): ResponseFinalizeBlock {
  return {
    $typeName: 'tendermint.abci.ResponseFinalizeBlock',
    events: [...events],
    txResults: [...txResults],
    validatorUpdates: [...validatorUpdates],
    ...(consensusParamUpdates && { consensusParamUpdates }),
    appHash: new Uint8Array(0),
  };
}

export function encodeResults(results: BlockResults): Uint8Array {
  return toBinary(ResponseFinalizeBlockSchema, resultsMessage(results));
}

export function decodeResults(bytes: Uint8Array): ResponseFinalizeBlock {
  return fromBinary(ResponseFinalizeBlockSchema, bytes);
}

/** One result with what all nodes agree on and nothing else: a leaf of `last_results_hash`. */
export function encodeAgreed({
  code,
  data,
  gasWanted,
  gasUsed,
}: Pick<ExecTxResult, 'code' | 'data' | 'gasWanted' | 'gasUsed'>): Uint8Array {
  return toBinary(ExecTxResultSchema, create(ExecTxResultSchema, { code, data, gasWanted, gasUsed }));
}
