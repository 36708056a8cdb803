/**
 * Genesis sections of modules that later versions of preset `chronicle` add: a new chain starts with those versions
 * (`sdk/module/version-of-chain.ts`). Modules that would change how a dev chain behaves are disabled.
 */
export function laterSections(denom: string) {
  return {
    claims: {
      params: {
        enable_claims: false,
        airdrop_start_time: ZERO_TIME,
        duration_until_decay: '2629800s',
        duration_of_decay: '5259600s',
        claims_denom: denom,
        authorized_channels: [],
        evm_channels: [],
      },
      claims_records: [],
    },
    incentives: {
      params: {
        enable_incentives: true,
        allocation_limit: '0.050000000000000000',
        incentives_epoch_identifier: 'week',
        reward_scaler: '1.200000000000000000',
      },
      incentives: [],
      gas_meters: [],
    },
    inflation: {
      params: {
        mint_denom: denom,
        exponential_calculation: {
          a: '300000000.000000000000000000',
          r: '0.500000000000000000',
          c: '9375000.000000000000000000',
          bonding_target: '0.660000000000000000',
          max_variance: '0.000000000000000000',
        },
        inflation_distribution: {
          staking_rewards: '0.533333334000000000',
          usage_incentives: '0.333333333000000000',
          community_pool: '0.133333333000000000',
        },
        enable_inflation: false,
      },
      period: '0',
      epoch_identifier: 'day',
      epochs_per_period: '365',
      skipped_epochs: '0',
    },
    recovery: { params: { enable_recovery: false, packet_timeout_duration: '14400s' } },
    ibc: {
      client_genesis: { params: { allowed_clients: ['*'] } },
      connection_genesis: { params: { max_expected_time_per_block: '30000000000' } },
      channel_genesis: {},
    },
    transfer: { port_id: 'transfer', params: { send_enabled: true, receive_enabled: true } },
    epochs: { epochs: [epoch('day', '86400s'), epoch('week', '604800s')] },
  };
}

/** Go's zero time: the first epoch begins with the chain. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

function epoch(identifier: string, duration: string) {
  return {
    identifier,
    start_time: ZERO_TIME,
    duration,
    current_epoch: '0',
    current_epoch_start_time: ZERO_TIME,
    epoch_counting_started: false,
    current_epoch_start_height: '0',
  };
}
