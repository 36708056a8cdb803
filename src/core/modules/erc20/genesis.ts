/** Genesis of token pairs (cosmos/evm v0.6 `x/erc20/genesis.go`). */
import { isValidDenom } from '../../sdk/coins/coins.js';
import type { Context } from '../../sdk/module/context.js';
import { GenesisError, readSection, writeSection } from '../../sdk/module/genesis-section.js';
import { checksumAddress } from '../../keys/address.js';
import { GenesisStateSchema, type GenesisState } from '../../proto/cosmos/evm/erc20/v1/genesis_pb.js';
import { ensureModuleAccount } from '../auth/accounts.js';
import {
  addPrecompile,
  allowances,
  contractOf,
  getFlag,
  hasPairOfDenom,
  precompiles,
  setAllowance,
  setFlag,
  setTokenPair,
  tokenPairOfContract,
  tokenPairs,
} from './store.js';
import { setTokenCode } from './token-account.js';

const PATH = 'app_state.erc20';
/** Parameters of a section without any. */
const DEFAULT_PARAMS = { enableErc20: true, permissionlessRegistration: true };

/** Stores parameters, token pairs, precompiles and allowances; throws `GenesisError` with the path of a bad value. */
export function initGenesis(context: Context, section: unknown): void {
  const state = readSection(PATH, GenesisStateSchema, section ?? {});
  const { enableErc20, permissionlessRegistration } = state.params ?? DEFAULT_PARAMS;
  setFlag(context, 'enableErc20', enableErc20);
  setFlag(context, 'permissionlessRegistration', permissionlessRegistration);
  ensureModuleAccount(context, 'erc20');
  initTokenPairs(context, state);
  for (const kind of ['native', 'dynamic'] as const) {
    const name = `${kind}Precompiles` as const;
    state[name].forEach((address, index) => {
      const path = `${PATH}.${kind}_precompiles[${index}]`;
      const contract = requireContract(path, address);
      if (tokenPairOfContract(context, contract) === undefined)
        throw new GenesisError(path, `no token pair has the contract ${address}`);
      setTokenCode(context, contract);
      addPrecompile(context, kind, checksumAddress(context.crypto, contract));
    });
  }
  initAllowances(context, state);
}

function initTokenPairs(context: Context, { tokenPairs: pairs }: GenesisState): void {
  pairs.forEach((pair, index) => {
    const path = `${PATH}.token_pairs[${index}]`;
    const contract = requireContract(`${path}.erc20_address`, pair.erc20Address);
    if (!isValidDenom(pair.denom)) throw new GenesisError(`${path}.denom`, `invalid denom: ${pair.denom}`);
    if (tokenPairOfContract(context, contract) !== undefined)
      throw new GenesisError(
        `${path}.erc20_address`,
        `token ERC20 contract duplicated on genesis: ${pair.erc20Address}`,
      );
    if (hasPairOfDenom(context, pair.denom))
      throw new GenesisError(`${path}.denom`, `coin denomination duplicated on genesis: ${pair.denom}`);
    setTokenPair(context, pair, contract);
  });
}

function initAllowances(context: Context, state: GenesisState): void {
  state.allowances.forEach((allowance, index) => {
    const path = `${PATH}.allowances[${index}]`;
    const addresses = (['erc20Address', 'owner', 'spender'] as const).map((name) =>
      requireContract(`${path}.${name === 'erc20Address' ? 'erc20_address' : name}`, allowance[name]),
    );
    if (!/^[1-9][0-9]{0,77}$/.test(allowance.value))
      throw new GenesisError(`${path}.value`, `not a positive amount: ${allowance.value}`);
    setAllowance(context, addresses, allowance);
  });
}

function requireContract(path: string, text: string): Uint8Array {
  const address = contractOf(text);
  if (address === undefined || address.every((byte) => byte === 0))
    throw new GenesisError(path, `invalid hex address: ${text}`);
  return address;
}

/** Exports parameters, token pairs, allowances and precompiles. */
export function exportGenesis(context: Context): unknown {
  return writeSection(GenesisStateSchema, {
    params: {
      enableErc20: getFlag(context, 'enableErc20'),
      permissionlessRegistration: getFlag(context, 'permissionlessRegistration'),
    },
    tokenPairs: [...tokenPairs(context)],
    allowances: [...allowances(context)],
    nativePrecompiles: [...precompiles(context, 'native')],
    dynamicPrecompiles: [...precompiles(context, 'dynamic')],
  });
}
