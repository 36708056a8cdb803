/** Chains of random players: coins of 18 and of 6 decimals, prices and limits that differ. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Random } from '../random.js';

export interface Founding {
  readonly genesis: Uint8Array;
  readonly evmChainId: bigint;
  readonly chainId: string;
  /** Denomination of fees in Ethereum transactions. */
  readonly feeDenom: string;
  readonly scale: bigint;
  /** The chain's coin first. */
  readonly denoms: readonly string[];
}

interface Document {
  readonly chain_id: string;
  readonly app_state: {
    readonly evm: { readonly params: Record<string, unknown>; preinstalls: unknown[] };
    readonly feemarket: { readonly params: Record<string, unknown> };
  };
  readonly consensus: { readonly params: { readonly block: { max_gas: string } } };
}

const FOLDER = new URL('../../fixtures/chains/', import.meta.url);

/** The deployer of contracts at known addresses, as a contract of the genesis. */
const PREINSTALL = {
  name: 'Create2',
  address: '0x4e59b44847b379578588920ca78fbf26c0b4956c',
  code: `0x7f${'f'.repeat(62)}e03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3`,
};

export function founding(random: Random): Founding {
  const decimals = random.pick([18, 6]);
  const name = decimals === 18 ? 'aoak' : 'uoak';
  const document: Document = JSON.parse(
    gunzipSync(readFileSync(new URL(`${name}/genesis.json.gz`, FOLDER))).toString(),
  );
  const { evm, feemarket } = document.app_state;
  feemarket.params['min_gas_multiplier'] = random.pick([
    '0.000000000000000000',
    '0.000000000000000000',
    '0.500000000000000000',
  ]);
  feemarket.params['base_fee_change_denominator'] = random.pick([8, 50]);
  feemarket.params['no_base_fee'] = random.chance(0.1);
  if (random.chance(0.2))
    feemarket.params['min_gas_price'] = decimals === 18 ? '7000000.500000000000000000' : '0.001000000000000000';
  evm.params['history_serve_window'] = random.pick(['8192', '40', '5']);
  if (random.chance(0.2)) evm.params['extra_eips'] = random.pick([['3855'], ['1884', '3529'], ['3198']]);
  if (random.chance(0.3)) evm.preinstalls = [PREINSTALL];
  document.consensus.params.block.max_gas = random.pick(['17000000', '5000000', '40000000']);
  const [feeDenom, scale] = decimals === 18 ? (['aoak', 1n] as const) : (['aoak', 10n ** 12n] as const);
  return {
    genesis: Buffer.from(JSON.stringify(document)),
    evmChainId: 4321n,
    chainId: document.chain_id,
    feeDenom,
    scale,
    denoms: [name, 'ucoin', ...(decimals === 18 ? [] : ['aoak'])],
  };
}
