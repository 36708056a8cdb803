/** Static precompiles (cosmos/evm v0.6 `precompiles/types/static_precompiles.go`). */
import type { StatefulPrecompile } from '../sdk/module/stateful-precompile.js';
import { bankContract } from './bank/contract.js';
import { bech32Contract } from './bech32/contract.js';
import { distributionContract } from './distribution/contract.js';
import { govContract } from './gov/contract.js';
import { ics20Contract } from './ics20/contract.js';
import { slashingContract } from './slashing/contract.js';
import { stakingContract } from './staking/contract.js';

/** Precompiles that the EVM parameters may activate. */
export const STATIC_CONTRACTS: readonly StatefulPrecompile[] = [
  bech32Contract,
  stakingContract,
  distributionContract,
  ics20Contract,
  bankContract,
  govContract,
  slashingContract,
];
