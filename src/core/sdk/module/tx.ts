import type { DecodedTx } from '../codec/decode-tx.js';
import { decodeTx } from '../codec/decode-tx.js';
import { addressRefusal, parseAddress } from '../codec/address.js';
import { SdkError, sdkErrors } from './sdk-error.js';
import { hex } from '../../bytes/hex.js';
import type { ApplicationMessages, MessageHandler } from './context.js';
import { transactionRules } from './transaction-rules.js';
import { FIXED_LIMITS } from '../../limits/limits.js';

/** A transaction with its signers, ready for signature verification. */
export interface SignedTx extends DecodedTx {
  /** Signers of each message. */
  readonly handlers: readonly { readonly signers: readonly string[] }[];
  /**
   * Distinct signers in order of first appearance in the messages; the fee payer is last if it signs nothing else.
   */
  readonly signers: readonly Uint8Array[];
}

/** A transaction ready for the ante handler: message handlers, and signers in the SDK's order. */
export interface Tx extends SignedTx {
  readonly handlers: readonly {
    readonly handler: MessageHandler;
    readonly value: Uint8Array;
    readonly signers: readonly string[];
  }[];
  /** Error while reading the signers, which the ante rules report (SDK `x/auth/tx/builder.go`). */
  readonly signersFault: SdkError | undefined;
  readonly feePayer: Uint8Array | undefined;
  /** Fee granter, which pays the fee; undefined: the fee payer pays. */
  readonly feeGranter: Uint8Array | undefined;
  /** Error while reading the granter. */
  readonly granterFault: SdkError | undefined;
}

interface Known {
  readonly router: ApplicationMessages;
  readonly bech32Prefix: string;
  readonly tx: Tx;
}

let known = new WeakMap<Uint8Array, Known>();
let count = 0;

/**
 * Decodes a transaction and resolves its messages. Throws SDK error 2 for malformed bytes or unknown messages. Cached
 * by array: a pending transaction is read at admission, at its check and after every block, always with the same
 * unchanged bytes.
 */
export function readTx(bytes: Uint8Array, router: ApplicationMessages, bech32Prefix: string): Tx {
  const before = known.get(bytes);
  if (before?.router === router && before.bech32Prefix === bech32Prefix) return before.tx;
  const tx = decodeAndResolve(bytes, router, bech32Prefix);
  count += 1;
  if (count > FIXED_LIMITS.cachedTransactions) {
    known = new WeakMap();
    count = 1;
  }
  known.set(bytes, { router, bech32Prefix, tx });
  return tx;
}

function decodeAndResolve(bytes: Uint8Array, router: ApplicationMessages, bech32Prefix: string): Tx {
  const decoded = decodeTx(bytes, router);
  transactionRules.of(router).requireParts(bytes);
  let signersFault: SdkError | undefined;
  /** Signers of the messages so far: their errors come before those of later messages. */
  const names: string[] = [];
  const guarded = <Item>(read: () => readonly Item[]): readonly Item[] => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SdkError) || error.registered === sdkErrors.txDecode) throw error;
      signersFault ??= faultOf(names, bech32Prefix) ?? error;
      return [];
    }
  };
  const handlers = decoded.body.messages.map(({ typeUrl, value }) => {
    const handler = router.find(typeUrl);
    const signers = guarded(() => handler.signers(value, bech32Prefix));
    for (const signer of signers) names.push(signer);
    return { handler, value, signers };
  });
  const { payer = '', granter = '' } = decoded.authInfo.fee ?? {};
  const signers = guarded(() => signersOf(handlers, payer, bech32Prefix));
  const feeGranter = granter === '' ? undefined : parseAddress(bech32Prefix, granter);
  const { body, authInfo, bodyBytes, authInfoBytes, signatures, size, unknownFields } = decoded;
  return {
    body,
    authInfo,
    bodyBytes,
    authInfoBytes,
    signatures,
    size,
    unknownFields,
    handlers,
    signers,
    signersFault,
    feeGranter,
    granterFault: granter === '' || feeGranter !== undefined ? undefined : addressRefusal(bech32Prefix, granter),
    feePayer: payer === '' ? signers[0] : parseAddress(bech32Prefix, payer),
  };
}

/** Error for the first name that is not an address. */
function faultOf(names: readonly string[], bech32Prefix: string): SdkError | undefined {
  const wrong = names.find((name) => parseAddress(bech32Prefix, name) === undefined);
  return wrong === undefined ? undefined : addressRefusal(bech32Prefix, wrong);
}

function signersOf(handlers: Tx['handlers'], payer: string, bech32Prefix: string): readonly Uint8Array[] {
  const addressOf = (name: string): Uint8Array => {
    const address = parseAddress(bech32Prefix, name);
    if (address === undefined) throw addressRefusal(bech32Prefix, name);
    return address;
  };
  const only = handlers.length === 1 && payer === '' ? handlers[0]?.signers : undefined;
  // Most transactions have one signer.
  if (only?.length === 1) return only.map(addressOf);
  const names = new Set(handlers.flatMap(({ signers }) => signers));
  if (payer !== '') names.add(payer);
  return distinct([...names].map(addressOf));
}

/** Removes duplicates by bytes, because one address has several spellings. */
function distinct(addresses: readonly Uint8Array[]): readonly Uint8Array[] {
  return addresses.length < 2 ? addresses : [...new Map(addresses.map((address) => [hex(address), address])).values()];
}
