/**
 * Unordered transactions: instead of a sequence, each signer uses a timeout timestamp once (cosmos-sdk v0.53
 * `x/auth/ante/sigverify.go`, `x/auth/keeper/keeper.go`).
 */
import { be64 } from '../../../bytes/big-endian.js';
import { concat, EMPTY } from '../../../bytes/bytes.js';
import { keyAfter, prefixEnd } from '../../../bytes/key-order.js';
import { fromTimestamp, GO_ZERO_TIME } from '../../../comet/time.js';
import { CHAIN_LIMITS } from '../../../limits/limits.js';
import type { TimeNs } from '../../../primitives.js';
import { encodeAddress } from '../../../sdk/codec/address.js';
import type { Context } from '../../../sdk/module/context.js';
import { has } from '../../../sdk/module/gas.js';
import { invalidRequest } from '../../../sdk/module/sdk-error.js';
import type { Tx } from '../../../sdk/module/tx.js';
import { STORE } from '../accounts.js';

const PREFIX = Uint8Array.of(90);
/** Gas of an unordered transaction, which pays for removing its record later. */
const GAS = 2240n;

/** Key prefix: the time with inverted sign bit, so that byte order is time order; the signer follows. */
const timePrefix = (timeout: TimeNs): Uint8Array => concat(PREFIX, be64(BigInt.asUintN(64, timeout) ^ (1n << 63n)));
const nonceKey = (timeout: TimeNs, signer: Uint8Array): Uint8Array => concat(timePrefix(timeout), signer);

/**
 * Rejects an unordered transaction that was seen before or whose timeout is too far away; records it for each signer.
 */
export function useTimeout(context: Context, { body, signers }: Tx): void {
  const timeout = fromTimestamp(body.timeoutTimestamp);
  if (timeout === GO_ZERO_TIME || body.timeoutTimestamp?.seconds === 0n)
    throw invalidRequest('unordered transaction must have timeout_timestamp set');
  if (timeout < context.time)
    throw invalidRequest('unordered transaction has a timeout_timestamp that has already passed');
  if (timeout > context.time + CHAIN_LIMITS.unorderedWait) throw invalidRequest('unordered tx ttl exceeds 10m0s');
  context.gas.consume(GAS, 'unordered tx');
  if (context.mode === 'simulate') return;
  for (const signer of signers) {
    const key = nonceKey(timeout, signer);
    if (has(context.store, STORE, key))
      throw invalidRequest(
        `failed to add unordered nonce: sender ${encodeAddress(context.chain.bech32Prefix, signer)} has already used timeout ${timeout}`,
      );
    context.store.set(STORE, key, EMPTY);
  }
}

/** Removes records of timeouts up to the block time. */
export function forgetTimeouts({ store, time }: Context): void {
  const last = timePrefix(time);
  const end = prefixEnd(last) ?? keyAfter(last);
  for (const { key } of [...store.range(STORE, { start: PREFIX, end, reverse: false })]) store.delete(STORE, key);
}
