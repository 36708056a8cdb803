/**
 * The maximum age of evidence, and what a slash for an earlier height takes (cosmossdk.io/x/evidence v0.2.0
 * `keeper/infraction.go`).
 */
import { create, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { CONSENSUS_PARAMS, getConsensusParams } from '../../../../src/core/modules/consensus/module.js';
import { evidenceModule } from '../../../../src/core/modules/evidence/module.js';
import { getSigningInfo } from '../../../../src/core/modules/slashing/signing-info.js';
import { getUnbonding } from '../../../../src/core/modules/staking/unbonding-delegations.js';
import { consensusAddressOf } from '../../../../src/core/modules/staking/validator.js';
import { requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { MsgUndelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { ConsensusParamsSchema, EvidenceParamsSchema } from '../../../../src/core/proto/tendermint/types/params_pb.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { achr, bytesOf, operator, person } from '../../app/properties/people.js';
import { delegate, newStage, send, type Stage } from '../../app/refusals/stage.js';

const SECOND = 1_000_000_000n;
/** The stage bonds the validators of accounts 1, 2 and 3. */
const OPERATOR = bytesOf(person(1));
/** The maximum age of evidence: 10 blocks, and 100.5 seconds. */
const MOST_BLOCKS = 10n;
const MOST_TIME = 100n * SECOND + SECOND / 2n;

function consensusOf(context: Context): Uint8Array {
  return consensusAddressOf(context.crypto, requireValidator(context, OPERATOR));
}

/** A stage at height 50 whose consensus parameters have this maximum age. */
function limited(): Stage {
  const stage = newStage();
  const { store } = stage.context;
  const evidence = create(EvidenceParamsSchema, {
    maxAgeNumBlocks: MOST_BLOCKS,
    maxAgeDuration: { seconds: MOST_TIME / SECOND, nanos: Number(MOST_TIME % SECOND) },
    maxBytes: 1000n,
  });
  const params = create(ConsensusParamsSchema, { ...getConsensusParams(stage.context), evidence });
  store.set(CONSENSUS_PARAMS.store, CONSENSUS_PARAMS.key, toBinary(ConsensusParamsSchema, params));
  stage.context = { ...stage.context, height: toHeight(50n) };
  return stage;
}

/** A block that proves an offence of this age by the validator of account 1. */
function prove({ context }: Stage, age: { readonly blocks: bigint; readonly time: bigint }): void {
  const { hash, proposer, gas, facts } = context.block;
  const misbehavior = [
    {
      kind: 'duplicate vote' as const,
      address: consensusOf(context),
      power: 300n,
      height: toHeight(context.height - age.blocks),
      time: toTimeNs(context.time - age.time),
      totalVotingPower: 900n,
    },
  ];
  evidenceModule.beginBlock?.({ ...context, block: new BlockScope(hash, proposer, gas, { ...facts, misbehavior }) });
}

const tombstoned = ({ context }: Stage): boolean | undefined =>
  getSigningInfo(context, consensusOf(context))?.tombstoned;

describe('an offence', () => {
  it.each([
    ['at both limits', 0n, 0n, true],
    ['one block too many, in time', 1n, 0n, true],
    ['many blocks too many, in time', 30n, -MOST_TIME, true],
    ['within the blocks, one nanosecond too long ago', 0n, 1n, true],
    ['one block old, much too long ago', 1n - MOST_BLOCKS, 10n ** 18n, true],
    ['one block and one nanosecond too old (not punished)', 1n, 1n, false],
  ])('is punished unless it is too old in blocks and in time: %s', (_, moreBlocks, moreTime, isPunished) => {
    const stage = limited();
    prove(stage, { blocks: MOST_BLOCKS + moreBlocks, time: MOST_TIME + moreTime });
    expect(tombstoned(stage)).toBe(isPunished);
    expect(requireValidator(stage.context, OPERATOR).jailed).toBe(isPunished);
  });

  it('of any age is punished when the consensus parameters have no evidence limits', () => {
    const stage = limited();
    const params = create(ConsensusParamsSchema, { ...getConsensusParams(stage.context) });
    delete params.evidence;
    stage.context.store.set(CONSENSUS_PARAMS.store, CONSENSUS_PARAMS.key, toBinary(ConsensusParamsSchema, params));
    prove(stage, { blocks: 49n, time: 10n ** 18n });
    expect(tombstoned(stage)).toBe(true);
  });

  it('slashes unbondings that started at its height or later, not earlier ones', () => {
    const stage = limited();
    delegate(1)(stage);
    for (const height of [44n, 45n, 46n]) {
      stage.context = { ...stage.context, height: toHeight(height) };
      send(MsgUndelegateSchema, {
        delegatorAddress: person(4),
        validatorAddress: operator(1),
        amount: achr(1000n),
      })(stage);
    }
    stage.context = { ...stage.context, height: toHeight(50n) };
    prove(stage, { blocks: 4n, time: SECOND });
    const entries = getUnbonding(stage.context, bytesOf(person(4)), OPERATOR)?.entries ?? [];
    // the stage burns everything that is liable for a double signature
    expect(entries.map(({ creationHeight, balance }) => [creationHeight, balance])).toEqual([
      [44n, 1000n],
      [45n, 0n],
      [46n, 0n],
    ]);
  });
});
