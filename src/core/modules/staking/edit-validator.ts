/** Edits validators (cosmos-sdk v0.53 `x/staking/keeper/msg_server.go` EditValidator). */
import { create } from '@bufbuild/protobuf';
import { CommissionSchema } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { Msg } from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, formatDec } from '../../sdk/coins/dec.js';
import { message } from '../../sdk/module/module.js';
import { invalidRequest, SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { compactText } from '../../sdk/go/compact-text.js';
import { requireOperator, signerOfOperator } from './addresses.js';
import { changedCommission } from './commission.js';
import { decOfMessage } from '../../sdk/codec/proto-dec.js';
import { editedDescription, isEmptyDescription } from './description.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import { type Validator, validatorMessage } from './validator.js';
import { requireValidator, setValidator } from './validators.js';

export const editValidator = message(Msg, 'editValidator', {
  signers: ({ validatorAddress }, prefix) => [signerOfOperator(validatorAddress, prefix)],
  handle(context, { description: edit, validatorAddress, commissionRate, minSelfDelegation }) {
    const operator = requireOperator(context, validatorAddress);
    if (edit === undefined || isEmptyDescription(edit)) throw invalidRequest('empty description');
    const minimum = minSelfDelegation === '' ? undefined : (parseAmount(minSelfDelegation) ?? 0n);
    if (minimum === 0n) throw invalidRequest('minimum self delegation must be a positive integer');
    const rate = decOfMessage(commissionRate);
    if (rate !== undefined) requireRate(context, rate);

    const before = requireValidator(context, operator);
    const described = { ...before, description: editedDescription(before.description, edit) };
    const priced = rate === undefined ? described : withRate(context, described, rate);
    if (minimum !== undefined) {
      if (minimum <= before.minSelfDelegation) throw new SdkError(stakingErrors.minSelfDelegationDecreased);
      if (minimum > before.tokens) throw new SdkError(stakingErrors.selfDelegationBelowMinimum);
    }
    const after = { ...priced, minSelfDelegation: minimum ?? before.minSelfDelegation };
    setValidator(context, after);
    emit(context, 'edit_validator', () => [
      ['commission_rate', commissionText(context, after)],
      ['min_self_delegation', after.minSelfDelegation.toString()],
    ]);
  },
});

function requireRate(context: Context, rate: bigint): void {
  if (rate > DEC_ONE || rate < 0n) throw invalidRequest('commission rate must be between 0 and 1 (inclusive)');
  const { minCommissionRate } = getParams(context);
  if (rate < minCommissionRate)
    throw invalidRequest(`commission rate cannot be less than the min commission rate ${formatDec(minCommissionRate)}`);
}

function withRate(context: Context, validator: Validator, rate: bigint): Validator {
  const commission = changedCommission(context, validator.commission, rate);
  for (const { beforeValidatorModified } of versionOf(context).hooks.staking)
    beforeValidatorModified?.(context, validator.operator);
  return { ...validator, commission };
}

function commissionText(context: Context, validator: Validator): string {
  const { commission } = validatorMessage(context, validator);
  return compactText(CommissionSchema, commission ?? create(CommissionSchema));
}
