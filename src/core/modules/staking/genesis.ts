/** Genesis of staking (cosmos-sdk v0.53 `x/staking/keeper/genesis.go`). */
import { create } from '@bufbuild/protobuf';
import { fromBase64, toBase64 } from '../../bytes/base64.js';
import { text, utf8 } from '../../bytes/bytes.js';
import { asObject } from '../../text/json-object.js';
import { GenesisStateSchema } from '../../proto/cosmos/staking/v1beta1/genesis_pb.js';
import { ParamsSchema } from '../../proto/cosmos/staking/v1beta1/staking_pb.js';
import type { ValidatorUpdate } from '../../proto/tendermint/abci/types_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError } from '../../sdk/module/genesis-section.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { readDecimalSection, writeDecimalSection } from '../../sdk/codec/proto-dec.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { operatorText, storedOperator } from './addresses.js';
import {
  allDelegations,
  type Delegation,
  delegationMessage,
  delegationOfMessage,
  setDelegation,
} from './delegations.js';
import { getLastTotalPower, lastPowers, setLastPower, setLastTotalPower } from './last-powers.js';
import { getParams, paramsMessage, paramsOfMessage, setParams, type StakingParams } from './params.js';
import { BONDED_POOL, NOT_BONDED_POOL, type BondPool, poolTokens } from './pools.js';
import { queueRedelegation, queueUnbonding, queueValidator } from './queues.js';
import { allRedelegations, redelegationMessage, redelegationOfMessage, setRedelegation } from './redelegations.js';
import { allUnbondings, setUnbonding, unbondingMessage, unbondingOfMessage } from './unbonding-delegations.js';
import { paramsProblem } from './update-params.js';
import { isBonded, isUnbonding, type Validator, validatorMessage, validatorOfMessage } from './validator.js';
import { updateValidatorSet, validatorUpdate } from './validator-set.js';
import { allValidators, requireValidator, setByPower, setValidator, setValidatorByConsensus } from './validators.js';
import { NS_PER_SECOND } from '../../primitives.js';

const PATH = 'app_state.staking';

/** Default parameters. */
const DEFAULT_PARAMS: StakingParams = {
  unbondingTime: 21n * 86_400n * NS_PER_SECOND,
  maxValidators: 100,
  maxEntries: 7,
  historicalEntries: 10_000,
  bondDenom: 'stake',
  minCommissionRate: 0n,
};

/** Stores the section and returns the first validator set. */
export function initGenesis(context: Context, section: unknown): readonly ValidatorUpdate[] {
  const state = readDecimalSection(PATH, GenesisStateSchema, withBytes(section));
  const params = state.params === undefined ? DEFAULT_PARAMS : paramsOfMessage(state.params ?? create(ParamsSchema));
  const problem = paramsProblem(params);
  if (problem !== undefined) throw new GenesisError(`${PATH}.params`, problem);
  setParams(context, params);
  setLastTotalPower(context, BigInt(text(state.lastTotalPower) || '0'));
  const tokens = { [BONDED_POOL]: 0n, [NOT_BONDED_POOL]: 0n };
  for (const validator of readAll('validators', state.validators, (one) => validatorOfMessage(context, one))) {
    addValidator(context, validator, state.exported);
    tokens[isBonded(validator) ? BONDED_POOL : NOT_BONDED_POOL] += validator.tokens;
  }
  for (const delegation of readAll('delegations', state.delegations, (one) => delegationOfMessage(context, one)))
    addDelegation(context, delegation, state.exported);
  const unbondings = readAll('unbonding_delegations', state.unbondingDelegations, (one) =>
    unbondingOfMessage(context, one),
  );
  for (const unbonding of unbondings) {
    setUnbonding(context, unbonding);
    for (const { completionTime, balance } of unbonding.entries) {
      queueUnbonding(context, completionTime, unbonding);
      tokens[NOT_BONDED_POOL] += balance;
    }
  }
  const redelegations = readAll('redelegations', state.redelegations, (one) => redelegationOfMessage(context, one));
  for (const redelegation of redelegations) {
    setRedelegation(context, redelegation);
    for (const { completionTime } of redelegation.entries) queueRedelegation(context, completionTime, redelegation);
  }
  requirePool(context, BONDED_POOL, tokens[BONDED_POOL]);
  requirePool(context, NOT_BONDED_POOL, tokens[NOT_BONDED_POOL]);
  if (!state.exported) return updateValidatorSet(context);
  return state.lastValidatorPowers.map(({ address, power }) => {
    const operator = storedOperator(context, address);
    setLastPower(context, operator, power);
    return validatorUpdate(requireValidator(context, operator), power);
  });
}

