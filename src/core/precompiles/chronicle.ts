import type { PrecompileSet } from '../sdk/module/stateful-precompile.js';
import { STATIC_CONTRACTS } from './contracts.js';
import { dynamicTokens, tokenContracts } from './token/contract.js';

/** Precompiles of preset `chronicle`, whose EVM fork has P-256 (EIP-7951). */
export const CHRONICLE_PRECOMPILES: PrecompileSet = {
  static: STATIC_CONTRACTS,
  tokens: tokenContracts,
  dynamic: dynamicTokens,
};
