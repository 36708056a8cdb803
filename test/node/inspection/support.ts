import type { InspectionApi } from '../../../src/core/inspection/api.js';
import type { SimulatedNode } from '../simulated-node.js';

/** No contract of the chain is known. */
export const noContract: InspectionApi['contract'] = () => Promise.resolve(undefined);

/** Conditions on events of which none is given. */
export const NO_FILTER = {
  types: undefined,
  streams: undefined,
  height: undefined,
  tx: undefined,
  cause: undefined,
} as const;

/** An answer that yields to the timers of the simulation. */
export async function settled<Value>(simulated: SimulatedNode, asked: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  asked.then(done, done);
  while (!isDone) await simulated.time.advance(0);
  return asked;
}
