/** The contracts of this project's own chain: those of evmd but for P-256, which its fork has (EIP-7951). */
import type { PrecompileSet } from '../sdk/module/stateful-precompile.js';
import { EVMD_PRECOMPILES } from './evmd.js';
import { p256Contract } from './p256/contract.js';

export const CHRONICLE_PRECOMPILES: PrecompileSet = {
  ...EVMD_PRECOMPILES,
  static: EVMD_PRECOMPILES.static.filter((one) => one !== p256Contract),
  unknown: 'inactive',
};
