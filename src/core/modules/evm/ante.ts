/**
 * The ante rules of Ethereum transactions: evmd's mono decorator in its order (application-modules.md 3.6). With geth's
 * rules (chronicle) the nonce is compared before the balance, as geth's pool does, and more is refused: decision 0009 has the list.
 */
import { hex } from '../../bytes/bytes.js';
import { abciEvent } from '../../sdk/abci-event.js';
import { MAX_GAS } from '../../app/ante/basic.js';
import { FEE_COLLECTOR } from '../../app/ante/fee.js';
import { ensureAccountOf } from './accounts.js';
import { formatCoins, coin } from '../../sdk/coins.js';
import type { Context } from '../../sdk/context.js';
import { SdkError, sdkErrors, plainError } from '../../sdk/sdk-error.js';
import type { Tx } from '../../sdk/tx.js';
import {
  checkTransaction,
  costOf,
  feeBelowBaseFee,
  insufficientFunds,
  nonceTooHigh,
  nonceTooLow,
} from '../../ethereum/check-transaction.js';
import { checksumAddress } from '../../keys/address.js';
import { effectiveGasPrice, feeCapOf, recoverSender } from '../../ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../ethereum/transaction.js';
import { AccessType } from '../../proto/cosmos/evm/vm/v1/evm_pb.js';
import {
  ensureModuleAccount,
  getAccount,
  replaceAccount,
  setAccount,
  withBase,
  type Account,
} from '../auth/accounts.js';
import { getBalance, setBalance } from '../bank/balances.js';
import { blockGasLimit, countGasWanted } from '../feemarket/base-fee.js';
import { getBaseFee, getParams as getFeeMarketParams } from '../feemarket/params.js';
import { DEC_ONE } from '../../sdk/dec.js';
import { moveCoins } from './coins.js';
import { MESSAGE_URL, readEthereumMessage, statedFee, type EthereumMessage } from './ethereum-message.js';
import { brokenRule, hasRulesOfGeth, refusal } from './refusals.js';
import { evmDenom, getCode, getCodeHash, getParams, isEmptyCodeHash } from './store.js';

const DELEGATION_PREFIX = [0xef, 0x01, 0x00] as const;

/** Checks the transaction, takes its fee and its nonce. `verified`: its signature was checked before. `context.store` is unmetered. */
export function runEthereumAnte(context: Context, tx: Tx, verified: boolean): void {
  const asGeth = hasRulesOfGeth(context);
  requireShape(tx);
  const message = onlyMessage(tx);
  if (asGeth) requireNothingMore(tx, message);
  const { transaction, from } = message;
  const broken = checkTransaction(transaction, asGeth ? blockGasLimit(context) : undefined);
  if (broken !== undefined) throw brokenRule(context, broken);
  const baseFee = getBaseFee(context);
  requireAdmittedPrice(context, transaction);
  requireMinimumPrice(context, transaction, baseFee);
  requireAccess(context, transaction);
  if (!verified) requireSender(context, message);

  const account = ensureAccountOf(context, from);
  const { sequence } = account.base;
  requireNoCode(context, from);
  if (asGeth) requireNonce(context, sequence, transaction);
  const balance = getBalance(context, from, evmDenom(context));
  requireFunds(context, balance, transaction);
  requireFeeCap(context, transaction, baseFee);
  const fee = feeOf(transaction, baseFee);
  if (context.mode === 'check') {
    requireNonce(context, sequence, transaction);
    keepSpent(context, from, account, {
      balance: balance - spentOf(context, transaction, baseFee),
      sequence: sequence + 1n,
    });
  } else {
    payFee(context, from, fee);
    requireNonce(context, sequence, transaction);
    setAccount(context, from, withBase(account, { sequence: sequence + 1n }));
  }

  requireBlockGas(context, tx.authInfo.fee?.gasLimit ?? 0n);
  if (context.mode !== 'check') {
    context.events.push(
      abciEvent('ethereum_tx', [
        ['ethereumTxHash', `0x${hex(context.crypto.keccak256(message.raw))}`],
        ['txIndex', context.block.tally.ethereumTransactions.toString()],
      ]),
    );
  }
  requireStatedFee(context, tx, transaction);
  countGasWanted(context, transaction.gasLimit);
}

