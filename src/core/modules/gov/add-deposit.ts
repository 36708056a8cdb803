/** Deposits by users (cosmos-sdk v0.53 `x/gov/keeper/deposit.go`). */
import { create } from '@bufbuild/protobuf';
import type { Coin } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import { DepositSchema, ProposalStatus, type Params, type Proposal } from '../../proto/cosmos/gov/v1/gov_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { encodeAddress } from '../../sdk/codec/address.js';
import { amountOf, coin, formatCoins, isAllGte, sumCoins } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { DEC_ONE, mulDec, parseDec, roundDec, truncateDec } from '../../sdk/coins/dec.js';
import { requireValidCoins } from '../../sdk/coins/require-coins.js';
import { SdkError } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { sendToModule } from '../bank/module-accounts.js';
import { getDeposit, GOV, setDeposit } from './deposits.js';
import { govErrors } from './errors.js';
import { getParams } from './params.js';
import { beginVoting, requireProposal, setProposal } from './proposals.js';

/** Adds to the deposit of a proposal; returns true when this starts the voting period. */
export function addDeposit(context: Context, id: bigint, depositor: Uint8Array, amount: readonly Coin[]): boolean {
  const proposal = requireProposal(context, id);
  if (proposal.status !== ProposalStatus.DEPOSIT_PERIOD && proposal.status !== ProposalStatus.VOTING_PERIOD)
    throw new SdkError(govErrors.inactiveProposal, id.toString());
  const params = getParams(context);
  const minimum = minDepositOf(params, proposal);
  requireDepositDenoms(params, amount);
  requireWorthwhile(params, minimum, amount);
  sendToModule(context, depositor, GOV, amount);

  const changed: Proposal = { ...proposal, totalDeposit: sumCoins([...proposal.totalDeposit, ...amount]) };
  setProposal(context, changed);
  const begins = changed.status === ProposalStatus.DEPOSIT_PERIOD && isAllGte(changed.totalDeposit, minimum);
  if (begins) beginVoting(context, changed);

  const before = getDeposit(context, id, depositor);
  for (const { afterProposalDeposit } of versionOf(context).hooks.gov) afterProposalDeposit?.(context, id, depositor);
  const name = encodeAddress(context.chain.bech32Prefix, depositor);
  emit(context, 'proposal_deposit', () => [
    ['depositor', name],
    ['amount', formatCoins(amount)],
    ['proposal_id', id.toString()],
  ]);
  const all = before === undefined ? [...amount] : sumCoins([...before.amount, ...amount]);
  setDeposit(context, depositor, create(DepositSchema, { proposalId: id, depositor: name, amount: all }));
  return begins;
}

function minDepositOf({ minDeposit, expeditedMinDeposit }: Params, { expedited }: Proposal): readonly Coin[] {
  return expedited ? expeditedMinDeposit : minDeposit;
}

/** Requires denoms of the minimum deposit. */
export function requireDepositDenoms({ minDeposit }: Params, amount: readonly Coin[]): void {
  const accepted = minDeposit.map(({ denom }) => denom);
  if (amount.every(({ denom }) => accepted.includes(denom))) return;
  throw new SdkError(
    govErrors.invalidDepositDenom,
    `deposited ${formatCoins(amount)}, but gov accepts only the following denom(s): [${accepted.join(' ')}]`,
  );
}

/**
 * Requires that a deposit reaches a fraction of the minimum in at least one denom, so that tiny deposits do not fill
 * the state.
 */
function requireWorthwhile({ minDepositRatio }: Params, minimum: readonly Coin[], amount: readonly Coin[]): void {
  const ratio = parseDec(minDepositRatio) ?? 0n;
  if (ratio === 0n) return;
  const least = minimum.map((one) => coin(one.denom, truncateDec(mulDec(BigInt(one.amount) * DEC_ONE, ratio))));
  const isMet = least.some(
    (one) => amount.some(({ denom }) => denom === one.denom) && amountOf(amount, one.denom) >= BigInt(one.amount),
  );
  if (isMet) return;
  throw new SdkError(
    govErrors.minDepositTooSmall,
    `received ${formatCoins(amount)} but need at least one of the following: ${formatCoins(least)}`,
  );
}

/** Requires an initial deposit of valid coins that reaches a fraction of the minimum. */
export function requireInitialDeposit(params: Params, deposit: readonly Coin[], expedited: boolean): void {
  requireValidCoins(deposit);
  const ratio = parseDec(params.minInitialDepositRatio) ?? 0n;
  if (ratio === 0n) return;
  const least = (expedited ? params.expeditedMinDeposit : params.minDeposit).map(({ denom, amount }) =>
    coin(denom, roundDec(mulDec(BigInt(amount) * DEC_ONE, ratio))),
  );
  if (isAllGte(deposit, least)) return;
  throw new SdkError(govErrors.minDepositTooSmall, `was (${formatCoins(deposit)}), need (${formatCoins(least)})`);
}
