/** Staking precompile (cosmos/evm v0.6 `precompiles/staking`). */
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { contractAddress, messageContract } from '../contract.js';
import { delegationMethods } from './delegation-methods.js';
import { queryMethods } from './queries.js';
import { validatorMethods } from './validator-methods.js';

export const stakingContract: StatefulPrecompile = messageContract(contractAddress(0x800), [
  ...delegationMethods,
  ...validatorMethods,
  ...queryMethods,
]);