/**
 * Which transactions of one sender, in order of their nonces, pass again after a block, and what those that do leave to the
 * next check. All passed `runEthereumAnte` before: here are the rules that a block can turn against them, over one reading
 * of the account, so that many that wait cost little.
 */
export function recheckEthereumAnte(
  context: Context,
  from: Uint8Array,
  transactions: readonly EthereumTransaction[],
): readonly boolean[] {
  const baseFee = getBaseFee(context);
  let sequence = getAccount(context, from)?.base.sequence ?? 0n;
  let balance = getBalance(context, from, evmDenom(context));
  const passes = (transaction: EthereumTransaction): boolean => {
    try {
      requireMinimumPrice(context, transaction, baseFee);
      requireAccess(context, transaction);
      requireNoCode(context, from);
      requireNonce(context, sequence, transaction);
      requireFunds(context, balance, transaction);
      requireFeeCap(context, transaction, baseFee);
      requireBlockGas(context, transaction.gasLimit);
      return true;
    } catch (error) {
      if (error instanceof SdkError) return false;
      throw error;
    }
  };
  const passed = transactions.map((transaction) => {
    if (!passes(transaction)) return false;
    balance -= spentOf(context, transaction, baseFee);
    sequence += 1n;
    return true;
  });
  if (passed.includes(true)) keepSpent(context, from, ensureAccountOf(context, from), { balance, sequence });
  return passed;
}

/** Gives back to its sender what the check of a transaction took, for the check of one that takes its place. */
export function forgetSpent(context: Context, from: Uint8Array, transaction: EthereumTransaction): void {
  const denom = evmDenom(context);
  setBalance(
    context,
    from,
    denom,
    getBalance(context, from, denom) + spentOf(context, transaction, getBaseFee(context)),
  );
}

/**
 * What a transaction that waits takes from the one behind it. Its value counts, as in geth's pool: else one transfer of
 * everything let a sender fill a block with others that fail there and pay nothing. evmd counts its fee alone.
 */
function spentOf(context: Context, transaction: EthereumTransaction, baseFee: bigint): bigint {
  return feeOf(transaction, baseFee) + (hasRulesOfGeth(context) ? transaction.value : 0n);
}

/** What a check leaves of a sender. Who gets the fee, and what events tell of it, is asked of blocks alone. */
function keepSpent(
  context: Context,
  from: Uint8Array,
  account: Account,
  { balance, sequence }: { readonly balance: bigint; readonly sequence: bigint },
): void {
  setBalance(context, from, evmDenom(context), balance);
  replaceAccount(context, from, withBase(account, { sequence }));
}

/** What a wrapping transaction may hold besides the message: nothing that the sender did not sign. */
function requireShape({ body, authInfo, signatures }: Tx): void {
  const refuse = (text: string): SdkError => new SdkError(sdkErrors.invalidRequest, text);
  const gasLimit = authInfo.fee?.gasLimit ?? 0n;
  if (gasLimit > MAX_GAS) throw refuse(`tx basic validation failed: invalid gas supplied; ${gasLimit} > ${MAX_GAS}`);
  if (body.memo !== '' || body.timeoutHeight !== 0n || body.nonCriticalExtensionOptions.length > 0 || body.unordered) {
    throw refuse('for eth tx body Memo TimeoutHeight NonCriticalExtensionOptions should be empty');
  }
  if (body.extensionOptions.length !== 1) throw refuse('for eth tx length of ExtensionOptions should be 1');
  if (authInfo.signerInfos.length > 0) throw refuse('for eth tx AuthInfo SignerInfos should be empty');
  if (authInfo.fee === undefined) throw refuse('missing fee');
  if (authInfo.fee.payer !== '' || authInfo.fee.granter !== '')
    throw refuse('for eth tx AuthInfo Fee payer and granter should be empty');
  if (signatures.length > 0) throw refuse('for eth tx Signatures should be empty');
}

/** More than type names, sender and the highest fee in the longest denom take. */
const MAX_WRAPPING = 1_024;

