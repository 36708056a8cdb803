import { fromBinary } from '@bufbuild/protobuf';
import type { Context } from '../../app/context.js';
import { SdkError, sdkErrors } from '../../app/sdk-error.js';
import type { Tx } from '../../app/tx.js';
import { MsgSetBalanceSchema, type MsgSetBalance } from '../../proto/chronicle/dev/v1/tx_pb.js';
import { getSequence, isEnabled, setSequence } from './store.js';

export const SET_BALANCE_URL = '/chronicle.dev.v1.MsgSetBalance';

/** True for a transaction that this module's ante rules are for. */
export function isDev({ handlers }: Pick<Tx, 'handlers'>): boolean {
  return handlers.some(({ handler }) => handler.typeUrl === SET_BALANCE_URL);
}

/**
 * The ante rules of development chains: one message, no signer and no fee, since nobody is asked for anything; and the
 * sequence of the module, so that no transaction can be in two blocks.
 */
export function runDevAnte(context: Context, { handlers, body, authInfo, signatures }: Tx): void {
  if (!isEnabled(context)) throw new SdkError(sdkErrors.unauthorized, 'development transactions are not enabled by the genesis of this chain');
  const [only] = handlers;
  if (only === undefined || handlers.length !== 1) throw refused('a development transaction has exactly one message');
  if (signatures.length > 0 || authInfo.signerInfos.length > 0) throw refused('a development transaction has no signatures');
  if ((authInfo.fee?.amount.length ?? 0) > 0) throw refused('a development transaction pays no fee');
  if (body.memo !== '' || body.timeoutHeight !== 0n || body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0 || body.unordered) {
    throw refused('a development transaction has nothing but its message');
  }
  const { sequence } = readSetBalance(only.value);
  const expected = getSequence(context.store);
  if (sequence !== expected) throw new SdkError(sdkErrors.wrongSequence, `development sequence mismatch, expected ${expected}, got ${sequence}`);
  setSequence(context, expected + 1n);
}

function refused(text: string): SdkError {
  return new SdkError(sdkErrors.invalidRequest, text);
}

/** Throws SDK error 2. */
function readSetBalance(value: Uint8Array): MsgSetBalance {
  try {
    return fromBinary(MsgSetBalanceSchema, value);
  } catch {
    throw new SdkError(sdkErrors.txDecode, 'cannot decode chronicle.dev.v1.MsgSetBalance');
  }
}
