/** P-256 signature precompile (RIP-7212; cosmos/evm v0.6 `precompiles/p256`). The engine verifies the signature. */
import { EMPTY } from '../../bytes/bytes.js';
import type { StatefulPrecompile } from '../../sdk/module/stateful-precompile.js';
import { contractAddress } from '../contract.js';

export const p256Contract: StatefulPrecompile = {
  address: contractAddress(0x100),
  functions: [],
  kind: 'p256',
  storeGas: false,
  requiredGas: () => 0n,
  run: () => EMPTY,
};
