import { create, toBinary } from '@bufbuild/protobuf';
import { createToJson } from '../../adapters/rest/json/to-json.js';
import { servedFiles } from '../../adapters/services/index.js';
import { simulation } from '../../adapters/services/tx/simulation.js';
import type { AbciQueryAnswer, AppQueries, Outcome } from '../../core/node-api.js';
import { SimulationResponseSchema } from '../../core/proto/cosmos/base/abci/v1beta1/abci_pb.js';
import { answered, refused } from './abci-answers.js';

/** `/app/simulate`: what a transaction would do, as JSON (cosmos-sdk v0.53 `baseapp/abci.go`, `handleQueryApp`). */
export async function simulateQuery(
  queries: Pick<AppQueries, 'simulate'>,
  tx: Uint8Array,
  height: bigint,
): Promise<Outcome<AbciQueryAnswer>> {
  const ran = await queries.simulate(tx);
  if (!ran.ok) return ran;
  if (!ran.value.ok) {
    const { code, codespace, log } = ran.value;
    return refused(code, codespace, `failed to simulate tx: ${log}`);
  }
  const response = create(SimulationResponseSchema, simulation(tx, ran.value));
  const json = createToJson(servedFiles().registry)(
    SimulationResponseSchema,
    toBinary(SimulationResponseSchema, response),
  );
  return answered(height, new TextEncoder().encode(json), { codespace: 'sdk' });
}
