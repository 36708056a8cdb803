/**
 * Creates validators (cosmos-sdk v0.53 `x/staking/keeper/msg_server.go` CreateValidator, `x/staking/types/msg.go`).
 */
import type { Any } from '@bufbuild/protobuf/wkt';
import { Msg } from '../../proto/cosmos/staking/v1beta1/tx_pb.js';
import { EMPTY } from '../../bytes/bytes.js';
import type { CommissionRates } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import { toTimeNs } from '../../primitives.js';
import { KEY_TYPES } from '../../sdk/signing/account-key.js';
import { reencodeAny } from '../../sdk/codec/reencode-any.js';
import { emit } from '../../sdk/module/abci-event.js';
import { areValidCoins, formatCoins, parseAmount } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { formatDec } from '../../sdk/coins/dec.js';
import { unmetered } from '../../sdk/module/gas.js';
import { message } from '../../sdk/module/module.js';
import { addressOf, parsePublicKey } from '../../sdk/signing/public-key.js';
import { invalidRequest, SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { getConsensusParams } from '../consensus/module.js';
import { requireOperator, signerOfOperator, type ConsensusKey } from './addresses.js';
import { initialCommission } from './commission.js';
import { delegate } from './delegate.js';
import { isEmptyDescription, requireLengths } from './description.js';
import { stakingErrors } from './errors.js';
import { getParams } from './params.js';
import { stakingRules } from './rules.js';
import { BondStatus, type Validator } from './validator.js';
import { requireBondDenom } from './bond-denom.js';
import {
  getValidator,
  getValidatorByConsensus,
  setByPower,
  setValidator,
  setValidatorByConsensus,
} from './validators.js';

export const createValidator = message(Msg, 'createValidator', {
  signers: ({ validatorAddress }, prefix) => [signerOfOperator(validatorAddress, prefix)],
  handle(context, { description, commission: rates, minSelfDelegation, validatorAddress, pubkey, value }) {
    const operator = requireOperator(context, validatorAddress);
    if (pubkey === undefined) throw new SdkError(stakingErrors.emptyKey);
    if (value === undefined || !areValidCoins([value])) throw invalidRequest('invalid delegation amount');
    if (description === undefined || isEmptyDescription(description)) throw invalidRequest('empty description');
    if (rates === undefined || isEmpty(rates)) throw invalidRequest('empty commission');
    const commission = initialCommission(context, rates);
    const minimum = parseAmount(minSelfDelegation) ?? 0n;
    if (minimum <= 0n) throw invalidRequest('minimum self delegation must be a positive integer');
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
    const { kind, address } = readKey(context, pubkey);
    if (getValidatorByConsensus(context, address) !== undefined) throw new SdkError(stakingErrors.keyExists);
    requireBondDenom(context, value);
    requireLengths(description);
    requireKind(context, kind);

    const validator: Validator = {
      operator,
      consensusKey: reencodeAny(context.router.types, pubkey),
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
    for (const { afterValidatorCreated } of versionOf(context).hooks.staking)
      afterValidatorCreated?.(context, operator);
    delegate(context, operator, amount, 'account', validator);
    emit(context, 'create_validator', () => [
      ['validator', validatorAddress],
      ['amount', formatCoins([value])],
    ]);
  },
});

const isEmpty = ({ rate, maxRate, maxChangeRate }: CommissionRates): boolean =>
  rate === '' && maxRate === '' && maxChangeRate === '';

/** Key kinds that CometBFT supports. */
const CONSENSUS_KINDS: readonly ConsensusKey['kind'][] = ['ed25519', 'secp256k1'];

/** Name of a key's type, and its address (empty for an unknown type). */
function readKey(context: Context, pubkey: Any): { readonly kind: string; readonly address: Uint8Array } {
  const key = parsePublicKey(context.version, pubkey);
  if (key !== undefined)
    return {
      kind: key.kind === 'multisig' ? 'PubKeyMultisigThreshold' : key.kind,
      address: addressOf(context.crypto, key) ?? EMPTY,
    };
  const kind = CONSENSUS_KINDS.find((one) => KEY_TYPES[one].typeUrl === pubkey.typeUrl);
  if (kind === undefined) return { kind: pubkey.typeUrl, address: EMPTY };
  throw stakingRules.of(context).wrongKeyLength(kind);
}

/** Rejects key kinds that the consensus parameters do not allow. Baseapp caches those, so reading them is free. */
function requireKind(context: Context, kind: string): void {
  const allowed = getConsensusParams({ store: unmetered(context.store) })?.validator?.pubKeyTypes;
  if (CONSENSUS_KINDS.some((one) => one === kind) && (allowed === undefined || allowed.includes(kind))) return;
  throw new SdkError(stakingErrors.keyTypeNotSupported, `got: ${kind}, expected: [${(allowed ?? []).join(' ')}]`);
}
