/** Registered errors of erc20 (cosmos/evm v0.6 `x/erc20/types/errors.go`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const error = (code: number, text: string): RegisteredError => ({ codespace: 'erc20', code, text });

export const erc20Errors = {
  disabled: error(2, 'erc20 module is disabled'),
  internalPair: error(3, 'internal ethereum token mapping error'),
  pairNotFound: error(4, 'token pair not found'),
  pairExists: error(5, 'token pair already exists'),
  undefinedOwner: error(6, 'undefined owner of contract pair'),
  balanceInvariance: error(7, 'post transfer balance invariant failed'),
  unexpectedEvent: error(8, 'unexpected event'),
  abiUnpack: error(10, 'contract ABI unpack failed'),
  evmCall: error(12, 'EVM call unexpected error'),
  pairDisabled: error(13, 'erc20 token pair is disabled'),
  nativeConversionDisabled: error(16, 'native coins manual conversion is disabled'),
  expectedEvent: error(20, 'expected event'),
} as const;
