/** Registered errors of transfers (ibc-go v10 `modules/apps/transfer/types/errors.go`). */
import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const error = (code: number, text: string): RegisteredError => ({ codespace: 'transfer', code, text });

export const transferErrors = {
  invalidDenom: error(3, 'invalid denomination for cross-chain transfer'),
  invalidVersion: error(4, 'invalid ICS20 version'),
  invalidAmount: error(5, 'invalid token amount'),
  denomNotFound: error(6, 'denomination not found'),
  sendDisabled: error(7, 'fungible token transfers from this chain are disabled'),
  receiveDisabled: error(8, 'fungible token transfers to this chain are disabled'),
  maxChannels: error(9, 'max transfer channels'),
  invalidAuthorization: error(10, 'invalid transfer authorization'),
  invalidMemo: error(11, 'invalid memo'),
  abiDecoding: error(15, 'decoding abi failed'),
  receiveFailed: error(16, 'receive packet failed'),
} as const;
