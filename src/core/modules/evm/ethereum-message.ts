/**
 * `MsgEthereumTx`, an Ethereum transaction as a Cosmos message, and the transaction that wraps it (cosmos/evm v0.6
 * `x/vm/types/msg.go`).
 */
import { fromBinary } from '@bufbuild/protobuf';
import { hexData } from '../../bytes/hex.js';
import type { Crypto } from '../../ports/crypto.js';
import { decodeTx, rememberDecoded } from '../../sdk/codec/decode-tx.js';
import { invalidRequest, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { decodeTransaction } from '../../ethereum/transaction-codec.js';
import { feeCapOf } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { EXTENSION_URL, MESSAGE_URL, readWrappedMessage, writeWrapper } from '../../ethereum/wrapper-codec.js';
import { MsgEthereumTxSchema } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import type { TxBody } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';

export { MESSAGE_URL };

/** A decoded `MsgEthereumTx`: sender, signed bytes and transaction. */
export class EthereumMessage {
  #hash: string | undefined;

  constructor(
    /** Sender in the message, 20 bytes. */
    readonly from: Uint8Array,
    readonly raw: Uint8Array,
    readonly transaction: EthereumTransaction,
  ) {}

  /** Ethereum transaction hash as hex with `0x`; computed once. */
  hash(crypto: Pick<Crypto, 'keccak256'>): string {
    this.#hash ??= hexData(crypto.keccak256(this.raw));
    return this.#hash;
  }
}

/** Decoded messages by array: router, ante rules and handler read the same message. */
const decoded = new WeakMap<Uint8Array, EthereumMessage>();

/**
 * Decodes the message; throws SDK error 2 for malformed bytes. The registered text appears twice, because the SDK's
 * decoder wraps its own error again.
 */
export function readEthereumMessage(value: Uint8Array): EthereumMessage {
  const known = decoded.get(value);
  if (known !== undefined) return known;
  const { from, raw } = decodeFields(value);
  if (raw.length === 0) throw invalidRequest('raw transaction is required');
  const result = decodeTransaction(raw);
  if (!result.ok) throw new SdkError(sdkErrors.txDecode, `${result.message}: ${sdkErrors.txDecode.text}`);
  if (from.length === 0) throw invalidRequest('sender address is missing');
  const message = new EthereumMessage(from, raw, result.transaction);
  decoded.set(value, message);
  return message;
}

function decodeFields(value: Uint8Array): { readonly from: Uint8Array; readonly raw: Uint8Array } {
  const located = readWrappedMessage(value);
  if (located !== undefined) return located;
  try {
    return fromBinary(MsgEthereumTxSchema, value);
  } catch {
    throw new SdkError(sdkErrors.txDecode, `cannot decode cosmos.evm.vm.v1.MsgEthereumTx: ${sdkErrors.txDecode.text}`);
  }
}

/** Fee stated in the wrapping transaction: gas limit times fee cap. The fee charged later may be lower. */
export function statedFee(transaction: EthereumTransaction): bigint {
  return transaction.gasLimit * feeCapOf(transaction);
}

/**
 * Wraps an Ethereum transaction into a Cosmos transaction, with the same bytes as evmd; `from` has 20 bytes. Caches
 * the decoded form for this process. Throws SDK error 2 for a fee of more than 256 bits.
 */
export function wrapEthereumTransaction(
  raw: Uint8Array,
  transaction: EthereumTransaction,
  from: Uint8Array,
  denom: string,
): Uint8Array {
  const tx = writeWrapper({ from, raw, denom, fee: statedFee(transaction), gasLimit: transaction.gasLimit });
  const wrapping = decodeTx(tx);
  rememberDecoded(tx, wrapping);
  for (const { value } of wrapping.body.messages) decoded.set(value, new EthereumMessage(from, raw, transaction));
  return tx;
}

/** True for a transaction whose first extension option selects the Ethereum ante handler. */
export function isEthereum({ body }: { readonly body: TxBody }): boolean {
  const url = body.extensionOptions[0]?.typeUrl;
  return url === EXTENSION_URL || url === '/ethermint.evm.v1.ExtensionOptionsEthereumTx';
}