/** Converts the items of a list; GenesisError with the path of one that has a malformed address, key or amount. */
function readAll<Message, Item>(list: string, messages: readonly Message[], read: (message: Message) => Item): Item[] {
  return messages.map((message, index) => {
    try {
      return read(message);
    } catch {
      throw new GenesisError(`${PATH}.${list}[${index}]`, 'has a malformed address, key or amount');
    }
  });
}

function addValidator(context: Context, validator: Validator, isExported: boolean): void {
  setValidator(context, validator);
  setValidatorByConsensus(context, validator);
  setByPower(context, validator);
  if (!isExported)
    for (const { afterValidatorCreated } of versionOf(context).hooks.staking)
      afterValidatorCreated?.(context, validator.operator);
  if (isUnbonding(validator)) queueValidator(context, validator);
}

/** Stores a delegation. An exported genesis calls no hooks, because it contains the records of the other modules. */
function addDelegation(context: Context, delegation: Delegation, isExported: boolean): void {
  const { delegator, operator } = delegation;
  const hooks = isExported ? [] : versionOf(context).hooks.staking;
  for (const { beforeDelegationCreated } of hooks) beforeDelegationCreated?.(context, delegator, operator);
  setDelegation(context, delegation);
  for (const { afterDelegationModified } of hooks) afterDelegationModified?.(context, delegator, operator);
}

/** Creates a pool account, which must hold exactly these tokens. */
function requirePool(context: Context, pool: BondPool, tokens: bigint): void {
  ensureModuleAccount(context, pool);
  const poolBalance = poolTokens(context, pool);
  if (poolBalance !== tokens)
    throw new GenesisError(PATH, `the account of ${pool} holds ${poolBalance}, but the section has ${tokens} there`);
}

/** Exports the section with `exported: true`, so that an import takes powers and pools as they are. */
export function exportGenesis(context: Context): unknown {
  const state = {
    params: paramsMessage(getParams(context)),
    lastTotalPower: utf8(getLastTotalPower(context).toString()),
    lastValidatorPowers: Array.from(lastPowers(context), ({ operator, power }) => ({
      address: operatorText(context, operator),
      power,
    })),
    validators: Array.from(allValidators(context), (one) => validatorMessage(context, one)),
    delegations: Array.from(allDelegations(context), (one) => delegationMessage(context, one)),
    unbondingDelegations: Array.from(allUnbondings(context), (one) => unbondingMessage(context, one)),
    redelegations: Array.from(allRedelegations(context), (one) => redelegationMessage(context, one)),
    exported: true,
  };
  const json = asObject(writeDecimalSection(GenesisStateSchema, state)) ?? {};
  return { ...json, [TOTAL]: text(fromBase64(String(json[TOTAL]))) };
}

/** Field that is an integer string in the document and bytes of its text in protobuf. */
const TOTAL = 'last_total_power';

function withBytes(section: unknown): Parameters<typeof readDecimalSection>[2] {
  const { [TOTAL]: total, ...rest } = asObject(section ?? {}) ?? {};
  if (total !== undefined && (typeof total !== 'string' || !/^[0-9]{1,78}$/.test(total)))
    throw new GenesisError(`${PATH}.${TOTAL}`, 'is not a whole number as text');
  return total === undefined ? rest : { ...rest, [TOTAL]: toBase64(utf8(total)) };
}
