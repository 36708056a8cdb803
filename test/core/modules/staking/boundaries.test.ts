/** Times and heights at which rules of staking begin and end. */
import { expect, it } from 'vitest';
import { endBlock } from '../../../../src/core/modules/staking/end-block.js';
import { jailValidator } from '../../../../src/core/modules/staking/jail.js';
import { getRedelegation } from '../../../../src/core/modules/staking/redelegations.js';
import { requireValidator } from '../../../../src/core/modules/staking/validators.js';
import { PubKeySchema } from '../../../../src/core/proto/cosmos/crypto/ed25519/keys_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { achr, any, bytesOf, operator, person } from '../../app/properties/people.js';
import { change, delegate, later, newStage, outcomeOf, send, type Step } from '../../app/refusals/stage.js';

/** The unbonding time of the stage in seconds. */
const UNBONDING = 12n;
/** A bonded validator of the stage. */
const SOURCE = 3;
const at = (to: number) => ({ delegatorAddress: person(4), validatorAddress: operator(to) });
const undelegate = send(pb.MsgUndelegateSchema, { ...at(0), amount: achr(5n) });
const redelegate = send(pb.MsgBeginRedelegateSchema, {
  delegatorAddress: person(4),
  validatorSrcAddress: operator(SOURCE),
  validatorDstAddress: operator(0),
  amount: achr(5n),
});

it('an unbonding can be cancelled until the block at its completion time', () => {
  const cancel = send(pb.MsgCancelUnbondingDelegationSchema, { ...at(0), amount: achr(5n), creationHeight: 1n });
  expect(outcomeOf([delegate(0), undelegate, later(UNBONDING), cancel])).toBe('done');
  expect(outcomeOf([delegate(0), undelegate, later(UNBONDING + 1n), cancel])).toMatch(/already processed/);
});

it('a redelegation from an unbonding validator has the height and the end of that unbonding', () => {
  const stage = newStage();
  for (const step of [
    delegate(SOURCE),
    change((context) => jailValidator(context, requireValidator(context, bytesOf(person(SOURCE))))),
    change(endBlock),
    later(3n),
    redelegate,
  ])
    step(stage);
  const { context } = stage;
  const source = requireValidator(context, bytesOf(person(SOURCE)));
  const [entry] =
    getRedelegation(context, {
      delegator: bytesOf(person(4)),
      source: bytesOf(person(SOURCE)),
      destination: bytesOf(person(0)),
    })?.entries ?? [];
  expect(entry).toMatchObject({ creationHeight: source.unbondingHeight, completionTime: source.unbondingTime });
  expect(entry?.creationHeight).toBeLessThan(context.height);
});

it('the last shares of an unbonded validator cannot be redelegated, since it is removed with them', () => {
  const amount = 10n ** 18n;
  const made = send(pb.MsgCreateValidatorSchema, {
    description: { moniker: 'new' },
    commission: { rate: '0', maxRate: '0', maxChangeRate: '0' },
    minSelfDelegation: '1',
    validatorAddress: operator(4),
    pubkey: any(PubKeySchema, { key: new Uint8Array(32).fill(9) }),
    value: achr(amount),
  });
  const move = (moved: bigint): Step =>
    send(pb.MsgBeginRedelegateSchema, {
      delegatorAddress: person(4),
      validatorSrcAddress: operator(4),
      validatorDstAddress: operator(0),
      amount: achr(moved),
    });
  expect(outcomeOf([made, move(amount - 1n)])).toBe('done');
  expect(outcomeOf([made, move(amount)])).toMatch(/validator does not exist/);
});
