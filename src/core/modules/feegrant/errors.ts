import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const feegrant = (code: number, text: string): RegisteredError => ({ codespace: 'feegrant', code, text });

/** Codespace `feegrant` (cosmossdk.io/x/feegrant v0.2.0 `errors.go`). */
export const errors = {
  limitExceeded: feegrant(2, 'fee limit exceeded'),
  expired: feegrant(3, 'fee allowance expired'),
  invalidDuration: feegrant(4, 'invalid duration'),
  noAllowance: feegrant(5, 'no allowance'),
  noMessages: feegrant(6, 'allowed messages are empty'),
  messageNotAllowed: feegrant(7, 'message not allowed'),
} as const;
