/**
 * Errors of callbacks: of the middleware (ibc-go v10 `modules/apps/callbacks/types/errors.go`) and of the contract
 * keeper (cosmos/evm v0.6 `x/ibc/callbacks/types/errors.go`).
 */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const error = (codespace: string, code: number, text: string): RegisteredError => ({ codespace, code, text });

const MIDDLEWARE = 'ibccallbacks';
const CONTRACTS = 'ibc-callbacks';

export const callbackErrors = {
  noGasLeft: error(MIDDLEWARE, 6, 'callback out of gas'),
  panic: error(MIDDLEWARE, 7, 'callback panic'),
  invalidData: error(MIDDLEWARE, 8, 'invalid callback data'),
  invalidReceiver: error(CONTRACTS, 1, 'invalid receiver address'),
  failed: error(CONTRACTS, 2, 'callback failed'),
  invalidCalldata: error(CONTRACTS, 3, 'invalid calldata in callback data'),
  noCode: error(CONTRACTS, 4, 'contract has no code'),
  pairNotFound: error(CONTRACTS, 5, 'token not registered'),
  allowanceFailed: error(CONTRACTS, 7, 'allowance failed'),
  callFailed: error(CONTRACTS, 8, 'evm call failed'),
  outOfGas: error(CONTRACTS, 9, 'out of gas'),
} as const;
