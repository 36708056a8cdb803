/**
 * Contracts at known addresses that were not deployed by a transaction (cosmos/evm v0.6 `x/vm/keeper/preinstalls.go`).
 */
import type { Context } from '../../sdk/module/context.js';
import { EMPTY, equal } from '../../bytes/bytes.js';
import { bytesOfDigits } from '../../bytes/hex.js';
import { ensureAccount, hasAccount } from '../auth/accounts.js';
import { codeHashKey, codeKey, getCodeHash, isEmptyCodeHash, STORE } from './store.js';

interface Preinstall {
  readonly address: string;
  readonly code: string;
}

/**
 * Sets the code of an unused address; returns the problem, undefined on success. An address has 20 bytes, and code has
 * whole ones.
 */
export function preinstall(context: Context, { address, code }: Preinstall): string | undefined {
  const account = bytesOfDigits(address.replace(/^0[xX]/, ''));
  if (account?.length !== 20) return `preinstall address "${address}" is not a valid hex address`;
  const bytes = bytesOfDigits(code.replace(/^0[xX]/, ''));
  if (bytes === undefined || bytes.length === 0) return `preinstall ${address} has no code`;
  return setCode(context, address, account, bytes);
}

/** As `preinstall`, of any texts, which evmd reads as go-ethereum does (v1.16 `common/bytes.go`, `common/types.go`). */
export function preinstallAsGo(context: Context, { address, code }: Preinstall): string | undefined {
  if (code === '') return `preinstall ${address} has no code`;
  const account = new Uint8Array(20);
  const digits = goHex(address).slice(-account.length);
  account.set(digits, account.length - digits.length);
  return setCode(context, address, account, goHex(code));
}

/** The bytes up to the first character that is no digit; an odd number of characters has a zero before them. */
function goHex(text: string): Uint8Array {
  const digits = text.replace(/^0[xX]/, '');
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return bytesOfDigits(/^([\da-fA-F]{2})*/.exec(even)?.[0] ?? '') ?? EMPTY;
}

function setCode(context: Context, address: string, account: Uint8Array, bytes: Uint8Array): string | undefined {
  const hash = context.crypto.keccak256(bytes);
  if (bytes.length === 0) return `preinstall ${address} has empty code hash`;
  const known = getCodeHash(context, account);
  if (!isEmptyCodeHash(known) && !equal(known, hash))
    return `preinstall ${address} already has a code hash with a different code hash`;
  if (hasAccount(context, account)) return `preinstall ${address} already has an account in account keeper`;
  ensureAccount(context, account);
  context.store.set(STORE, codeHashKey(account), hash);
  context.store.set(STORE, codeKey(hash), bytes);
  return undefined;
}
