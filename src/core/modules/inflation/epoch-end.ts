/** Mints and distributes the coins of an epoch (evmos v3.0.0 `x/inflation/keeper/hooks.go`, `inflation.go`). */
import { MAX_UINT256 } from '../../bigint.js';
import type { Params } from '../../proto/evmos/inflation/v1/genesis_pb.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { DEC_ONE, formatDec, mulDec, truncateDec } from '../../sdk/coins/dec.js';
import { emit } from '../../sdk/module/abci-event.js';
import type { Context } from '../../sdk/module/context.js';
import type { EpochHooks } from '../../sdk/module/hooks.js';
import { ensureModuleAccount, FEE_COLLECTOR } from '../auth/accounts.js';
import { allBalances, getBalance, getSupply } from '../bank/balances.js';
import { mintCoins } from '../bank/supply.js';
import { sendCoins } from '../bank/transfer.js';
import { fundCommunityPool } from '../distribution/community-pool.js';
import { getParams as stakingParams } from '../staking/params.js';
import { dec, getParams, INFLATION } from './params.js';
import { epochProvision } from './provision.js';
import { getProvision, getState, setProvision, setState } from './state.js';

/** Account of module incentives; it gets its share even while no contract has an incentive. */
const INCENTIVES = 'incentives';

export const inflationHooks: EpochHooks = {
  afterEpochEnd(context, identifier, epoch) {
    const [params, state] = [getParams(context), getState(context)];
    // evmos counts every epoch's end as skipped, also of epochs that mint nothing.
    if (params === undefined || identifier !== state.epochIdentifier) return;
    if (!params.enableInflation) {
      setState(context, { skippedEpochs: state.skippedEpochs + 1n });
      return;
    }
    const provision = getProvision(context) ?? 0n;
    const amount = mintable(context, params.mintDenom, truncateDec(provision));
    if (amount > 0n) mintAndShare(context, params, amount);
    const next = nextPeriod(context, params, epoch) ?? provision;
    emit(context, INFLATION, () => [
      ['epoch_number', epoch.toString()],
      ['epoch_provisions', formatDec(next)],
      ['amount', amount.toString()],
    ]);
  },
};

/** Limits an amount to what the supply of the denom has room for. */
function mintable(context: Context, denom: string, amount: bigint): bigint {
  const room = MAX_UINT256 - getSupply(context, denom);
  return amount < room ? amount : room;
}

/** Share of an amount, truncated to base units; `share` in units of 10^-18. */
export function partOf(amount: bigint, share: string | undefined): bigint {
  return truncateDec(mulDec(amount * DEC_ONE, dec(share)));
}

/** Mints and distributes an amount: stakers via the fee collector, the community pool gets the account's rest. */
function mintAndShare(context: Context, { mintDenom, inflationDistribution }: Params, amount: bigint): void {
  mintCoins(context, INFLATION, [coin(mintDenom, amount)]);
  const from = moduleAddress(context.crypto, INFLATION);
  for (const [to, share] of [
    [FEE_COLLECTOR, inflationDistribution?.stakingRewards],
    [INCENTIVES, inflationDistribution?.usageIncentives],
  ] as const) {
    const part = partOf(amount, share);
    if (part > 0n) sendCoins(context, from, ensureModuleAccount(context, to), [coin(mintDenom, part)]);
  }
  const rest = allBalances(context, from);
  if (rest.length > 0) fundCommunityPool(context, from, rest);
}

/** Epoch provision of the next period; undefined while the current period continues. */
function nextPeriod(context: Context, params: Params, epoch: bigint): bigint | undefined {
  const { period, epochsPerPeriod, skippedEpochs } = getState(context);
  if (epoch - epochsPerPeriod * period - skippedEpochs <= epochsPerPeriod) return undefined;
  const provision = epochProvision(params, period + 1n, epochsPerPeriod, bondedRatio(context));
  setState(context, { period: period + 1n });
  setProvision(context, provision);
  return provision;
}

/** Bonded tokens divided by the bond denom's supply, in units of 10^-18. */
export function bondedRatio(context: Context): bigint {
  const { bondDenom } = stakingParams(context);
  const supply = getSupply(context, bondDenom);
  const bonded = getBalance(context, moduleAddress(context.crypto, 'bonded_tokens_pool'), bondDenom);
  return supply > 0n ? (bonded * DEC_ONE) / supply : 0n;
}
