import type { JsonObject } from '@bufbuild/protobuf';
import { typedDataDigest } from '../../../ethereum/typed-data.js';
import { asObject } from '../../../text/json-object.js';
import type { Crypto } from '../../../ports/crypto.js';
import { SignMode } from '../../../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import type { SigningFacts } from '../signing-facts.js';
import type { SignedTx } from '../../module/tx.js';
import { documentWithoutOption, typedDocument } from './document.js';
import { typedData } from './type-names.js';
import { typedDataByValues } from './types-of-json.js';
import { typesOfMessage } from './types-of-message.js';

/**
 * EIP-712 digests that an Ethereum key may sign instead of direct or amino sign bytes: first the current format, then
 * the legacy one, if any (cosmos/evm v0.6 `crypto/ethsecp256k1/ethsecp256k1.go`, `verifySignatureAsEIP712`). Each is
 * computed on demand.
 */
export function* typedDigests(
  crypto: Crypto,
  tx: SignedTx,
  mode: SignMode,
  facts: SigningFacts,
): Generator<Uint8Array> {
  const document = typedDocument(tx, mode, facts);
  if (document === undefined) return;
  const current = typedDataByValues(document, facts.evmChainId);
  const digest = typedDataDigest(crypto, current, 'geth');
  if (!digest.ok) return;
  yield digest.digest;
  const older = olderTypedData(document, tx, mode, facts, facts.address);
  const olderDigest = typedDataDigest(crypto, older, 'geth');
  if (olderDigest.ok) yield olderDigest.digest;
}

/**
 * Digest that the fee payer signs when the signature is in an extension option, in the legacy format (ethermint v0.22
 * `ethereum/eip712/eip712_legacy.go`), or the reason why there is none.
 */
export function payerDigest(
  crypto: Crypto,
  tx: SignedTx,
  facts: SigningFacts,
  feePayer: string,
): ReturnType<typeof typedDataDigest> {
  const refuse = (reason: string) =>
    ({ ok: false, message: `failed to create EIP-712 typed data from tx: ${reason}` }) as const;
  const [first] = tx.body.messages;
  if (tx.body.messages.some(({ typeUrl }) => typeUrl !== first?.typeUrl))
    return refuse('unable to build EIP-712 payload: different types of messages detected');
  const document = documentWithoutOption(tx, facts);
  if (document === undefined) return refuse('the transaction holds what typed data does not show');
  const typed = olderTypedData(document, tx, SignMode.DIRECT, facts, feePayer);
  return typed === undefined ? refuse('a message has no types') : typedDataDigest(crypto, typed, 'geth');
}

/** Legacy document with a fee payer; its messages are a list, so all must have one type. */
function olderTypedData(
  document: JsonObject,
  tx: SignedTx,
  mode: SignMode,
  facts: SigningFacts,
  feePayer: string,
): object | undefined {
  const { messages } = tx.body;
  const [first] = messages;
  const fee = asObject(document['fee']);
  const other = messages.findIndex(({ typeUrl }) => typeUrl !== first?.typeUrl);
  // Each message is converted before its type is compared with the first.
  const written = other < 0 ? messages : messages.slice(0, other + 1);
  facts.typedData.requireParts(written, facts.types, mode === SignMode.DIRECT);
  if (first === undefined || other >= 0) return undefined;
  const types = typesOfMessage(first, facts.types, mode === SignMode.DIRECT);
  if (types === undefined || fee === undefined) return undefined;
  return typedData(types, { ...document, fee: { ...fee, feePayer } }, facts.evmChainId);
}
