/** EIP-7702 authorizations of calls, converted to state overrides of the call. */
import { concat, equal } from '../../../core/bytes/bytes.js';
import type { EthereumApi } from '../../../core/ethereum/api.js';
import { recoverAuthority } from '../../../core/ethereum/transaction-sender.js';
import type { SignedAuthorization } from '../../../core/ethereum/transaction.js';
import type { EvmOverride } from '../../../core/evm/engine.js';
import type { Crypto } from '../../../core/ports/crypto.js';
import type { Height } from '../../../core/primitives.js';
import type { TransactionArguments } from '../params/call-arguments.js';

/** First bytes of the code of a delegated account; the address follows (EIP-7702). */
const DESIGNATOR = Uint8Array.of(0xef, 0x01, 0x00);
/** Gas of one authorization (EIP-7702 `PER_EMPTY_ACCOUNT_COST`); the refund for existing accounts is not subtracted. */
const AUTHORIZATION_GAS = 25_000n;

/** Gas that the authorizations add to an estimate. */
export function authorizationGas({ authorizations = [] }: TransactionArguments): bigint {
  return AUTHORIZATION_GAS * BigInt(authorizations.length);
}

/** Overrides of all valid authorizations, then those of the caller, which take precedence. */
export function delegated(
  api: EthereumApi,
  crypto: Crypto,
  { authorizations = [], from }: TransactionArguments,
  height: Height,
  overrides: readonly EvmOverride[],
): readonly EvmOverride[] {
  const merged = [...overrides];
  for (const authorization of authorizations) {
    const delegation = delegationOf(api, crypto, authorization, from, height);
    if (delegation === undefined) continue;
    const own = merged.findIndex(({ address }) => equal(address, delegation.address));
    if (own < 0) merged.push(delegation);
    else merged[own] = { ...delegation, ...merged[own] };
  }
  return merged;
}

/** undefined for an authorization that a block would skip: another chain, a wrong signature or a wrong nonce. */
function delegationOf(
  api: EthereumApi,
  crypto: Crypto,
  authorization: SignedAuthorization,
  from: Uint8Array | undefined,
  height: Height,
): EvmOverride | undefined {
  const { chainId, address: target, nonce } = authorization;
  if (chainId !== 0n && chainId !== api.chainId) return undefined;
  const authority = recoverAuthority(crypto, authorization);
  if (authority === undefined) return undefined;
  const account = api.account(authority, height);
  // the sender's nonce was incremented before authorizations are processed
  const expected = (account.ok ? account.value.nonce : 0n) + (from !== undefined && equal(from, authority) ? 1n : 0n);
  if (nonce !== expected) return undefined;
  const clears = target.every((byte) => byte === 0);
  return { address: authority, nonce: nonce + 1n, code: clears ? new Uint8Array(0) : concat(DESIGNATOR, target) };
}
