/** Objects that transactions created; later ones refer to them by ids from their events. */
import type { ResponseFinalizeBlock } from '../../../src/core/proto/tendermint/abci/types_pb.js';
import type { World } from './world.js';

/** Ids of the block's proposals, clients, connections and channels. */
export function noteIds(world: World, { txResults }: ResponseFinalizeBlock): void {
  for (const { events } of txResults)
    for (const { type, attributes } of events)
      for (const { key, value } of attributes) {
        if (type === 'submit_proposal' && key === 'proposal_id')
          world.proposals = Math.max(world.proposals, Number(value));
        if (/^(client|connection|channel)_id$/.test(key) && value !== '') world.ibcIds.push(value);
      }
}
