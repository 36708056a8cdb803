/** Rules for the Cosmos transaction that wraps an Ethereum one. */
import { findByBinarySearch, formatCoins } from '../../../sdk/coins/coins.js';
import type { Context } from '../../../sdk/module/context.js';
import { invalidRequest, SdkError, sdkErrors, wrapped } from '../../../sdk/module/sdk-error.js';
import type { Coin } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import type { Tx } from '../../../sdk/module/tx.js';
import type { EthereumTransaction } from '../../../ethereum/transaction.js';
import { MESSAGE_URL, readEthereumMessage, statedFee, type EthereumMessage } from '../ethereum-message.js';
import { evmDenom } from '../../../sdk/coins/evm-coin.js';
import { validateBasic } from '../../auth/ante/basic.js';
import { CHAIN_LIMITS } from '../../../limits/limits.js';

/**
 * `MsgEthereumTx` is refused in ordinary Cosmos transactions: the wrong signature and fee would be checked (cosmos/evm
 * `ante/cosmos/reject_msgs.go`).
 */
export function rejectEthereumMessages(_context: Context, tx: Tx): void {
  if (!tx.handlers.some(({ handler }) => handler.typeUrl === MESSAGE_URL)) return;
  throw new SdkError(
    sdkErrors.invalidType,
    "MsgEthereumTx needs to be contained within a tx with 'ExtensionOptionsEthereumTx' option",
  );
}

/** Requires that the wrapping transaction contains only the message and parts that the sender signed. */
export function requireSignedPartsOnly(context: Context, tx: Tx): void {
  const { body, authInfo, signatures } = tx;
  if (authInfo.fee !== undefined) requireBasics(context, tx);
  if (body.memo !== '' || body.timeoutHeight !== 0n || body.nonCriticalExtensionOptions.length > 0 || body.unordered) {
    throw invalidRequest('for eth tx body Memo TimeoutHeight NonCriticalExtensionOptions should be empty');
  }
  if (body.extensionOptions.length !== 1) throw invalidRequest('for eth tx length of ExtensionOptions should be 1');
  if (authInfo.signerInfos.length > 0) throw invalidRequest('for eth tx AuthInfo SignerInfos should be empty');
  if (authInfo.fee === undefined) throw invalidRequest('missing fee');
  if (authInfo.fee.payer !== '' || authInfo.fee.granter !== '')
    throw invalidRequest('for eth tx AuthInfo Fee payer and granter should be empty');
  if (signatures.length > 0) throw invalidRequest('for eth tx Signatures should be empty');
}

/** General transaction rules except signatures (cosmos/evm v0.6 `ante/evm/04_validate.go` ValidateTx). */
function requireBasics(context: Context, tx: Tx): void {
  try {
    validateBasic(context, tx);
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    if (error.registered !== sdkErrors.noSignatures) throw wrapped(error, 'tx basic validation failed');
  }
}

/**
 * Rejects extra bytes in the wrapper. cosmos/evm accepts them: up to a megabyte that is neither signed nor paid for.
 */
export function requireNoExtraBytes({ body, authInfo, size }: Tx, { raw }: EthereumMessage): void {
  if (body.timeoutTimestamp !== undefined || authInfo.tip !== undefined)
    throw invalidRequest('for eth tx body TimeoutTimestamp and AuthInfo Tip should be empty');
  // A field that a later one with the same number overwrites counts as extra bytes.
  if (size - raw.length > CHAIN_LIMITS.wrapperBytes)
    throw invalidRequest(`the wrapping of an Ethereum transaction has at most ${CHAIN_LIMITS.wrapperBytes} bytes`);
}

/** The wrapper's only message; throws SDK error 18 for another number of messages, 6 for another type. */
export function onlyMessage({ handlers }: Tx): EthereumMessage {
  const [first] = handlers;
  if (handlers.length !== 1 || first === undefined) throw invalidRequest(`expected 1 message, got ${handlers.length}`);
  if (first.handler.typeUrl !== MESSAGE_URL)
    throw new SdkError(
      sdkErrors.unknownRequest,
      `invalid message type ${first.handler.typeUrl}, expected ${MESSAGE_URL}`,
    );
  return readEthereumMessage(first.value);
}

/** Rejects other coins besides the wrapping transaction's fee. */
export function requireOneFee({ authInfo }: Tx, transaction: EthereumTransaction): void {
  const amount = authInfo.fee?.amount ?? [];
  if (amount.length > 1) throw wrongFee(amount, statedFee(transaction));
}

const wrongFee = (amount: readonly Coin[], stated: bigint): SdkError =>
  invalidRequest(`invalid AuthInfo Fee Amount (${formatCoins(amount)} != ${stated})`);

/**
 * Requires that the wrapper states the Ethereum transaction's fee and gas limit (cosmos/evm v0.6
 * `ante/evm/04_validate.go` CheckTxFee).
 */
export function requireStatedFee(context: Context, { authInfo }: Tx, transaction: EthereumTransaction): void {
  const amount = authInfo.fee?.amount ?? [];
  const stated = statedFee(transaction);
  const given = findByBinarySearch(amount, evmDenom(context))?.amount ?? '0';
  if (given !== stated.toString()) throw wrongFee(amount, stated);
  if (authInfo.fee?.gasLimit !== transaction.gasLimit) {
    throw invalidRequest(`invalid AuthInfo Fee GasLimit (${authInfo.fee?.gasLimit ?? 0n} != ${transaction.gasLimit})`);
  }
}
