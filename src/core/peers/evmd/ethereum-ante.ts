/**
 * Ante rules of Ethereum transactions in cosmos/evm v0.6: first those of the message (`x/vm/types/msg.go`
 * ValidateBasic), then those of the transaction (go-ethereum v1.16.2 `core/txpool/validation.go`), then those that
 * read state (`ante/evm/mono_decorator.go`).
 */
import { hex } from '../../bytes/hex.js';
import { floorShortage, intrinsicShortage, MAX_INITCODE_SIZE, type GasShortage } from '../../ethereum/gas-rules.js';
import { feeCapOf, recoverSender, tipCapOf } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { isUnsignedBy } from '../../ethereum/unsigned.js';
import { checksumAddress } from '../../keys/address.js';
import { takeFee } from '../../modules/evm/ante/ante.js';
import { ethereumAnte as ethereumAnteRules } from '../../modules/evm/ante/chain.js';
import {
  requireAccess,
  requireAdmittedPrice,
  requireFeeCap,
  requireMinimumPrice,
  requireNoCode,
  wrongSender,
} from '../../modules/evm/ante/rules.js';
import { pendingRules } from '../../modules/evm/ante/pending.js';
import { onlyMessage, requireSignedPartsOnly, requireStatedFee } from '../../modules/evm/ante/wrapping.js';
import { ensureAccountOf } from '../../modules/evm/accounts.js';
import type { EthereumMessage } from '../../modules/evm/ethereum-message.js';
import { countGasWanted } from '../../modules/feemarket/base-fee.js';
import { getBaseFee } from '../../modules/feemarket/params.js';
import type { Context } from '../../sdk/module/context.js';
import { plainError, RecoveredPanic } from '../../sdk/module/sdk-error.js';
import { beforeMeter, ETHEREUM_READS, recovering } from './ante.js';

const ADDRESS_BYTES = 20;
/** Gas for deleting the transient record of used gas (`ante/evm/01_setup_ctx.go`). */
const RESET_GAS = 100n;

const shape = beforeMeter(ETHEREUM_READS, requireSignedPartsOnly);

export const ethereumAnte = ethereumAnteRules.with({
  validate: ({ transaction }) => {
    if (feeCapOf(transaction) < tipCapOf(transaction))
      throw plainError('max priority fee per gas higher than max fee per gas');
    refuseShortage(transaction, intrinsicShortage(transaction, transaction.gasLimit));
    if (transaction.type === 4 && transaction.authorizations.length === 0)
      throw plainError('set code tx must have at least one authorization tuple');
  },
  // These rules run with a new meter without a limit.
  run: recovering(
    ETHEREUM_READS,
    beforeMeter([], (context, tx, verified) => {
      shape(context, tx, verified);
      const message = onlyMessage(tx);
      const { transaction, from } = message;
      requireValid(context, message, verified);
      const baseFee = getBaseFee(context);
      requireAdmittedPrice(context, transaction);
      requireMinimumPrice(context, transaction, baseFee);
      requireAccess(context, transaction);
      if (!verified || isUnsignedBy(transaction, from)) requireSender(context, message);
      const account = ensureAccountOf(context, from);
      requireNoCode(context, from, transaction);
      takeFee(context, tx, message, account, baseFee);
      requireStatedFee(context, tx, transaction);
      countGasWanted(context, tx);
    }),
  ),
});

/** A pending transaction's value is not counted as spent, and its fee cap must cover each block's base fee. */
export const waiting = pendingRules.with({ spent: (_, fee) => fee, requirePrice: requireFeeCap });

function requireValid(context: Context, { transaction }: EthereumMessage, verified: boolean): void {
  const { data, to, gasLimit } = transaction;
  if (to === undefined && data.length > MAX_INITCODE_SIZE)
    throw plainError(`max initcode size exceeded: code size ${data.length}, limit ${MAX_INITCODE_SIZE}`);
  if (!verified) signerOf(context, transaction);
  refuseShortage(transaction, floorShortage(data, gasLimit));
}

function refuseShortage({ gasLimit }: EthereumTransaction, shortage: GasShortage | undefined): void {
  if (shortage !== undefined) throw plainError(`${shortage.text}: gas ${gasLimit}, minimum needed ${shortage.needed}`);
}

function signerOf(context: Context, transaction: EthereumTransaction): Uint8Array {
  const recovered = recoverSender(context.crypto, transaction, context.chain.evmChainId);
  if (!recovered.ok) throw plainError(recovered.message);
  return recovered.sender;
}

/**
 * Requires a valid sender. The message's sender may have any length and is copied into the text of an address with
 * room for 20 bytes (`x/vm/types/msg.go` VerifySender, `utils.go` HexAddress).
 */
function requireSender(context: Context, { transaction, from }: EthereumMessage): void {
  const signer = signerOf(context, transaction);
  if (hex(signer) === hex(from)) return;
  const room = 2 * ADDRESS_BYTES;
  if (from.length > ADDRESS_BYTES)
    throw new RecoveredPanic(`runtime error: index out of range [${room}] with length ${room}`, RESET_GAS);
  throw wrongSender(checksumAddress(context.crypto, signer), hex(from).padEnd(room, '\0'));
}
