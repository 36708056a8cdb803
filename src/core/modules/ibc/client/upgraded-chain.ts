/**
 * Stores data with which clients follow this chain across an upgrade (ibc-go v10 `modules/core/02-client/abci.go`).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { toTimestamp } from '../../../comet/time.js';
import { ConsensusStateSchema } from '../../../proto/ibc/lightclients/tendermint/v1/tendermint_pb.js';
import { packAny } from '../../../sdk/codec/any.js';
import { emit } from '../../../sdk/module/abci-event.js';
import type { Context } from '../../../sdk/module/context.js';
import { getPlan, setUpgradedConsensusState, STORE, upgradedClient } from '../../upgrade/plan-store.js';

/**
 * In the last block before an upgrade with a planned client state, stores the block's time and next validators:
 * clients verify the new chain's first header by them.
 */
export function storeUpgradedConsensusState(context: Context): void {
  const { store, block, height, time } = context;
  const plan = getPlan(store);
  if (plan === undefined || upgradedClient(store, plan.height) === undefined || height !== plan.height - 1n) return;
  const state = create(ConsensusStateSchema, {
    timestamp: toTimestamp(time),
    root: {},
    nextValidatorsHash: block.facts.nextValidatorsHash,
  });
  setUpgradedConsensusState(store, plan.height, toBinary(AnySchema, packAny(ConsensusStateSchema, state)));
  emit(context, 'upgrade_chain', () => [
    ['upgrade_plan_height', plan.height.toString()],
    ['upgrade_store', STORE],
  ]);
  emit(context, 'message', () => [['module', 'ibc_client']]);
}
