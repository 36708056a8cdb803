/**
 * When exactly a validator is jailed for missed blocks, and when it may return (cosmos-sdk v0.53
 * `x/slashing/keeper/infractions.go`, `unjail.go`). The validator was bonded at the end of block 1.
 */
import { describe, expect, it } from 'vitest';
import type { LastCommitVote } from '../../../../src/core/application-requests.js';
import { missedBlocks } from '../../../../src/core/modules/slashing/missed-blocks.js';
import { slashingModule } from '../../../../src/core/modules/slashing/module.js';
import { getParams, setParams, type SlashingParams } from '../../../../src/core/modules/slashing/params.js';
import { getSigningInfo, setSigningInfo } from '../../../../src/core/modules/slashing/signing-info.js';
import { endBlock } from '../../../../src/core/modules/staking/end-block.js';
import { getUnbonding } from '../../../../src/core/modules/staking/unbonding-delegations.js';
import { BondStatus, consensusAddressOf } from '../../../../src/core/modules/staking/validator.js';
import { requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { toHeight, toTimeNs } from '../../../../src/core/primitives.js';
import { MsgUnjailSchema } from '../../../../src/core/proto/cosmos/slashing/v1beta1/tx_pb.js';
import { MsgUndelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { BlockScope } from '../../../../src/core/sdk/module/block-scope.js';
import type { Context } from '../../../../src/core/sdk/module/context.js';
import { DEC_ONE } from '../../../../src/core/sdk/coins/dec.js';
import { SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import { achr, bytesOf, operator, person } from '../../app/properties/people.js';
import { delegate, newStage, send } from '../../app/refusals/stage.js';

type Flag = LastCommitVote['flag'];
const SECOND = 1_000_000_000n;
/** The stage bonds the validators of accounts 1, 2 and 3. */
const OPERATOR = bytesOf(person(1));

/** A validator whose votes are given block by block. */
class Watched {
  context: Context = newStage().context;
  readonly consensus = consensusAddressOf(this.context.crypto, requireValidator(this.context, OPERATOR));

  constructor(change: Partial<SlashingParams> = {}) {
    setParams(this.context, { ...getParams(this.context), ...change });
    expect(this.info).toMatchObject({ startHeight: 1n, missed: 0n });
  }

  get info() {
    const info = getSigningInfo(this.context, this.consensus);
    if (info === undefined) throw new Error('no signing info');
    return info;
  }
  get validator() {
    return requireValidator(this.context, OPERATOR);
  }

  /** Begins the next block, whose last commit has this vote. */
  block(flag: Flag, power = 301n): void {
    const { block, height, time } = this.context;
    const lastCommitVotes = [{ address: this.consensus, power, flag }];
    this.context = {
      ...this.context,
      height: toHeight(height + 1n),
      time: toTimeNs(time + SECOND),
      events: [],
      block: new BlockScope(block.hash, block.proposer, block.gas, { ...block.facts, lastCommitVotes }),
    };
    slashingModule.beginBlock?.(this.context);
  }

  /** The height at which the validator is jailed; `none` if it is not. */
  jailedAt(flags: readonly Flag[]): bigint | 'none' {
    for (const flag of flags) {
      this.block(flag);
      if (this.validator.jailed) return this.context.height;
    }
    return 'none';
  }
}

const absent = (count: number): readonly Flag[] => Array.from({ length: count }, () => 'absent');
const commit = (count: number): readonly Flag[] => Array.from({ length: count }, () => 'commit');

describe('a validator that misses blocks', () => {
  it('is jailed in the second block after its first window at the earliest', () => {
    // the window is 4 blocks, and begins at height 1: block 5 is within
    expect(new Watched().jailedAt(absent(20))).toBe(6n);
  });

  it('may miss half of its window, and no more', () => {
    const half: readonly Flag[] = ['absent', 'absent', 'commit', 'commit'];
    expect(new Watched().jailedAt([...half, ...half, ...half])).toBe('none');
    expect(new Watched().jailedAt([...commit(8), ...absent(3)])).toBe(12n);
  });

  it('may miss the window without the blocks that it must sign, which are rounded half to even', () => {
    // 2.5 of 5 are 2, so that 3 may be missed; 3.5 of 7 are 4, so that 3 may be missed
    for (const window of [5n, 7n]) {
      const missing = (count: number) =>
        new Watched({ signedBlocksWindow: window }).jailedAt([...commit(16), ...absent(count)]);
      expect([missing(3), missing(4)]).toEqual(['none', 21n]);
    }
  });

  it('is forgiven the misses that leave its window', () => {
    const watched = new Watched();
    expect(watched.jailedAt([...commit(8), ...absent(2), ...commit(3)])).toBe('none');
    expect(watched.info.missed).toBe(1n);
    watched.block('commit');
    expect(watched.info.missed).toBe(0n);
    expect([...missedBlocks(watched.context, watched.consensus)]).toEqual([]);
    expect(watched.jailedAt(absent(2))).toBe('none');
  });

  it('does not miss a block in which it votes nil', () => {
    expect(new Watched().jailedAt(Array.from({ length: 20 }, () => 'nil'))).toBe('none');
  });

  it('gets a liveness event for each missed block, with the number of misses', () => {
    const watched = new Watched();
    const told = () =>
      watched.context.events
        .filter(({ type }) => type === 'liveness')
        .map(({ attributes }) => attributes.slice(1).map(({ value }) => value));
    watched.block('absent');
    expect(told()).toEqual([['1', '2']]);
    watched.block('absent');
    expect(told()).toEqual([['2', '3']]);
    watched.block('commit');
    expect(told()).toEqual([]);
  });
});

describe('a validator that is jailed for downtime', () => {
  it('is slashed by the power of its vote, and its window starts anew', () => {
    const watched = new Watched();
    const { tokens } = watched.validator;
    for (const flag of absent(4)) watched.block(flag);
    watched.block('absent', 100n);
    // a hundredth of the power of 100 in the vote, not of the 301 that the validator has
    expect(watched.validator).toMatchObject({ jailed: true, tokens: tokens - DEC_ONE });
    expect(watched.info).toMatchObject({
      missed: 0n,
      indexOffset: 0n,
      tombstoned: false,
      jailedUntil: watched.context.time + 5n * SECOND,
    });
    expect([...missedBlocks(watched.context, watched.consensus)]).toEqual([]);
    // votes of a jailed validator are not counted
    watched.block('absent');
    expect(watched.info).toMatchObject({ missed: 0n, indexOffset: 0n });
  });

  it('is slashed with the unbondings since the height of the set that signed, not with earlier ones', () => {
    const watched = new Watched();
    const unbond = () =>
      send(MsgUndelegateSchema, {
        delegatorAddress: person(4),
        validatorAddress: operator(1),
        amount: achr(1000n),
      })(watched);
    delegate(1)(watched);
    for (const flag of absent(2)) watched.block(flag);
    unbond(); // height 3
    watched.block('absent');
    unbond(); // height 4
    watched.block('absent');
    watched.block('absent'); // jailed at height 6: the votes are those of the set of height 4
    expect(watched.validator.jailed).toBe(true);
    const entries = getUnbonding(watched.context, bytesOf(person(4)), OPERATOR)?.entries ?? [];
    expect(entries.map(({ creationHeight, balance }) => [creationHeight, balance])).toEqual([
      [3n, 1000n],
      [4n, 990n],
    ]);
  });

  it('may return at the end of its jail time, and has a whole window from then on', () => {
    // no slash, so that it keeps its place in the set
    const watched = new Watched({ slashFractionDowntime: 0n });
    watched.jailedAt(absent(9));
    const { jailedUntil } = watched.info;
    const unjailAt = (time: bigint): void => {
      watched.context = { ...watched.context, time: toTimeNs(time) };
      send(MsgUnjailSchema, { validatorAddr: operator(1) })(watched);
    };
    expect(() => unjailAt(jailedUntil - 1n)).toThrow(SdkError);
    expect(watched.validator.jailed).toBe(true);
    endBlock(watched.context);
    unjailAt(jailedUntil);
    expect(watched.validator).toMatchObject({ jailed: false, status: BondStatus.UNBONDING });
    watched.context = { ...watched.context, height: toHeight(20n) };
    endBlock(watched.context);
    expect(watched.info.startHeight).toBe(20n);
    expect(watched.jailedAt(absent(20))).toBe(25n);
  });

  it('may not return when it is tombstoned, however late it is', () => {
    const watched = new Watched();
    watched.jailedAt(absent(9));
    setSigningInfo(watched.context, { ...watched.info, tombstoned: true });
    watched.context = { ...watched.context, time: toTimeNs(watched.info.jailedUntil + 10n ** 18n) };
    expect(() => send(MsgUnjailSchema, { validatorAddr: operator(1) })(watched)).toThrow(
      'validator still jailed; cannot be unjailed',
    );
  });
});
