import { fromBinary } from '@bufbuild/protobuf';
import type { Context } from '../../sdk/module/context.js';
import { invariant } from '../../errors.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import type { Tx } from '../../sdk/module/tx.js';
import {
  MsgExpireClientSchema,
  MsgSetAccountSchema,
  MsgSetBalanceSchema,
  MsgSetBlockFactsSchema,
} from '../../proto/chronicle/dev/v1/tx_pb.js';
import { isEnabled } from '../../sdk/module/development-chain.js';
import { getSequence, setSequence } from './store.js';

export const SET_BALANCE_URL = '/chronicle.dev.v1.MsgSetBalance';
export const SET_ACCOUNT_URL = '/chronicle.dev.v1.MsgSetAccount';
export const SET_BLOCK_FACTS_URL = '/chronicle.dev.v1.MsgSetBlockFacts';
export const EXPIRE_CLIENT_URL = '/chronicle.dev.v1.MsgExpireClient';

/** Functions that read the sequence of a message of this module. They throw the protobuf reader's errors. */
const SEQUENCES: ReadonlyMap<string, (value: Uint8Array) => bigint> = new Map([
  [SET_BALANCE_URL, (value) => fromBinary(MsgSetBalanceSchema, value).sequence],
  [SET_ACCOUNT_URL, (value) => fromBinary(MsgSetAccountSchema, value).sequence],
  [SET_BLOCK_FACTS_URL, (value) => fromBinary(MsgSetBlockFactsSchema, value).sequence],
  [EXPIRE_CLIENT_URL, (value) => fromBinary(MsgExpireClientSchema, value).sequence],
]);

/** True for a transaction with a message of this module. */
export function isDev({ handlers }: Pick<Tx, 'handlers'>): boolean {
  return handlers.some(({ handler }) => SEQUENCES.has(handler.typeUrl));
}

/**
 * Ante rules of dev transactions: one message without signers and fees, with the module's next sequence, which
 * prevents replay.
 */
export function runDevAnte(context: Context, { handlers, body, authInfo, signatures }: Tx): void {
  if (!isEnabled(context))
    throw new SdkError(sdkErrors.unauthorized, 'development transactions are not enabled by the genesis of this chain');
  const [only] = handlers;
  if (only === undefined || handlers.length !== 1)
    throw invalidRequest('a development transaction has exactly one message');
  if (signatures.length > 0 || authInfo.signerInfos.length > 0)
    throw invalidRequest('a development transaction has no signatures');
  if ((authInfo.fee?.amount.length ?? 0) > 0) throw invalidRequest('a development transaction pays no fee');
  // The pool counts a transaction against its signers.
  if ((authInfo.fee?.payer ?? '') !== '' || (authInfo.fee?.granter ?? '') !== '')
    throw invalidRequest('a development transaction has no payer');
  if (
    body.memo !== '' ||
    body.timeoutHeight !== 0n ||
    body.timeoutTimestamp !== undefined ||
    body.extensionOptions.length > 0 ||
    body.nonCriticalExtensionOptions.length > 0 ||
    body.unordered
  ) {
    throw invalidRequest('a development transaction has nothing but its message');
  }
  const sequence = readSequence(only.handler.typeUrl, only.value);
  const expected = getSequence(context.store);
  if (sequence !== expected)
    throw new SdkError(sdkErrors.wrongSequence, `development sequence mismatch, expected ${expected}, got ${sequence}`);
  setSequence(context, expected + 1n);
  context.block.holdsCommand = true;
}

/** Reads the sequence; throws SDK error 2 for malformed bytes. */
function readSequence(typeUrl: string, value: Uint8Array): bigint {
  const read = SEQUENCES.get(typeUrl);
  invariant(read !== undefined, 'a development message is in the table');
  try {
    return read(value);
  } catch {
    throw new SdkError(sdkErrors.txDecode, `cannot decode ${typeUrl.slice(1)}`);
  }
}
