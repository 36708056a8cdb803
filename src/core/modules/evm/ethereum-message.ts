/** `MsgEthereumTx`: an Ethereum transaction as a Cosmos message, and the transaction that wraps it (application-modules.md 3.6). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { concat, utf8 } from '../../bytes/bytes.js';
import { coin } from '../../sdk/coins.js';
import { rememberDecoded } from '../../sdk/decode-tx.js';
import { SdkError, sdkErrors } from '../../sdk/sdk-error.js';
import { decodeTransaction } from '../../ethereum/transaction-codec.js';
import { feeCapOf } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { MsgEthereumTxSchema } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { AuthInfoSchema, FeeSchema, TxBodySchema, type TxBody } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';

export const MESSAGE_URL = '/cosmos.evm.vm.v1.MsgEthereumTx';
const EXTENSION_URL = '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx';

const MESSAGE_URL_BYTES = utf8(MESSAGE_URL);
/** Field 1023 of the body: the extension option, which is empty. */
const EXTENSION = toBinary(
  TxBodySchema,
  create(TxBodySchema, { extensionOptions: [create(AnySchema, { typeUrl: EXTENSION_URL })] }),
);

export interface EthereumMessage {
  /** Sender as the message states it (20 bytes). */
  readonly from: Uint8Array;
  readonly raw: Uint8Array;
  readonly transaction: EthereumTransaction;
}

/** One message is read by the router, the ante chain and its handler: the same bytes are decoded once. */
const decoded = new WeakMap<Uint8Array, EthereumMessage>();

/** Reads the message; SDK error 2 for what no Ethereum transaction can be. */
export function readEthereumMessage(value: Uint8Array): EthereumMessage {
  const known = decoded.get(value);
  if (known !== undefined) return known;
  const { from, raw } = decodeFields(value);
  if (raw.length === 0) throw new SdkError(sdkErrors.invalidRequest, 'raw transaction is required');
  const result = decodeTransaction(raw);
  if (!result.ok) throw new SdkError(sdkErrors.txDecode, result.message);
  if (from.length === 0) throw new SdkError(sdkErrors.invalidRequest, 'sender address is missing');
  if (from.length !== 20)
    throw new SdkError(sdkErrors.invalidAddress, 'the sender of an Ethereum transaction has 20 bytes');
  const message = { from, raw, transaction: result.transaction };
  decoded.set(value, message);
  return message;
}

function decodeFields(value: Uint8Array): { readonly from: Uint8Array; readonly raw: Uint8Array } {
  try {
    return fromBinary(MsgEthereumTxSchema, value);
  } catch {
    throw new SdkError(sdkErrors.txDecode, 'cannot decode cosmos.evm.vm.v1.MsgEthereumTx');
  }
}

/** Fee that the wrapping transaction states: the gas limit at the highest price, whatever is charged later. */
export function statedFee(transaction: EthereumTransaction): bigint {
  return transaction.gasLimit * feeCapOf(transaction);
}

/**
 * The Cosmos transaction around an Ethereum one, byte for byte as evmd makes it; `from` has 20 bytes. Who reads it in this
 * process gets what is known here, and decodes nothing.
 */
export function wrapEthereumTransaction(
  raw: Uint8Array,
  transaction: EthereumTransaction,
  from: Uint8Array,
  denom: string,
): Uint8Array {
  const fee = statedFee(transaction);
  const authInfo = create(AuthInfoSchema, {
    fee: create(FeeSchema, { amount: fee === 0n ? [] : [coin(denom, fee)], gasLimit: transaction.gasLimit }),
  });
  const authInfoBytes = toBinary(AuthInfoSchema, authInfo);
  // The signed bytes lie five messages deep: their lengths are told first, so that they are copied once.
  const message = [...field(5, from), ...field(6, raw)];
  const any = [...field(1, MESSAGE_URL_BYTES), ...field(2, ...message)];
  const bodyParts = [...field(1, ...any), EXTENSION];
  const tx = concat(...field(1, ...bodyParts), ...field(2, authInfoBytes));
  const bodyEnd = tx.length - size(field(2, authInfoBytes));
  const bodyBytes = tx.subarray(bodyEnd - size(bodyParts), bodyEnd);
  const messageEnd = bodyBytes.length - EXTENSION.length;
  const value = bodyBytes.subarray(messageEnd - size(message), messageEnd);
  const body = create(TxBodySchema, {
    messages: [create(AnySchema, { typeUrl: MESSAGE_URL, value })],
    extensionOptions: [create(AnySchema, { typeUrl: EXTENSION_URL, value: new Uint8Array(0) })],
  });
  decoded.set(value, { from, raw, transaction });
  rememberDecoded(tx, {
    body,
    authInfo,
    bodyBytes,
    authInfoBytes,
    signatures: [],
    size: tx.length,
    unknownFields: false,
  });
  return tx;
}

/** A length-delimited field, as its parts. */
function field(number: number, ...content: readonly Uint8Array[]): readonly Uint8Array[] {
  const prefix = [(number << 3) | 2];
  let rest = size(content);
  for (; rest > 0x7f; rest >>>= 7) prefix.push((rest & 0x7f) | 0x80);
  prefix.push(rest);
  return [Uint8Array.from(prefix), ...content];
}

function size(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** True for a transaction that asks for the ante rules of Ethereum by its first extension option. */
export function isEthereum({ body }: { readonly body: TxBody }): boolean {
  const url = body.extensionOptions[0]?.typeUrl;
  return url === EXTENSION_URL || url === '/ethermint.evm.v1.ExtensionOptionsEthereumTx';
}
