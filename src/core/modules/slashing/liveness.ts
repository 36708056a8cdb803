/** Slashes and jails validators that miss too many blocks (cosmos-sdk v0.53 `x/slashing/keeper/infractions.go`). */
import type { LastCommitVote } from '../../application-requests.js';
import { toTimeNs } from '../../primitives.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import { consensusText } from '../staking/addresses.js';
import { jail } from '../staking/jail.js';
import { slash } from '../staking/slash.js';
import { isUnbonded } from '../staking/validator.js';
import { getValidatorByConsensus } from '../staking/validators.js';
import { deleteMissed, hasMissed, setMissed } from './missed-blocks.js';
import { getParams, maxMissedBlocks } from './params.js';
import { getSigningInfo, setSigningInfo, type SigningInfo } from './signing-info.js';

/** Number of blocks from a validator set's vote to the block that reports it. */
const VOTE_DELAY = 2n;

/** Counts the votes of the last block. */
export function beginBlock(context: Context): void {
  for (const vote of context.block.facts.lastCommitVotes) countVote(context, vote);
}

function countVote(context: Context, vote: LastCommitVote): void {
  const { address, flag } = vote;
  // A validator may be removed before its last vote is counted, which would stop a Go node.
  const validator = getValidatorByConsensus(context, address);
  if (validator?.jailed !== false) return;
  const info = getSigningInfo(context, address);
  if (info === undefined) return;
  const params = getParams(context);
  const index = info.indexOffset % params.signedBlocksWindow;
  const before = hasMissed(context, address, index);
  const missed = flag === 'absent';
  if (before !== missed) setMissed(context, address, index, missed);
  const counted: SigningInfo = {
    ...info,
    indexOffset: info.indexOffset + 1n,
    missed: info.missed + (missed ? 1n : 0n) - (before ? 1n : 0n),
  };
  if (missed)
    emit(context, 'liveness', () => [
      ['address', consensusText(context, address)],
      ['missed_blocks', counted.missed.toString()],
      ['height', context.height.toString()],
    ]);
  const isDown =
    context.height > counted.startHeight + params.signedBlocksWindow && counted.missed > maxMissedBlocks(params);
  // A validator that is already unbonded is not punished for missing too many blocks.
  setSigningInfo(context, isDown && !isUnbonded(validator) ? punish(context, vote, counted) : counted);
}

/** Slashes and jails a validator, and restarts its window. */
function punish(context: Context, { address, power }: LastCommitVote, info: SigningInfo): SigningInfo {
  const { slashFractionDowntime, downtimeJailDuration } = getParams(context);
  const height = context.height - VOTE_DELAY;
  const burned = slash(context, { consensus: address, height, power }, slashFractionDowntime);
  const validator = consensusText(context, address);
  emit(context, 'slash', () => [
    ['address', validator],
    ['power', power.toString()],
    ['reason', 'missing_signature'],
    ['jailed', validator],
    ['burned_coins', burned.toString()],
  ]);
  jail(context, address);
  deleteMissed(context, address);
  return { ...info, jailedUntil: toTimeNs(context.time + downtimeJailDuration), missed: 0n, indexOffset: 0n };
}
