/** Governance precompile (cosmos/evm v0.6 `precompiles/gov`). */
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { contractAddress, messageContract } from '../contract.js';
import { messageMethods } from './message-methods.js';
import { queryMethods } from './queries.js';

export const govContract: StatefulPrecompile = messageContract(contractAddress(0x805), [
  ...messageMethods,
  ...queryMethods,
]);
