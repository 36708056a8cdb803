import { describe, expect, it } from 'vitest';
import { distributionModule } from '../../../../src/core/modules/distribution/module.js';
import { setParams } from '../../../../src/core/modules/distribution/params.js';
import * as pb from '../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { hasGolden } from '../../../support/golden.js';
import {
  contextOver,
  entriesIn,
  exportedSection,
  FACTS,
  GOVERNANCE,
  recordedContext,
  refusal,
  sends,
} from './support.js';
import { bech32 } from '@scure/base';
import { fromHex } from '../../app/support.js';

const ALICE = 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv';
const VALIDATOR = 'cosmosvaloper10jmp6sgh4cc6zt3e8gw05wavvejgr5pw4xyrql';
/** An operator without a validator. */
const NOBODY = bech32.encode('cosmosvaloper', bech32.toWords(new Uint8Array(20).fill(9)));
const COINS = [{ denom: 'atest', amount: '1' }];
const authority = GOVERNANCE;
const notGovernance = `invalid authority; expected ${GOVERNANCE}, got ${ALICE}: expected gov account as only signer for proposal message`;
const malformed = (what: string) => `${what}: unknown address format: bad: unknown address: invalid address`;

const send = sends(distributionModule);

describe.skipIf(!hasGolden)('distribution', () => {
  it.each([
    [
      send(pb.MsgSetWithdrawAddressSchema, { delegatorAddress: 'bad', withdrawAddress: ALICE }),
      ['sdk', 7, malformed('invalid delegator address')],
    ],
    [
      send(pb.MsgSetWithdrawAddressSchema, { delegatorAddress: ALICE, withdrawAddress: 'bad' }),
      ['sdk', 7, malformed('invalid withdraw address')],
    ],
    [
      send(pb.MsgSetWithdrawAddressSchema, { delegatorAddress: ALICE, withdrawAddress: GOVERNANCE }),
      ['sdk', 4, `${GOVERNANCE} is not allowed to receive external funds: unauthorized`],
    ],
    [
      send(pb.MsgWithdrawDelegatorRewardSchema, { delegatorAddress: ALICE, validatorAddress: 'bad' }),
      ['sdk', 7, malformed('invalid validator address')],
    ],
    [
      send(pb.MsgWithdrawDelegatorRewardSchema, { delegatorAddress: 'bad', validatorAddress: VALIDATOR }),
      ['sdk', 7, malformed('invalid delegator address')],
    ],
    [
      send(pb.MsgWithdrawDelegatorRewardSchema, { delegatorAddress: ALICE, validatorAddress: NOBODY }),
      ['staking', 3, 'validator does not exist'],
    ],
    [
      send(pb.MsgWithdrawDelegatorRewardSchema, { delegatorAddress: GOVERNANCE, validatorAddress: VALIDATOR }),
      ['staking', 19, 'no delegation for (address, validator) tuple'],
    ],
    [
      send(pb.MsgWithdrawValidatorCommissionSchema, { validatorAddress: 'bad' }),
      ['sdk', 7, malformed('invalid validator address')],
    ],
    [
      send(pb.MsgWithdrawValidatorCommissionSchema, { validatorAddress: NOBODY }),
      ['distribution', 7, 'no validator commission to withdraw'],
    ],
    [
      send(pb.MsgFundCommunityPoolSchema, { depositor: 'bad', amount: COINS }),
      ['sdk', 7, malformed('invalid depositor address')],
    ],
    [
      send(pb.MsgFundCommunityPoolSchema, { depositor: ALICE, amount: [] }),
      ['sdk', 10, 'amount cannot be nil: invalid coins'],
    ],
    [
      send(pb.MsgFundCommunityPoolSchema, { depositor: ALICE, amount: [{ denom: 'atest', amount: '-1' }] }),
      ['sdk', 10, '-1atest: invalid coins'],
    ],
    [
      send(pb.MsgFundCommunityPoolSchema, { depositor: ALICE, amount: [{ denom: 'other', amount: '1' }] }),
      ['sdk', 5, 'spendable balance 0other is smaller than 1other: insufficient funds'],
    ],
    [
      send(pb.MsgCommunityPoolSpendSchema, { authority: 'bad', recipient: ALICE, amount: COINS }),
      ['sdk', 7, malformed('invalid authority address')],
    ],
    [
      send(pb.MsgCommunityPoolSpendSchema, { authority: ALICE, recipient: ALICE, amount: COINS }),
      ['gov', 13, notGovernance],
    ],
    [
      send(pb.MsgCommunityPoolSpendSchema, { authority, recipient: 'bad', amount: COINS }),
      ['sdk', 9, 'unknown address format: bad: unknown address'],
    ],
    [
      send(pb.MsgCommunityPoolSpendSchema, { authority, recipient: GOVERNANCE, amount: COINS }),
      ['sdk', 4, `${GOVERNANCE} is not allowed to receive external funds: unauthorized`],
    ],
    [
      send(pb.MsgCommunityPoolSpendSchema, {
        authority,
        recipient: ALICE,
        amount: [{ denom: 'atest', amount: String(10n ** 40n) }],
      }),
      ['distribution', 9, 'community pool does not have sufficient coins to distribute'],
    ],
    [
      send(pb.MsgDepositValidatorRewardsPoolSchema, { depositor: 'bad', validatorAddress: VALIDATOR, amount: COINS }),
      ['sdk', 9, 'unknown address format: bad: unknown address'],
    ],
    [
      send(pb.MsgDepositValidatorRewardsPoolSchema, { depositor: ALICE, validatorAddress: NOBODY, amount: COINS }),
      ['staking', 3, 'validator does not exist'],
    ],
    [send(pb.MsgUpdateParamsSchema, { authority: ALICE, params: {} }), ['gov', 13, notGovernance]],
    [send(pb.MsgUpdateParamsSchema, { authority }), ['undefined', 1, 'community tax must be not nil']],
    [
      send(pb.MsgUpdateParamsSchema, { authority, params: { communityTax: '-1' } }),
      ['undefined', 1, 'community tax must be positive: -0.000000000000000001'],
    ],
    [
      send(pb.MsgUpdateParamsSchema, { authority, params: { communityTax: '2000000000000000000' } }),
      ['undefined', 1, 'community tax too large: 2.000000000000000000'],
    ],
    [
      send(pb.MsgUpdateParamsSchema, { authority, params: { communityTax: '0', bonusProposerReward: '1' } }),
      ['sdk', 18, 'cannot update base or bonus proposer reward because these are deprecated fields: invalid request'],
    ],
  ])('refuses $title (case %#)', (sent, expected) => {
    expect(sent.refusal(recordedContext(224n))).toEqual(expected);
  });

  it('refuses a withdraw address when the parameters forbid it', () => {
    const context = recordedContext(224n);
    setParams(context, { communityTax: 0n, withdrawAddrEnabled: false });
    const message = { delegatorAddress: ALICE, withdrawAddress: ALICE };
    expect(refusal(context, distributionModule, pb.MsgSetWithdrawAddressSchema, message)).toEqual([
      'distribution',
      8,
      'set withdraw address disabled',
    ]);
  });
});

