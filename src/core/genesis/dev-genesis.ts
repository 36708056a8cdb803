import { base64 } from '@scure/base';
import type { Crypto } from '../ports/crypto.js';
import type { TimeNs } from '../primitives.js';
import { DEV_BASE_DENOM } from './dev-chain.js';
import { formatTime } from '../comet/time.js';
import { type Periods, SHORT_PERIODS } from './periods.js';
import { DEV_PREINSTALLS } from './preinstalls.js';
import { stakingSections } from './staking-sections.js';
import { laterSections } from './later-sections.js';
import { type GenesisValidator, stakedValidators } from './validators-genesis.js';

/** 10,000 chr in achr: the initial balance of every dev account. */
const DEV_BALANCE = 10_000n * 10n ** 18n;

/** Static precompiles of the dev chain: bech32, staking, distribution, ics20, bank, gov and slashing. */
const STATIC_CONTRACTS = [0x400, 0x800, 0x801, 0x802, 0x804, 0x805, 0x806].map(
  (number) => `0x${number.toString(16).padStart(40, '0')}`,
);
/** ERC-20 token of the base denom, at the address that cosmos/evm uses. */
const COIN_TOKEN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';

export interface DevGenesisOptions {
  readonly chainId: string;
  readonly time: TimeNs;
  /** Bech32 addresses of the funded accounts; the first one may schedule upgrades. */
  readonly accounts: readonly string[];
  /** Validators; account i operates validator i and delegates to it, in addition to its balance. */
  readonly validators: readonly GenesisValidator[];
  readonly baseDenom?: string;
  /** Balance of each account in the base denom. */
  readonly balance?: bigint;
  readonly blockMaxGas?: bigint;
  /** Whether the dev module accepts unsigned transactions (for example `anvil_setBalance`); default true. */
  readonly unsignedTransactions?: boolean;
  /** Whether block hashes on Ethereum JSON-RPC are hashes of Ethereum headers; default true. */
  readonly headerHashes?: boolean;
  /** Default: short periods, so that everything can be tried within seconds. */
  readonly periods?: Periods;
}

/** Builds the genesis of a dev chain in the SDK's form, as a JSON value. */
export function devGenesis(crypto: Crypto, options: DevGenesisOptions) {
  const denom = options.baseDenom ?? DEV_BASE_DENOM;
  const display = denom.startsWith('a') ? denom.slice(1) : `x${denom}`;
  const balance = options.balance ?? DEV_BALANCE;
  const [authority] = options.accounts;
  const staked = stakedValidators(crypto, options);
  const balances = [
    ...options.accounts.map((address) => ({ address, amount: balance })),
    ...(staked.tokens > 0n ? [{ address: staked.pool, amount: staked.tokens }] : []),
  ];
  return {
    app_name: 'chronicled',
    genesis_time: formatTime(options.time),
    chain_id: options.chainId,
    initial_height: 1,
    app_hash: null,
    app_state: {
      auth: {
        params: {
          max_memo_characters: '256',
          tx_sig_limit: '7',
          tx_size_cost_per_byte: '10',
          sig_verify_cost_ed25519: '590',
          sig_verify_cost_secp256k1: '1000',
        },
        accounts: options.accounts.map((address, index) => ({
          '@type': '/cosmos.auth.v1beta1.BaseAccount',
          address,
          pub_key: null,
          account_number: String(index),
          sequence: '0',
        })),
      },
      bank: {
        params: { send_enabled: [], default_send_enabled: true },
        balances: balances.map(({ address, amount }) => ({ address, coins: [{ denom, amount: amount.toString() }] })),
        supply: [{ denom, amount: balances.reduce((sum, { amount }) => sum + amount, 0n).toString() }],
        denom_metadata: [
          {
            description: 'The native token of a Chronicle chain.',
            denom_units: [
              { denom, exponent: 0, aliases: [] },
              { denom: `g${display}`, exponent: 9, aliases: [] },
              { denom: display, exponent: 18, aliases: [] },
            ],
            base: denom,
            display,
            name: 'Chronicle',
            symbol: display.toUpperCase(),
            uri: '',
            uri_hash: '',
          },
        ],
        send_enabled: [],
      },
      ...stakingSections(denom, options.periods ?? SHORT_PERIODS, staked),
      evm: {
        accounts: [],
        params: {
          evm_denom: denom,
          extra_eips: [],
          evm_channels: [],
          access_control: {
            create: { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] },
            call: { access_type: 'ACCESS_TYPE_PERMISSIONLESS', access_control_list: [] },
          },
          active_static_precompiles: STATIC_CONTRACTS,
          history_serve_window: '8191',
          extended_denom_options: { extended_denom: denom },
        },
        preinstalls: DEV_PREINSTALLS,
      },
      feemarket: {
        params: {
          no_base_fee: false,
          base_fee_change_denominator: 8,
          elasticity_multiplier: 2,
          enable_height: '0',
          base_fee: '1000000000.000000000000000000',
          min_gas_price: '0.000000000000000000',
          min_gas_multiplier: '0.000000000000000000',
        },
        block_gas: '0',
      },
      erc20: {
        params: { enable_erc20: true, permissionless_registration: true },
        token_pairs: [{ erc20_address: COIN_TOKEN, denom, enabled: true, contract_owner: 'OWNER_MODULE' }],
        allowances: [],
        native_precompiles: [COIN_TOKEN],
        dynamic_precompiles: [],
      },
      ...laterSections(denom),
      consensus: null,
      upgrade: authority === undefined ? {} : { authority },
      dev: { enabled: options.unsignedTransactions ?? true, header_hashes: options.headerHashes ?? true },
    },
    consensus: {
      validators: options.validators.map(({ publicKey, power, name }) => ({
        pub_key: { type: 'tendermint/PubKeyEd25519', value: base64.encode(publicKey) },
        power: power.toString(),
        name,
      })),
      params: {
        block: { max_bytes: '22020096', max_gas: (options.blockMaxGas ?? 30_000_000n).toString() },
        evidence: { max_age_num_blocks: '100000', max_age_duration: '172800000000000', max_bytes: '1048576' },
        validator: { pub_key_types: ['ed25519'] },
        version: { app: '0' },
        abci: { vote_extensions_enable_height: '0' },
      },
    },
  };
}
