/** `MsgEthereumTx`: an Ethereum transaction as a Cosmos message, and the transaction that wraps it (application-modules.md 3.6). */
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { coin } from '../../app/coins.js';
import { rememberDecoded } from '../../app/decode-tx.js';
import { SdkError, sdkErrors } from '../../app/sdk-error.js';
import { decodeTransaction } from '../../ethereum/transaction-codec.js';
import { feeCapOf } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { MsgEthereumTxSchema } from '../../proto/cosmos/evm/vm/v1/tx_pb.js';
import { AuthInfoSchema, FeeSchema, TxBodySchema, TxRawSchema, type TxBody } from '../../proto/cosmos/tx/v1beta1/tx_pb.js';

export const MESSAGE_URL = '/cosmos.evm.vm.v1.MsgEthereumTx';
const EXTENSION_URL = '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx';

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
  if (from.length !== 20) throw new SdkError(sdkErrors.invalidAddress, 'the sender of an Ethereum transaction has 20 bytes');
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
export function wrapEthereumTransaction(raw: Uint8Array, transaction: EthereumTransaction, from: Uint8Array, denom: string): Uint8Array {
  const fee = statedFee(transaction);
  const message = toBinary(MsgEthereumTxSchema, create(MsgEthereumTxSchema, { from, raw }));
  const body = create(TxBodySchema, {
    messages: [create(AnySchema, { typeUrl: MESSAGE_URL, value: message })],
    extensionOptions: [create(AnySchema, { typeUrl: EXTENSION_URL, value: new Uint8Array(0) })],
  });
  const authInfo = create(AuthInfoSchema, { fee: create(FeeSchema, { amount: fee === 0n ? [] : [coin(denom, fee)], gasLimit: transaction.gasLimit }) });
  const [bodyBytes, authInfoBytes] = [toBinary(TxBodySchema, body), toBinary(AuthInfoSchema, authInfo)];
  const tx = toBinary(TxRawSchema, create(TxRawSchema, { bodyBytes, authInfoBytes, signatures: [] }));
  decoded.set(message, { from, raw, transaction });
  rememberDecoded(tx, { body, authInfo, bodyBytes, authInfoBytes, signatures: [], size: tx.length, unknownFields: false });
  return tx;
}

/** True for a transaction that asks for the ante rules of Ethereum by its first extension option. */
export function isEthereum({ body }: { readonly body: TxBody }): boolean {
  const url = body.extensionOptions[0]?.typeUrl;
  return url === EXTENSION_URL || url === '/ethermint.evm.v1.ExtensionOptionsEthereumTx';
}
