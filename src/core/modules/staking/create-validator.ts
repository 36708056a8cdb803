/** New validators (cosmos-sdk v0.53 `x/staking/keeper/msg_server.go` CreateValidator, `x/staking/types/msg.go`). */
import { create } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  MsgCreateValidatorResponseSchema,
  MsgCreateValidatorSchema,
} from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { toTimeNs } from '../../primitives.js';
import { KEY_TYPES } from '../../sdk/account-key.js';
import { emit } from '../../sdk/abci-event.js';
import { areValidCoins, formatCoins, parseAmount } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { formatDec } from '../../sdk/dec.js';
import { unmetered } from '../../sdk/gas.js';
import { message } from '../../sdk/module.js';
import { SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import { getConsensusParams } from '../consensus/module.js';
import { consensusAddress, consensusKeyOf, requireOperator, signerOfOperator, type ConsensusKey } from './addresses.js';
import { initialCommission } from './commission.js';
import { delegate } from './delegate.js';
import { isEmptyDescription, requireLengths } from './description.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import { BondStatus, type Validator } from './validator.js';
import { requireBondDenom } from './bond-denom.js';
import {
  getValidator,
  getValidatorByConsensus,
  setByPower,
  setValidator,
  setValidatorByConsensus,
} from './validators.js';

const refuse = (text: string): never => {
  throw new SdkError(sdkErrors.invalidRequest, text);
};

export const createValidator = message(
  MsgCreateValidatorSchema,
  MsgCreateValidatorResponseSchema,
  ({ validatorAddress }) => [signerOfOperator(validatorAddress)],
  (context, { description, commission: rates, minSelfDelegation, validatorAddress, pubkey, value }) => {
    const operator = requireOperator(context, validatorAddress);
    if (pubkey === undefined) throw new SdkError(stakingErrors.emptyKey);
    if (value === undefined || !areValidCoins([value])) return refuse('invalid delegation amount');
    if (description === undefined || isEmptyDescription(description)) return refuse('empty description');
    if (rates === undefined) return refuse('empty commission');
    const commission = initialCommission(rates, context.time);
    const minimum = parseAmount(minSelfDelegation) ?? 0n;
    if (minimum <= 0n) refuse('minimum self delegation must be a positive integer');
    const amount = BigInt(value.amount);
    if (amount < minimum) throw new SdkError(stakingErrors.selfDelegationBelowMinimum);

    const { minCommissionRate } = getParams(context);
    if (commission.rate < minCommissionRate) {
      throw new SdkError(
        stakingErrors.commissionBelowMinimum,
        `cannot set validator commission to less than minimum rate of ${formatDec(minCommissionRate)}`,
      );
    }
    if (getValidator(context, operator) !== undefined) throw new SdkError(stakingErrors.operatorExists);
    const key = requireKey(context, pubkey);
    if (getValidatorByConsensus(context, consensusAddress(context.crypto, key)) !== undefined)
      throw new SdkError(stakingErrors.keyExists);
    requireBondDenom(context, value);
    requireLengths(description);

    const validator: Validator = {
      operator,
      consensusKey: pubkey,
      jailed: false,
      status: BondStatus.UNBONDED,
      tokens: 0n,
      shares: 0n,
      description,
      unbondingHeight: 0n,
      unbondingTime: toTimeNs(0n),
      commission,
      minSelfDelegation: minimum,
      onHold: 0n,
      unbondingIds: [],
    };
    setValidator(context, validator);
    setValidatorByConsensus(context, validator);
    setByPower(context, validator);
    for (const { afterValidatorCreated } of context.version.hooks.staking) afterValidatorCreated?.(context, operator);
    delegate(context, operator, amount, 'account', validator);
    emit(context, 'create_validator', () => [
      ['validator', validatorAddress],
      ['amount', formatCoins([value])],
    ]);
    return create(MsgCreateValidatorResponseSchema);
  },
);

/** The key, which must be of a kind that the consensus parameters allow. Baseapp holds those: reading them is free. */
function requireKey(context: Context, pubkey: Any): ConsensusKey {
  const key = consensusKeyOf(pubkey);
  const params = getConsensusParams({ store: unmetered(context.store) });
  const allowed = params?.validator?.pubKeyTypes;
  if (key !== undefined && (allowed === undefined || allowed.includes(key.kind))) return key;
  if (pubkey.typeUrl === KEY_TYPES.ed25519.typeUrl) throw new SdkError(stakingErrors.keyLength);
  throw new SdkError(
    stakingErrors.keyTypeNotSupported,
    `got: ${key?.kind ?? pubkey.typeUrl}, expected: [${(allowed ?? []).join(' ')}]`,
  );
}
