/** Parameters of governance and the constitution (cosmos-sdk v0.53 `x/gov/types/v1/params.go`). */
import { create } from '@bufbuild/protobuf';
import { text, utf8 } from '../../bytes/bytes.js';
import { ParamsSchema, type Params } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { coin } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { CONSTITUTION_KEY, PARAMS_KEY, STORE } from './keys.js';
import { messageCodec, paramsRecord } from '../../state/params-record.js';

/** Accessors for the parameters; decimals are strings with a point in the state too. */
export const { getParams, setParams } = paramsRecord(STORE, PARAMS_KEY, messageCodec(ParamsSchema), () =>
  create(ParamsSchema),
);

/** Reads the constitution; empty when there is none. */
export function getConstitution({ store }: Context): string {
  return text(store.get(STORE, CONSTITUTION_KEY) ?? new Uint8Array());
}

/** Stores the constitution. */
export function setConstitution({ store }: Context, constitution: string): void {
  store.set(STORE, CONSTITUTION_KEY, utf8(constitution));
}

const days = (count: bigint) => ({ seconds: count * 86_400n });

/** The SDK's defaults, in the base denom of the chain. */
export function defaultParams({ chain }: Context): Params {
  return create(ParamsSchema, {
    minDeposit: [coin(chain.baseDenom, 10_000_000n)],
    expeditedMinDeposit: [coin(chain.baseDenom, 50_000_000n)],
    maxDepositPeriod: days(2n),
    votingPeriod: days(2n),
    expeditedVotingPeriod: days(1n),
    quorum: '0.334000000000000000',
    threshold: '0.500000000000000000',
    expeditedThreshold: '0.667000000000000000',
    vetoThreshold: '0.334000000000000000',
    minInitialDepositRatio: '0.000000000000000000',
    proposalCancelRatio: '0.500000000000000000',
    burnVoteVeto: true,
    minDepositRatio: '0.010000000000000000',
  });
}
