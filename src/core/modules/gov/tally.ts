/** Tally of a vote (cosmos-sdk v0.53 `x/gov/keeper/tally.go`). */
import { create } from '@bufbuild/protobuf';
import { hex } from '../../bytes/hex.js';
import * as pb from '../../proto/cosmos/gov/v1/gov_pb.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, mulDec, parseDec, quoDec, truncateDec } from '../../sdk/coins/dec.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import { getBalance } from '../bank/balances.js';
import { delegationsOfDelegator } from '../staking/delegations.js';
import { getParams as stakingParams } from '../staking/params.js';
import { BONDED_POOL } from '../staking/pools.js';
import { bondedTokens } from '../staking/shares.js';
import { bondedValidatorsByPower } from '../staking/validators.js';
import { getParams } from './params.js';
import { deleteVote, votesOn } from './votes.js';

export interface Tally {
  readonly passes: boolean;
  readonly burnsDeposits: boolean;
  readonly result: pb.TallyResult;
}

/** Voting power by option, in units of 10^-18. */
type Powers = Map<pb.VoteOption, bigint>;

/** A bonded validator, which votes for delegators who do not vote themselves. */
interface Voter {
  readonly tokens: bigint;
  readonly shares: bigint;
  /** Shares of delegators who vote themselves. */
  deducted: bigint;
  vote: pb.Vote | undefined;
}

/** Counts the votes on a proposal and deletes them. */
export function tally(context: Context, proposal: pb.Proposal): Tally {
  const { powers, total } = countVotes(context, proposal.id);
  const result = create(pb.TallyResultSchema, {
    yesCount: countOf(powers, pb.VoteOption.YES),
    abstainCount: countOf(powers, pb.VoteOption.ABSTAIN),
    noCount: countOf(powers, pb.VoteOption.NO),
    noWithVetoCount: countOf(powers, pb.VoteOption.NO_WITH_VETO),
  });
  const bonded = totalBonded(context);
  return { ...decide(getParams(context), proposal, powers, total, bonded), result };
}

/** Whole units of voting power, as text. */
function countOf(powers: Powers, option: pb.VoteOption): string {
  return truncateDec(powers.get(option) ?? 0n).toString();
}

/** Tokens of all bonded validators. A contract's query also pays gas for reading the pool's account. */
function totalBonded(context: Context): bigint {
  const pool = ensureModuleAccount(context, BONDED_POOL);
  return getBalance(context, pool, stakingParams(context).bondDenom);
}

function countVotes(context: Context, proposal: bigint): { readonly powers: Powers; readonly total: bigint } {
  const validators = new Map<string, Voter>();
  for (const validator of bondedValidatorsByPower(context)) {
    const { operator, shares } = validator;
    validators.set(hex(operator), { tokens: bondedTokens(validator), shares, deducted: 0n, vote: undefined });
  }
  const powers: Powers = new Map();
  let total = 0n;
  const count = ({ tokens, shares: all }: Voter, shares: bigint, vote: pb.Vote): void => {
    const power = quoDec(shares * tokens, all);
    for (const { option, weight } of vote.options)
      powers.set(option, (powers.get(option) ?? 0n) + mulDec(power, parseDec(weight) ?? 0n));
    total += power;
  };
  const votes = votesOn(context, proposal);
  for (const { voter, vote } of votes) {
    const own = validators.get(hex(voter));
    if (own !== undefined) own.vote = vote;
    for (const { operator, shares } of delegationsOfDelegator(context, voter)) {
      const validator = validators.get(hex(operator));
      if (validator === undefined) continue;
      validator.deducted += shares;
      count(validator, shares, vote);
    }
  }
  for (const { voter } of votes) deleteVote(context, proposal, voter);
  for (const validator of validators.values())
    if (validator.vote !== undefined) count(validator, validator.shares - validator.deducted, validator.vote);
  return { powers, total };
}

function decide(
  params: pb.Params,
  { expedited }: pb.Proposal,
  powers: Powers,
  total: bigint,
  bonded: bigint,
): Pick<Tally, 'passes' | 'burnsDeposits'> {
  const rate = (text: string): bigint => parseDec(text) ?? 0n;
  const rejected = (burnsDeposits: boolean) => ({ passes: false, burnsDeposits });
  if (bonded === 0n) return rejected(false);
  if (quoDec(total, bonded * DEC_ONE) < rate(params.quorum)) return rejected(params.burnVoteQuorum);
  const active = total - (powers.get(pb.VoteOption.ABSTAIN) ?? 0n);
  if (active === 0n) return rejected(false);
  const veto = quoDec(powers.get(pb.VoteOption.NO_WITH_VETO) ?? 0n, total);
  if (veto > rate(params.vetoThreshold)) return rejected(params.burnVoteVeto);
  const yes = quoDec(powers.get(pb.VoteOption.YES) ?? 0n, active);
  const threshold = rate(expedited ? params.expeditedThreshold : params.threshold);
  return { passes: yes > threshold, burnsDeposits: false };
}
