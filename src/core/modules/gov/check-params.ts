import type { Params } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { parseAddress } from '../../sdk/codec/address.js';
import { areValidCoins, formatCoins, isAllGte } from '../../sdk/coins/coins.js';
import { decimalFault, DEC_ONE, formatDec, parseSignedDec } from '../../sdk/coins/dec.js';
import { goDuration } from '../../sdk/go/go-duration.js';
import { fromDuration } from '../../comet/time.js';

/** Validation of a decimal: its text, or the SDK's errors. */
type Fraction = readonly [text: string, unreadable: string, tooLow: string, tooHigh: string, mayBeZero: boolean];

/** The SDK's error for invalid parameters; undefined for valid ones (cosmos-sdk v0.53 `x/gov/types/v1/params.go`). */
export function paramsProblem(params: Params, bech32Prefix: string): string | undefined {
  return (
    depositProblem(params) ?? ratesProblem(params) ?? periodsProblem(params) ?? cancelProblem(params, bech32Prefix)
  );
}

function depositProblem({ minDeposit, expeditedMinDeposit, maxDepositPeriod }: Params): string | undefined {
  if (minDeposit.length === 0 || !areValidCoins(minDeposit))
    return `invalid minimum deposit: ${formatCoins(minDeposit)}`;
  const expedited = formatCoins(expeditedMinDeposit);
  if (expeditedMinDeposit.length === 0 || !areValidCoins(expeditedMinDeposit))
    return `invalid expedited minimum deposit: ${expedited}`;
  if (isAllGte(minDeposit, expeditedMinDeposit))
    return `expedited minimum deposit must be greater than minimum deposit: ${expedited}`;
  // Go prints nanoseconds, and a nil pointer as %!d(<nil>).
  if (maxDepositPeriod === undefined) return 'maximum deposit period must not be nil: 0';
  const period = fromDuration(maxDepositPeriod);
  return period > 0n ? undefined : `maximum deposit period must be positive: ${period}`;
}

function ratesProblem(params: Params): string | undefined {
  const { quorum, threshold, expeditedThreshold, vetoThreshold, minInitialDepositRatio, proposalCancelRatio } = params;
  const wrong = fractionProblem([
    quorum,
    'invalid quorum string',
    'quorom cannot be negative',
    `quorom too large: ${quorum}`,
    true,
  ]);
  if (wrong !== undefined) return wrong;
  const first = firstProblem([
    [threshold, 'invalid threshold string', 'vote threshold must be positive', 'vote threshold too large', false],
    [
      expeditedThreshold,
      'invalid expedited threshold string',
      'expedited vote threshold must be positive',
      'expedited vote threshold too large',
      false,
    ],
  ]);
  if (first !== undefined) return first;
  const [regular = 0n, expedited = 0n] = [parseSignedDec(threshold), parseSignedDec(expeditedThreshold)];
  if (expedited <= regular)
    return `expedited vote threshold ${formatDec(expedited)}, must be greater than the regular threshold ${formatDec(regular)}`;
  return firstProblem([
    [
      vetoThreshold,
      'invalid vetoThreshold string',
      'veto threshold must be positive',
      'veto threshold too large',
      false,
    ],
    [
      minInitialDepositRatio,
      'invalid mininum initial deposit ratio of proposal',
      'mininum initial deposit ratio of proposal must be positive',
      'mininum initial deposit ratio of proposal is too large',
      true,
    ],
    [
      proposalCancelRatio,
      'invalid burn rate of cancel proposal',
      'burn rate of cancel proposal must be positive',
      'burn rate of cancel proposal is too large',
      true,
    ],
  ]);
}

function firstProblem(fractions: readonly Fraction[]): string | undefined {
  for (const fraction of fractions) {
    const problem = fractionProblem(fraction);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fractionProblem([text, unreadable, tooLow, tooHigh, mayBeZero]: Fraction): string | undefined {
  const value = parseSignedDec(text);
  if (value === undefined) return `${unreadable}: ${decimalFault(text)}`;
  if (value < 0n || (value === 0n && !mayBeZero)) return `${tooLow}: ${formatSigned(value)}`;
  if (value <= DEC_ONE) return undefined;
  return tooHigh.includes(': ') ? tooHigh : `${tooHigh}: ${formatSigned(value)}`;
}

const formatSigned = (value: bigint): string => (value < 0n ? `-${formatDec(-value)}` : formatDec(value));

function periodsProblem({ votingPeriod, expeditedVotingPeriod }: Params): string | undefined {
  if (votingPeriod === undefined) return 'voting period must not be nil: 0';
  if (fromDuration(votingPeriod) <= 0n)
    return `voting period must be positive: ${goDuration(fromDuration(votingPeriod))}`;
  if (expeditedVotingPeriod === undefined) return 'expedited voting period must not be nil: 0';
  const [regular, expedited] = [fromDuration(votingPeriod), fromDuration(expeditedVotingPeriod)];
  if (expedited <= 0n) return `expedited voting period must be positive: ${goDuration(expedited)}`;
  return expedited < regular
    ? undefined
    : `expedited voting period ${goDuration(expedited)} must be strictly less that the regular voting period ${goDuration(regular)}`;
}

function cancelProblem({ proposalCancelDest }: Params, bech32Prefix: string): string | undefined {
  if (proposalCancelDest === '' || parseAddress(bech32Prefix, proposalCancelDest) !== undefined) return undefined;
  return `deposits destination address is invalid: ${proposalCancelDest}`;
}
