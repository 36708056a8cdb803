import type { PrecompileSet } from '../sdk/module/stateful-precompile.js';
import { STATIC_CONTRACTS } from './contracts.js';
import { laterTokens, tokenContracts } from './token/contract.js';

/** The contracts of this project's own chain, whose fork has P-256 (EIP-7951). */
export const CHRONICLE_PRECOMPILES: PrecompileSet = {
  static: STATIC_CONTRACTS,
  tokens: tokenContracts,
  later: laterTokens,
};
