import type { InspectionApi } from '../../../src/core/inspection/api.js';
import type { SimulatedNode } from '../simulated-node.js';

/** An inspection without known contracts. */
export const noContract: InspectionApi['contract'] = () => Promise.resolve(undefined);

/** A filter of events without conditions. */
export const NO_FILTER = {
  types: undefined,
  streams: undefined,
  height: undefined,
  tx: undefined,
  cause: undefined,
} as const;

/** Runs the simulation until the answer has settled. */
export async function settled<Value>(simulated: SimulatedNode, asked: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  asked.then(done, done);
  while (!isDone) await simulated.time.advance(0);
  return asked;
}
