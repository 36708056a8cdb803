/**
 * ERC-20 precompile of a coin (cosmos/evm v0.6 `precompiles/erc20`, `precompiles/werc20`). Gas prices are those of a
 * typical token contract.
 */
import { equal } from '../../bytes/bytes.js';
import { checksumAddress } from '../../keys/address.js';
import { tokenCodeHash } from '../../modules/erc20/token-account.js';
import {
  contractOf,
  hasPrecompile,
  precompiles,
  tokenPairOfContract,
  type PrecompileKind,
} from '../../modules/erc20/store.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError } from '../../sdk/module/sdk-error.js';
import {
  type DynamicPrecompiles,
  refusalOfValue,
  type StatefulPrecompile,
} from '../../sdk/module/stateful-precompile.js';
import { argumentsOf, Methods } from '../contract.js';
import { contractRules } from '../contract-rules.js';
import { tokenQueries } from './queries.js';
import { transferMethods } from './transfers.js';
import { deposit, depositMethod, withdrawMethod } from './wrapped.js';

const DEPOSIT_GAS = 23_878n;
const GAS: Readonly<Record<string, bigint>> = {
  transfer: 9_000n,
  transferFrom: 30_500n,
  approve: 8_100n,
  name: 3_421n,
  symbol: 3_464n,
  decimals: 427n,
  totalSupply: 2_480n,
  balanceOf: 2_870n,
  allowance: 3_225n,
  deposit: DEPOSIT_GAS,
  withdraw: 9_207n,
};
const SELECTOR_BYTES = 4;

/** ERC-20 precompile of a denom at `address`. It rejects value. */
function tokenContract(address: Uint8Array, denom: string): StatefulPrecompile {
  const methods = new Methods([...transferMethods(denom), ...tokenQueries(denom)]);
  return {
    address,
    functions: methods.all,
    kind: 'messages',
    storeGas: false,
    requiredGas: ({ crypto }, input) => GAS[methods.find(crypto, input)?.name ?? ''] ?? 0n,
    run(context, call) {
      const value = contractRules.of(context).valueOf(call);
      if (value > 0n) throw plainError(refusalOfValue(value));
      const found = methods.require(context.crypto, call.input);
      if (call.readOnly && found.writes) throw plainError('write protection');
      return found.answer(context, call, argumentsOf(call.input));
    },
  };
}

/** Wrapped token of the EVM's native coin; an unknown call is a deposit. */
function wrappedContract(address: Uint8Array, denom: string): StatefulPrecompile {
  const methods = new Methods([depositMethod, withdrawMethod, ...transferMethods(denom), ...tokenQueries(denom)]);
  return {
    address,
    functions: methods.all,
    kind: 'messages',
    storeGas: false,
    takesValue: true,
    requiredGas({ crypto }, input) {
      if (input.length < SELECTOR_BYTES) return DEPOSIT_GAS;
      return GAS[methods.find(crypto, input)?.name ?? ''] ?? 0n;
    },
    run(context, call) {
      if (call.input.length === 0) contractRules.of(context).valueOf(call);
      const found = call.input.length < SELECTOR_BYTES ? undefined : methods.find(context.crypto, call.input);
      if (call.readOnly && (found?.writes ?? true)) throw plainError('write protection');
      return found === undefined ? deposit(context, call) : found.answer(context, call, argumentsOf(call.input));
    },
  };
}

const MAKERS = { native: wrappedContract, dynamic: tokenContract } as const;
/** ERC-20 precompiles from genesis. */
export function tokenContracts(context: Context): readonly StatefulPrecompile[] {
  return (['native', 'dynamic'] as const).flatMap((kind) => {
    const addresses = context.chain.tokens?.[kind] ?? precompiles(context, kind);
    return addresses.flatMap((text) => tokenOf(context, kind, text) ?? []);
  });
}

/** ERC-20 precompiles of IBC coins that arrived after genesis. An address belongs to the same coin in every state. */
export const dynamicTokens: DynamicPrecompiles = {
  isCode: (context, codeHash) => equal(codeHash, tokenCodeHash(context)),
  at(context, address) {
    const name = checksumAddress(context.crypto, address);
    return hasPrecompile(context, 'dynamic', name) ? tokenOf(context, 'dynamic', name) : undefined;
  },
  all: (context) => precompiles(context, 'dynamic').map((text) => text.slice(2).toLowerCase()),
};

function tokenOf(context: Context, kind: PrecompileKind, text: string): StatefulPrecompile | undefined {
  const address = contractOf(text);
  const denom = address && tokenPairOfContract(context, address)?.denom;
  return address === undefined || denom === undefined ? undefined : MAKERS[kind](address, denom);
}