/** cosmos/evm lets these pass: room for a megabyte that nobody signs or pays for. */
function requireNothingMore({ body, authInfo, size }: Tx, { raw }: EthereumMessage): void {
  const refuse = (text: string): SdkError => new SdkError(sdkErrors.invalidRequest, text);
  if (body.timeoutTimestamp !== undefined || authInfo.tip !== undefined)
    throw refuse('for eth tx body TimeoutTimestamp and AuthInfo Tip should be empty');
  // a field that another of its number overwrites is room, too
  if (size - raw.length > MAX_WRAPPING)
    throw refuse(`the wrapping of an Ethereum transaction has at most ${MAX_WRAPPING} bytes`);
}

function onlyMessage({ handlers }: Tx): EthereumMessage {
  const [first] = handlers;
  if (handlers.length !== 1 || first === undefined)
    throw new SdkError(sdkErrors.invalidRequest, `expected 1 message, got ${handlers.length}`);
  if (first.handler.typeUrl !== MESSAGE_URL)
    throw new SdkError(
      sdkErrors.unknownRequest,
      `invalid message type ${first.handler.typeUrl}, expected ${MESSAGE_URL}`,
    );
  return readEthereumMessage(first.value);
}

/** Mempool admission only: what is offered reaches the lowest price of this node, as of Cosmos transactions (application-modules.md 3.9). */
function requireAdmittedPrice(context: Context, transaction: EthereumTransaction): void {
  const { minGasPrice } = context.chain;
  const offered = feeCapOf(transaction);
  if (context.mode !== 'check' || offered >= minGasPrice) return;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    `transaction underpriced: gas price ${offered}, minimum needed ${minGasPrice}`,
    () =>
      new SdkError(
        sdkErrors.insufficientFee,
        `insufficient fee; got: ${statedFee(transaction)} required: ${minGasPrice * transaction.gasLimit}`,
      ),
  );
}

/** The fee market's floor under what is really paid. */
function requireMinimumPrice(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const { minGasPrice } = getFeeMarketParams(context);
  const price =
    transaction.type === 2 || transaction.type === 4 ? effectiveGasPrice(transaction, baseFee) : feeCapOf(transaction);
  const required = minGasPrice * transaction.gasLimit;
  const fee = price * transaction.gasLimit;
  if (fee * DEC_ONE >= required) return;
  const text = `provided fee < minimum global fee (${fee} < ${required / DEC_ONE}). Please increase the priority tip (for EIP-1559 txs) or the gas prices (for access list or legacy txs)`;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    `transaction underpriced: ${text}`,
    () => new SdkError(sdkErrors.insufficientFee, text),
  );
}

function requireAccess(context: Context, { to }: EthereumTransaction): void {
  const control = getParams(context).accessControl;
  if (to === undefined && control?.create?.accessType === AccessType.RESTRICTED) {
    throw new SdkError(
      { codespace: 'evm', code: 5, text: 'EVM create operation is disabled' },
      'failed to create new contract',
    );
  }
  if (to !== undefined && control?.call?.accessType === AccessType.RESTRICTED) {
    throw new SdkError(
      { codespace: 'evm', code: 6, text: 'EVM Call operation is disabled' },
      'failed to perform a call',
    );
  }
}

/** Signed for this chain, by whom the message names. */
function requireSender(context: Context, { transaction, from }: EthereumMessage): void {
  // cosmos/evm v0.6 has this rule on its Ethereum face alone
  if (transaction.chainId === undefined && hasRulesOfGeth(context)) {
    throw new SdkError(sdkErrors.invalidSigner, 'only replay-protected (EIP-155) transactions allowed');
  }
  const recovered = recoverSender(context.crypto, transaction, context.chain.evmChainId);
  if (!recovered.ok) throw brokenRule(context, recovered.message);
  if (hex(recovered.sender) === hex(from)) return;
  throw new SdkError(
    sdkErrors.invalidSigner,
    `signature verification failed: sender verification failed. got ${checksumAddress(context.crypto, recovered.sender)}, expected 0x${hex(from)}`,
  );
}

