/** The contracts of evmd (cosmos/evm v0.6 `precompiles/types/static_precompiles.go`). */
import type { PrecompileSet } from '../sdk/module/stateful-precompile.js';
import { bankContract } from './bank/contract.js';
import { bech32Contract } from './bech32/contract.js';
import { distributionContract } from './distribution/contract.js';
import { govContract } from './gov/contract.js';
import { ics20Contract } from './ics20/contract.js';
import { p256Contract } from './p256/contract.js';
import { slashingContract } from './slashing/contract.js';
import { stakingContract } from './staking/contract.js';
import { tokenContracts } from './token/contract.js';

export const EVMD_PRECOMPILES: PrecompileSet = {
  static: [
    p256Contract,
    bech32Contract,
    stakingContract,
    distributionContract,
    ics20Contract,
    bankContract,
    govContract,
    slashingContract,
  ],
  unknown: 'panics',
  tokens: tokenContracts,
};
