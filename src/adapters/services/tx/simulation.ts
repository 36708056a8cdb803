import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { SimulateResult } from '../../../core/application-requests.js';
import { unwrapTransaction } from '../../../core/ethereum/wrapped-transaction.js';
import {
  type SimulationResponseSchema,
  TxMsgDataSchema,
} from '../../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';

/**
 * Gas limit that the SDK reports for a simulation, which runs without limit. An Ethereum transaction keeps its own.
 */
const NO_LIMIT = 2n ** 64n - 1n;

/** Converts a simulation to the SDK's form (cosmos-sdk v0.53 `proto/cosmos/base/abci/v1beta1/abci.proto`). */
export function simulation(
  tx: Uint8Array,
  { gasUsed, gasWanted, result }: Extract<SimulateResult, { ok: true }>,
): MessageInitShape<typeof SimulationResponseSchema> {
  return {
    gasInfo: { gasUsed, gasWanted: unwrapTransaction(tx) === undefined ? NO_LIMIT : gasWanted },
    result: {
      data: result.data,
      log: result.log,
      // Simulation events are not indexed, so none is marked as indexed.
      events: result.events.map((event) => ({
        ...event,
        attributes: event.attributes.map((attribute) => ({ ...attribute, index: false })),
      })),
      msgResponses: fromBinary(TxMsgDataSchema, result.data).msgResponses,
    },
  };
}
