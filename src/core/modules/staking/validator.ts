/** A validator with numeric amounts (cosmos-sdk v0.53 `x/staking/types/validator.go`). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema, type Any } from '@bufbuild/protobuf/wkt';
import { EMPTY } from '../../bytes/bytes.js';
import { fromTimestamp, toTimestamp } from '../../comet/time.js';
import { invariant } from '../../errors.js';
import type { Crypto } from '../../ports/crypto.js';
import type { TimeNs } from '../../primitives.js';
import * as pb from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { consensusAddress, consensusKeyOf, operatorText, storedOperator, type Chain } from './addresses.js';

export { BondStatus } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';

/** Tokens per unit of voting power: EVM chains count whole coins of 18 decimals. */
export const POWER_REDUCTION = 10n ** 18n;

/** Commission; rates in units of 10^-18. */
export interface Commission {
  readonly rate: bigint;
  readonly maxRate: bigint;
  readonly maxChangeRate: bigint;
  readonly updateTime: TimeNs;
}

export interface Validator {
  readonly operator: Uint8Array;
  readonly consensusKey: Any;
  readonly jailed: boolean;
  readonly status: pb.BondStatus;
  readonly tokens: bigint;
  /** Sum of all delegators' shares, in units of 10^-18. */
  readonly shares: bigint;
  readonly description: pb.Description;
  readonly unbondingHeight: bigint;
  readonly unbondingTime: TimeNs;
  readonly commission: Commission;
  readonly minSelfDelegation: bigint;
  readonly onHold: bigint;
  readonly unbondingIds: readonly bigint[];
}

/** True for a validator in the active set. */
export function isBonded({ status }: Validator): boolean {
  return status === pb.BondStatus.BONDED;
}

/** True for a validator that left the active set and waits for its unbonding time. */
export function isUnbonding({ status }: Validator): boolean {
  return status === pb.BondStatus.UNBONDING;
}

/** True for an unbonded validator. */
export function isUnbonded({ status }: Validator): boolean {
  return status === pb.BondStatus.UNBONDED;
}

/** Voting power that the tokens provide if the validator is or becomes bonded. */
export function potentialPower({ tokens }: Pick<Validator, 'tokens'>): bigint {
  return tokens / POWER_REDUCTION;
}

/** Voting power in consensus: zero unless bonded. */
export function consensusPower(validator: Validator): bigint {
  return isBonded(validator) ? potentialPower(validator) : 0n;
}

/** Cached addresses by key object, which a changed validator shares. */
const addresses = new WeakMap<Any, Uint8Array>();

/** Consensus address of the validator (20 bytes). */
export function consensusAddressOf(crypto: Crypto, { consensusKey }: Validator): Uint8Array {
  const known = addresses.get(consensusKey);
  if (known !== undefined) return known;
  const key = consensusKeyOf(consensusKey);
  invariant(key !== undefined, 'a validator without a consensus key');
  const address = consensusAddress(crypto, key);
  addresses.set(consensusKey, address);
  return address;
}

/** Converts to the SDK's message, as stored and as returned to clients. */
export function validatorMessage(chain: Chain, validator: Validator): pb.Validator {
  const { commission } = validator;
  return create(pb.ValidatorSchema, {
    operatorAddress: operatorText(chain, validator.operator),
    consensusPubkey: validator.consensusKey,
    jailed: validator.jailed,
    status: validator.status,
    tokens: validator.tokens.toString(),
    delegatorShares: validator.shares.toString(),
    description: validator.description,
    unbondingHeight: validator.unbondingHeight,
    unbondingTime: toTimestamp(validator.unbondingTime),
    commission: {
      commissionRates: {
        rate: commission.rate.toString(),
        maxRate: commission.maxRate.toString(),
        maxChangeRate: commission.maxChangeRate.toString(),
      },
      updateTime: toTimestamp(commission.updateTime),
    },
    minSelfDelegation: validator.minSelfDelegation.toString(),
    unbondingOnHoldRefCount: validator.onHold,
    unbondingIds: [...validator.unbondingIds],
  });
}

/** Converts from the SDK's message, whose amounts must be integer strings. */
export function validatorOfMessage(chain: Chain, message: pb.Validator): Validator {
  const { commission } = message;
  const rates = commission?.commissionRates;
  return {
    operator: storedOperator(chain, message.operatorAddress),
    consensusKey: keyOfMessage(message),
    jailed: message.jailed,
    status: message.status,
    tokens: BigInt(message.tokens),
    shares: BigInt(message.delegatorShares),
    description: message.description ?? create(pb.DescriptionSchema),
    unbondingHeight: message.unbondingHeight,
    unbondingTime: fromTimestamp(message.unbondingTime),
    commission: {
      rate: BigInt(rates?.rate ?? 0),
      maxRate: BigInt(rates?.maxRate ?? 0),
      maxChangeRate: BigInt(rates?.maxChangeRate ?? 0),
      updateTime: fromTimestamp(commission?.updateTime),
    },
    minSelfDelegation: BigInt(message.minSelfDelegation),
    onHold: message.unbondingOnHoldRefCount,
    unbondingIds: message.unbondingIds,
  };
}

/** Consensus key of a message; removes the host that JSON puts before its type. */
function keyOfMessage({ consensusPubkey }: pb.Validator): Any {
  const { typeUrl = '', value = EMPTY } = consensusPubkey ?? {};
  const key = create(AnySchema, { typeUrl: typeUrl.slice(typeUrl.lastIndexOf('/')), value });
  invariant(consensusKeyOf(key) !== undefined, 'a validator without a consensus key');
  return key;
}

/** Encodes a row. */
export function encodeValidator(chain: Chain, validator: Validator): Uint8Array {
  return toBinary(pb.ValidatorSchema, validatorMessage(chain, validator));
}

/** Decodes a row of the store. */
export function decodeValidator(chain: Chain, value: Uint8Array): Validator {
  return validatorOfMessage(chain, fromBinary(pb.ValidatorSchema, value));
}
