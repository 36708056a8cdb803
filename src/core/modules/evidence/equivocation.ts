/** Handles validators that double-signed (cosmos-sdk v0.53 `x/evidence/keeper/infraction.go`). */
import { create, toBinary } from '@bufbuild/protobuf';
import type { Misbehavior } from '../../application-requests.js';
import { fromDuration, toTimestamp } from '../../comet/time.js';
import { NS_PER_SECOND, toTimeNs } from '../../primitives.js';
import { EquivocationSchema } from '../../proto/cosmos/evidence/v1beta1/evidence_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { getConsensusParams } from '../consensus/module.js';
import { getParams as slashingParams } from '../slashing/params.js';
import { hasPublicKey } from '../slashing/public-keys.js';
import { getSigningInfo, setSigningInfo } from '../slashing/signing-info.js';
import { consensusText } from '../staking/addresses.js';
import { jail } from '../staking/jail.js';
import { slash } from '../staking/slash.js';
import { isUnbonded } from '../staking/validator.js';
import { getValidatorByConsensus } from '../staking/validators.js';
import { setEvidence } from './store.js';

/** End of the jail time of a double signer: the last second of year 9999. */
const FOREVER = toTimeNs(253_402_300_799n * NS_PER_SECOND);
/** Number of blocks until a validator set signs its first block. */
const VALIDATOR_DELAY = 1n;

/** Handles the misbehavior in the current block. */
export function beginBlock(context: Context): void {
  for (const offence of context.block.facts.misbehavior) punish(context, offence);
}

/**
 * Slashes, jails and tombstones a validator once; misbehavior of unbonded validators, or too old misbehavior, has no
 * effect.
 */
function punish(context: Context, { address, power, height, time }: Misbehavior): void {
  const validator = getValidatorByConsensus(context, address);
  const info = getSigningInfo(context, address);
  if (validator === undefined || isUnbonded(validator) || !hasPublicKey(context, address)) return;
  if (isTooOld(context, height, time) || info === undefined || info.tombstoned) return;

  const offender = consensusText(context, address);
  const { slashFractionDoubleSign } = slashingParams(context);
  const offence = { consensus: address, height: height - VALIDATOR_DELAY, power };
  const burned = slash(context, offence, slashFractionDoubleSign);
  emit(context, 'slash', () => [
    ['address', offender],
    ['power', power.toString()],
    ['reason', 'double_sign'],
    ['burned_coins', burned.toString()],
  ]);
  if (!validator.jailed) {
    jail(context, address);
    emit(context, 'slash', () => [['jailed', offender]]);
  }
  setSigningInfo(context, { ...info, jailedUntil: FOREVER, tombstoned: true });
  const evidence = create(EquivocationSchema, { height, time: toTimestamp(time), power, consensusAddress: offender });
  setEvidence(context, toBinary(EquivocationSchema, evidence));
}

/** True when evidence exceeds both age limits of the consensus parameters. */
function isTooOld(context: Context, height: bigint, time: bigint): boolean {
  const limits = getConsensusParams(context)?.evidence;
  if (limits === undefined) return false;
  return context.time - time > fromDuration(limits.maxAgeDuration) && context.height - height > limits.maxAgeNumBlocks;
}