describe.skipIf(!hasGolden)('the recorded state', () => {
  it.each([224n, 715n] as const)('after height %s holds every invariant', (height) => {
    for (const invariant of distributionModule.invariants ?? [])
      expect(invariant.check(recordedContext(height))).toBeUndefined();
  });

  it('breaks the invariant of the module account without its fee pool', () => {
    const context = recordedContext(224n);
    const pool = { store: 'distribution', key: fromHex('00') };
    context.store.delete(pool.store, pool.key);
    expect(
      (distributionModule.invariants ?? []).filter((one) => one.check(context) !== undefined).map(({ name }) => name),
    ).toEqual(['distribution/module-account']);
  });

  it('is exported as by the recorded node, and imported again', () => {
    const context = recordedContext(715n);
    const section = distributionModule.exportGenesis(context);
    expect(section).toEqual(exportedSection('distribution'));
    const again = contextOver(
      ['acc', 'bank'].flatMap((store) =>
        entriesIn(context, store).map(([key, value]) => ({ store, key: fromHex(key), value: fromHex(value) })),
      ),
    );
    distributionModule.initGenesis(again, section, FACTS);
    expect(entriesIn(again, 'distribution')).toEqual(entriesIn(context, 'distribution'));
    expect(() => distributionModule.initGenesis(contextOver([]), section, FACTS)).toThrow(
      'distribution module balance does not match the module holdings',
    );
  });
});
