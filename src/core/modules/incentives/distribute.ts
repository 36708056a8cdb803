/** Distributes rewards at the end of an epoch (evmos v3.0.0 `x/incentives/keeper/distribution.go`). */
import type { Params } from '../../proto/evmos/incentives/v1/genesis_pb.js';
import type { Incentive } from '../../proto/evmos/incentives/v1/incentives_pb.js';
import { moduleAddress } from '../../sdk/codec/address.js';
import { coin } from '../../sdk/coins/coins.js';
import { DEC_ONE, mulDec, quoDec, truncateDec } from '../../sdk/coins/dec.js';
import { emit } from '../../sdk/module/abci-event.js';
import { attempt } from '../../sdk/module/branch.js';
import type { Context } from '../../sdk/module/context.js';
import { getBalance } from '../bank/balances.js';
import { sendFromModule } from '../bank/module-accounts.js';
import { getParams as evmParams } from '../evm/store.js';
import { dec, INCENTIVES } from './params.js';
import { allIncentives, deleteGasMeters, deleteIncentive, gasMeters, setIncentive } from './store.js';

/** Coins allocated to an incentive in an epoch, by denom. */
type Allocated = readonly { readonly denom: string; readonly amount: bigint }[];

/**
 * Pays the participants of all incentives from the pool and counts down the epochs. The pool is allocated before the
 * first payment. A participant who cannot receive coins gets none; the others are paid.
 */
export function distribute(context: Context, params: Params): void {
  const pool = moduleAddress(context.crypto, INCENTIVES);
  const all = allIncentives(context).map((one) => ({ ...one, allocated: allocatedTo(context, pool, one.incentive) }));
  for (const { contract, incentive, allocated } of all) {
    reward(context, contract, incentive, allocated, params);
    deleteGasMeters(context, contract);
    const epochs = incentive.epochs - 1;
    if (epochs > 0) setIncentive(context, contract, { ...incentive, epochs, totalGas: 0n });
    else deleteIncentive(context, contract, incentive);
    emit(context, 'distribute_incentives', () => [
      ['contract', incentive.contract],
      ['epochs', epochs.toString()],
    ]);
  }
}

/** Allocations from the pool, truncated to base units; those of a denom sum to at most the whole pool. */
function allocatedTo(context: Context, pool: Uint8Array, { allocations }: Incentive): Allocated {
  return allocations.map(({ denom, amount }) => ({
    denom,
    amount: truncateDec(mulDec(getBalance(context, pool, denom) * DEC_ONE, dec(amount))),
  }));
}

function reward(
  context: Context,
  contract: Uint8Array,
  { totalGas }: Incentive,
  allocated: Allocated,
  { rewardScaler }: Params,
): void {
  if (totalGas === 0n) return;
  const { evmDenom } = evmParams(context);
  for (const { participant, gas } of gasMeters(context, contract)) {
    const ratio = quoDec(gas * DEC_ONE, totalGas * DEC_ONE);
    const coins = allocated
      .map(({ denom, amount }) => ({ denom, amount: rewardOf(ratio * amount, denom === evmDenom ? gas : undefined) }))
      .filter(({ amount }) => amount > 0n)
      .map(({ denom, amount }) => coin(denom, amount));
    if (coins.length > 0) attempt(context, (inner) => sendFromModule(inner, INCENTIVES, participant, coins));
  }

  /**
   * A reward in the native coin is at most the participant's gas times the scaler, so that wasting gas does not pay.
   */
  function rewardOf(share: bigint, gas: bigint | undefined): bigint {
    const cap = gas === undefined ? share : mulDec(gas * DEC_ONE, dec(rewardScaler));
    return truncateDec(share < cap ? share : cap);
  }
}
