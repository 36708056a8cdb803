import type { Periods } from './periods.js';
import type { StakedValidators } from './validators-genesis.js';

/** Deposit of an ordinary proposal; an expedited one needs five times as much. */
const MIN_DEPOSIT = 10n * 10n ** 18n;
const EXPEDITED_MIN_DEPOSIT = 5n * MIN_DEPOSIT;

/**
 * `app_state` sections of staking, slashing, mint and gov, in one denom. All values that `periods` does not set are
 * defaults of the Cosmos SDK v0.53.
 */
export function stakingSections(denom: string, periods: Periods, staked: Omit<StakedValidators, 'pool' | 'tokens'>) {
  return {
    staking: {
      params: {
        unbonding_time: periods.unbonding,
        max_validators: 100,
        max_entries: 7,
        historical_entries: periods.historicalEntries,
        bond_denom: denom,
        min_commission_rate: '0.000000000000000000',
      },
      last_total_power: '0',
      last_validator_powers: [],
      validators: staked.validators,
      delegations: staked.delegations,
      unbonding_delegations: [],
      redelegations: [],
      exported: false,
    },
    slashing: {
      params: {
        signed_blocks_window: periods.signedBlocksWindow,
        min_signed_per_window: '0.500000000000000000',
        downtime_jail_duration: periods.jail,
        slash_fraction_double_sign: '0.050000000000000000',
        slash_fraction_downtime: '0.010000000000000000',
      },
      signing_infos: [],
      missed_blocks: [],
    },
    mint: {
      minter: { inflation: '0.130000000000000000', annual_provisions: '0.000000000000000000' },
      params: {
        mint_denom: denom,
        inflation_rate_change: '0.130000000000000000',
        inflation_max: '0.200000000000000000',
        inflation_min: '0.070000000000000000',
        goal_bonded: '0.670000000000000000',
        blocks_per_year: periods.blocksPerYear,
      },
    },
    gov: {
      starting_proposal_id: '1',
      deposits: [],
      votes: [],
      proposals: [],
      params: {
        min_deposit: [{ denom, amount: MIN_DEPOSIT.toString() }],
        max_deposit_period: periods.deposit,
        voting_period: periods.voting,
        quorum: '0.334000000000000000',
        threshold: '0.500000000000000000',
        veto_threshold: '0.334000000000000000',
        min_initial_deposit_ratio: '0.000000000000000000',
        proposal_cancel_ratio: '0.500000000000000000',
        proposal_cancel_dest: '',
        expedited_voting_period: periods.expeditedVoting,
        expedited_threshold: '0.667000000000000000',
        expedited_min_deposit: [{ denom, amount: EXPEDITED_MIN_DEPOSIT.toString() }],
        burn_vote_quorum: false,
        burn_proposal_deposit_prevote: false,
        burn_vote_veto: true,
        min_deposit_ratio: '0.010000000000000000',
      },
      constitution: '',
    },
  };
}
