import { bytesOfDigits } from '../../bytes/hex.js';
import { EMPTY } from '../../bytes/bytes.js';
import { executionRules } from '../../modules/evm/execution-rules.js';
import { installCode, type Preinstall } from '../../modules/evm/preinstalls.js';
import type { Context } from '../../sdk/module/context.js';

/** Executions of cosmos/evm v0.6. */
export const execution = executionRules.with({
  /** A failed transaction also reverts its authorizations (`x/vm/keeper/state_transition.go`). */
  keptOfFailed: () => undefined,
  callFees: 'none',
  /** The estimate is exact (`x/vm/keeper/grpc_query.go`). */
  estimateTolerance: 0n,
  preinstall: preinstallAsGo,
});

/**
 * Installs a preinstall with arbitrary texts, parsed like go-ethereum (v1.16 `common/bytes.go`, `common/types.go`).
 */
export function preinstallAsGo(context: Context, { address, code }: Preinstall): string | undefined {
  if (code === '') return `preinstall ${address} has no code`;
  const account = new Uint8Array(20);
  const digits = goHex(address).slice(-account.length);
  account.set(digits, account.length - digits.length);
  return installCode(context, address, account, goHex(code));
}

/** Parses hex up to the first invalid character; an odd number of digits gets a leading zero. */
function goHex(text: string): Uint8Array {
  const digits = text.replace(/^0[xX]/, '');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return bytesOfDigits(/^([\da-fA-F]{2})*/.exec(even)?.[0] ?? '') ?? EMPTY;
}
