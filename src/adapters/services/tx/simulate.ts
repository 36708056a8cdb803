import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SimulateRequest, SimulateResponseSchema } from '../../../core/proto/cosmos/tx/v1beta1/service_pb.js';
import type { CallContext, Reply } from '../method.js';
import { refusal, refusalOf, STATUS } from '../status.js';
import { rawTx } from './codec.js';
import { simulation } from './simulation.js';

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
  const { gasInfo, result } = simulation(bytes, simulated);
  return { ok: true, value: { ...(gasInfo && { gasInfo }), ...(result && { result }) } };
}
