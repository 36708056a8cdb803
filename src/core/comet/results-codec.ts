/** Encodes `tendermint.abci.ResponseFinalizeBlock` for the log; `EncodedResults` reads it. */
import { toBinary } from '@bufbuild/protobuf';
import {
  type Event,
  type ExecTxResult,
  ResponseFinalizeBlockSchema,
  type ValidatorUpdate,
} from '../proto/tendermint/abci/types_pb.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';

/** Block results without the app hash, which the next header contains. */
export interface BlockResults {
  readonly events: readonly Event[];
  readonly txResults: readonly ExecTxResult[];
  readonly validatorUpdates: readonly ValidatorUpdate[];
  readonly consensusParamUpdates?: ConsensusParams | undefined;
}

/** Block results with the app hash after the block. */
export interface StoredResults extends BlockResults {
  readonly appHash: Uint8Array;
}

/** Encodes the results without an app hash. */
export function encodeResults({
  events,
  txResults,
  validatorUpdates,
  consensusParamUpdates,
}: BlockResults): Uint8Array {
  return toBinary(ResponseFinalizeBlockSchema, {
    $typeName: 'tendermint.abci.ResponseFinalizeBlock',
    events: [...events],
    txResults: [...txResults],
    validatorUpdates: [...validatorUpdates],
    ...(consensusParamUpdates && { consensusParamUpdates }),
    appHash: new Uint8Array(0),
  });
}
