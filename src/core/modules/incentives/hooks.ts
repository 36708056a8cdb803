/** Meters participants' gas after each transaction (evmos v3.0.0 `x/incentives/keeper/evm_hooks.go`). */
import { MAX_UINT64 } from '../../bigint.js';
import { CHAIN_LIMITS } from '../../limits/limits.js';
import type { EpochHooks, EthereumHooks } from '../../sdk/module/hooks.js';
import { distribute } from './distribute.js';
import { getParams } from './params.js';
import { getGasMeter, getIncentive, participants, setGasMeter, setIncentive } from './store.js';

export const incentivesEthereumHooks: EthereumHooks = {
  name: 'incentives',
  hears: (context, { transaction: { to } }) =>
    to !== undefined && getParams(context)?.enableIncentives === true && getIncentive(context, to) !== undefined,
  postTxProcessing(context, { transaction: { to }, sender, gasUsed, status }) {
    if (status === 'failed') return;
    const incentive = to && getIncentive(context, to);
    if (to === undefined || incentive === undefined) return;
    const before = getGasMeter(context, to, sender);
    const isFull = participants(context, to) >= BigInt(CHAIN_LIMITS.participantsOfIncentive);
    if (before === undefined && isFull) return;
    if (incentive.totalGas + gasUsed > MAX_UINT64) return;
    setIncentive(context, to, { ...incentive, totalGas: incentive.totalGas + gasUsed });
    setGasMeter(context, to, sender, (before ?? 0n) + gasUsed);
  },
};

export const incentivesEpochHooks: EpochHooks = {
  afterEpochEnd(context, identifier) {
    const params = getParams(context);
    if (params?.enableIncentives === true && params.incentivesEpochIdentifier === identifier)
      distribute(context, params);
  },
};
