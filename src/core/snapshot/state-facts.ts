/** Chain facts that a node without blocks reads from the state. */
import { fromTimestamp } from '../comet/time.js';
import { genesisValidatorSet } from '../comet/validator-updates.js';
import { getBlockHashes } from '../modules/evm/block-hashes.js';
import { HISTORY_ADDRESS, historySlot } from '../modules/evm/state.js';
import { getStorage } from '../modules/evm/store.js';
import { getConsensusParams } from '../modules/consensus/module.js';
import { getHistoricalInfo } from '../modules/staking/historical-info.js';
import { lastPowers } from '../modules/staking/last-powers.js';
import { potentialPower, validatorOfMessage } from '../modules/staking/validator.js';
import { validatorUpdate } from '../modules/staking/validator-set.js';
import { requireValidator } from '../modules/staking/validators.js';
import { getPlan } from '../modules/upgrade/plan-store.js';
import { EMPTY } from '../bytes/bytes.js';
import { toHeight, type Height, type TimeNs } from '../primitives.js';
import type { ConsensusParams } from '../proto/tendermint/types/params_pb.js';
import type { ValidatorSet } from '../proto/tendermint/types/validator_pb.js';
import type { Context } from '../sdk/module/context.js';
import { readingContext, type ReadingOptions } from '../sdk/module/reading-context.js';
import type { StateReader } from '../state/state.js';

export interface StateFacts {
  /** Time of the last block; the genesis time when staking keeps no historical infos. */
  readonly time: TimeNs;
  /** Hash of the last CometBFT block; empty when the state does not contain it. */
  readonly blockHash: Uint8Array;
  /** Validators of the next block, and of the block after it; proposer priorities are those of new sets. */
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
  readonly consensusParams: ConsensusParams;
  /** Height of the next upgrade plan. */
  readonly upgradeHeight: Height | undefined;
}

/** Facts that the genesis of the chain provides. */
export type GenesisFacts = Pick<StateFacts, 'time' | 'validators' | 'consensusParams'>;

/**
 * Reads the facts from the state after the block at `options.at`: historical info and last powers of x/staking,
 * parameters of x/consensus, plan of x/upgrade, and the history contract.
 */
export function stateFacts(state: StateReader, options: ReadingOptions, genesis: GenesisFacts): StateFacts {
  const context = readingContext(state, options);
  const { height } = options.at;
  const info = getHistoricalInfo(context, height);
  const nextValidators = setOf(context, lastUpdates(context)) ?? genesis.validators;
  const before = (info?.valset ?? []).map((message) => {
    const validator = validatorOfMessage(context, message);
    return validatorUpdate(validator, potentialPower(validator));
  });
  const planned = getPlan(context.store)?.height;
  return {
    time: info?.header?.time === undefined ? genesis.time : fromTimestamp(info.header.time),
    blockHash: blockHashOf(context, height),
    validators: setOf(context, before) ?? nextValidators,
    nextValidators,
    consensusParams: getConsensusParams(context) ?? genesis.consensusParams,
    upgradeHeight: planned === undefined ? undefined : toHeight(planned < height ? height : planned),
  };
}

type Updates = Parameters<typeof genesisValidatorSet>[1];

function lastUpdates(context: Context): Updates {
  return Array.from(lastPowers(context), ({ operator, power }) =>
    validatorUpdate(requireValidator(context, operator), power),
  );
}

function setOf({ crypto }: Context, updates: Updates): ValidatorSet | undefined {
  const made = updates.length === 0 ? undefined : genesisValidatorSet(crypto, updates);
  return made?.ok === true ? made.set : undefined;
}

function blockHashOf(context: Context, height: Height): Uint8Array {
  if (!context.version.stores.includes('evm')) return EMPTY;
  const hashes = getBlockHashes(context);
  if (hashes !== undefined) return hashes.consensus;
  return getStorage(context, HISTORY_ADDRESS, historySlot(context, height)) ?? EMPTY;
}
