import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { TxMsgDataSchema } from '../../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import type { SimulateRequest, SimulateResponseSchema } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { CallContext, Reply } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';
import { rawTx } from './codec.js';

/** Gas limit that the SDK reports for a simulation, which runs without a limit. */
const NO_LIMIT = 2n ** 64n - 1n;

/**
 * Simulates a transaction on the current state. When the request has both bytes and a decoded transaction, the bytes
 * are used.
 */
export async function simulate(
  { txBytes, tx }: SimulateRequest,
  { api }: CallContext,
): Promise<Reply<MessageInitShape<typeof SimulateResponseSchema>>> {
  const bytes = txBytes.length > 0 || tx === undefined ? txBytes : rawTx(tx);
  if (bytes.length === 0 && tx === undefined) return refusal(STATUS.invalidArgument, 'empty txBytes is not allowed');
  const ran = await api.queries.app.simulate(bytes);
  if (!ran.ok) return refusalOf(ran.error);
  const simulated = ran.value;
  if (!simulated.ok) return refusal(STATUS.unknown, `${simulated.log} with gas used: '${simulated.gasUsed}'`);
  const { gasUsed, result } = simulated;
  return {
    ok: true,
    value: {
      gasInfo: { gasUsed, gasWanted: NO_LIMIT },
      result: {
        data: result.data,
        log: result.log,
        // Only events of blocks are indexed, so no event of a simulation is marked as indexed.
        events: result.events.map((event) => ({
          ...event,
          attributes: event.attributes.map((attribute) => ({ ...attribute, index: false })),
        })),
        msgResponses: fromBinary(TxMsgDataSchema, result.data).msgResponses,
      },
    },
  };
}