/** Contracts send nothing; an account that delegates (EIP-7702) is not a contract. */
function requireNoCode(context: Context, from: Uint8Array): void {
  const hash = getCodeHash(context, from);
  if (isEmptyCodeHash(hash)) return;
  const code = getCode(context, hash) ?? new Uint8Array(0);
  if (code.length === 0 || (code.length === 23 && DELEGATION_PREFIX.every((byte, index) => code[index] === byte)))
    return;
  const address = checksumAddress(context.crypto, from);
  throw refusal(
    context,
    sdkErrors.invalidType,
    `sender not an eoa: address ${address}, len(code): ${code.length}`,
    () => new SdkError(sdkErrors.invalidType, `the sender is not EOA: address ${address}`),
  );
}

function requireFunds(context: Context, balance: bigint, transaction: EthereumTransaction): void {
  const cost = costOf(transaction);
  if (balance >= cost) return;
  throw refusal(
    context,
    sdkErrors.insufficientFunds,
    insufficientFunds(balance, cost),
    () =>
      new SdkError(
        sdkErrors.insufficientFunds,
        `failed to check sender balance: sender balance < tx cost (${balance} < ${cost})`,
      ),
  );
}

function requireFeeCap(context: Context, transaction: EthereumTransaction, baseFee: bigint): void {
  const feeCap = feeCapOf(transaction);
  if (feeCap >= baseFee) return;
  throw refusal(
    context,
    sdkErrors.insufficientFee,
    feeBelowBaseFee(feeCap, baseFee),
    () => new SdkError(sdkErrors.insufficientFee, `max fee per gas less than block base fee (${feeCap} < ${baseFee})`),
  );
}

/** The whole gas limit is paid in advance at the effective price; the rest comes back after the execution. */
function feeOf(transaction: EthereumTransaction, baseFee: bigint): bigint {
  return effectiveGasPrice(transaction, baseFee) * transaction.gasLimit;
}

function payFee(context: Context, from: Uint8Array, fee: bigint): void {
  moveCoins(context, from, ensureModuleAccount(context, FEE_COLLECTOR), fee);
  context.events.push(abciEvent('tx', [['fee', fee === 0n ? '' : formatCoins([coin(evmDenom(context), fee)])]]));
}

function requireNonce(context: Context, next: bigint, { nonce }: EthereumTransaction): void {
  if (nonce > next) {
    throw refusal(context, sdkErrors.wrongSequence, nonceTooHigh(next, nonce), () =>
      plainError(`tx nonce: ${nonce}, account accountNonce: ${next}: tx nonce is higher than account nonce`),
    );
  }
  if (nonce < next) {
    throw refusal(context, sdkErrors.wrongSequence, nonceTooLow(next, nonce), () =>
      plainError(`invalid nonce; got ${nonce}, expected ${next}: tx nonce is lower than account nonce`),
    );
  }
}

function requireBlockGas(context: Context, wanted: bigint): void {
  const limit = blockGasLimit(context);
  if (wanted <= limit) return;
  throw refusal(
    context,
    sdkErrors.outOfGas,
    'exceeds block gas limit',
    () => new SdkError(sdkErrors.outOfGas, `tx gas (${wanted}) exceeds block gas limit (${limit})`),
  );
}

/** Fee and gas limit of the wrapping transaction are those of the Ethereum one. */
function requireStatedFee(context: Context, { authInfo }: Tx, transaction: EthereumTransaction): void {
  const amount = authInfo.fee?.amount ?? [];
  const stated = statedFee(transaction);
  const denom = evmDenom(context);
  const given = amount.find((one) => one.denom === denom)?.amount ?? '0';
  if (given !== stated.toString() || amount.length > 1) {
    throw new SdkError(sdkErrors.invalidRequest, `invalid AuthInfo Fee Amount (${formatCoins(amount)} != ${stated})`);
  }
  if (authInfo.fee?.gasLimit !== transaction.gasLimit) {
    throw new SdkError(
      sdkErrors.invalidRequest,
      `invalid AuthInfo Fee GasLimit (${authInfo.fee?.gasLimit ?? 0n} != ${transaction.gasLimit})`,
    );
  }
}
