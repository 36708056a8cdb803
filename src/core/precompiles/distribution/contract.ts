/** Distribution precompile (cosmos/evm v0.6 `precompiles/distribution`). */
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { contractAddress, messageContract } from '../contract.js';
import { fundMethods } from './fund-methods.js';
import { queryMethods } from './queries.js';
import { rewardMethods } from './reward-methods.js';

export const distributionContract: StatefulPrecompile = messageContract(contractAddress(0x801), [
  ...rewardMethods,
  ...fundMethods,
  ...queryMethods,
]);
