import { be64, readBe64 } from '../../bytes/big-endian.js';
import type { Context } from '../../sdk/module/context.js';
import { isEnabled, STORE } from '../../sdk/module/development-chain.js';
import { SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';

/** Key of the sequence: eight bytes big-endian, absent for 0. */
const SEQUENCE_KEY = Uint8Array.of(1);

/** Throws SdkError when the chain does not accept unsigned transactions. */
export function requireEnabled(context: Pick<Context, 'store'>): void {
  if (isEnabled(context)) return;
  throw new SdkError(sdkErrors.unauthorized, 'development transactions are not enabled by the genesis of this chain');
}

/** Sequence of the next dev transaction. */
export function getSequence(state: { get(store: string, key: Uint8Array): Uint8Array | undefined }): bigint {
  const value = state.get(STORE, SEQUENCE_KEY);
  return value === undefined ? 0n : readBe64(value);
}

/** Stores the sequence of the next dev transaction; 0 writes no row. */
export function setSequence(context: Pick<Context, 'store'>, sequence: bigint): void {
  if (sequence > 0n) context.store.set(STORE, SEQUENCE_KEY, be64(sequence));
}
