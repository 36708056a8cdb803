import type { RegisteredError } from '../../sdk/module/sdk-error.js';

const bank = (code: number, text: string): RegisteredError => ({ codespace: 'bank', code, text });

/** Codespace `bank` (cosmos-sdk v0.53 `x/bank/types/errors.go`). */
export const errors = {
  noInputs: bank(2, 'no inputs to send transaction'),
  noOutputs: bank(3, 'no outputs to send transaction'),
  inputOutputMismatch: bank(4, 'sum inputs != sum outputs'),
  sendDisabled: bank(5, 'send transactions are disabled'),
  duplicateEntry: bank(8, 'duplicate entry'),
  multipleSenders: bank(9, 'multiple senders not allowed'),
} as const;
