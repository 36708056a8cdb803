import { checkTransaction, costOf, insufficientFunds, nonceTooLow } from '../../core/ethereum/check-transaction.js';
import { rememberContent } from '../../core/ethereum/content.js';
import { decodeTransaction, encodeTransaction } from '../../core/ethereum/transaction-codec.js';
import { feeCapOf } from '../../core/ethereum/transaction-sender.js';
import type { EthereumTransaction } from '../../core/ethereum/transaction.js';
import { unsignedBy, type UnsignedTransaction } from '../../core/ethereum/unsigned.js';
import type { Limits } from '../../core/limits/limits.js';
import type { Mempool } from '../../actors/mempool/mempool.js';
import type { DomainError, Outcome } from '../../core/errors.js';
import { isEncodableFee } from '../../core/ethereum/wrapper-codec.js';
import type { EvmAccount } from '../../core/evm/state.js';
import { statedFee, wrapEthereumTransaction } from '../../core/modules/evm/ethereum-message.js';
import type { Crypto } from '../../core/ports/crypto.js';
import type { SenderRecovery } from '../../runtime/recovery/sender-recovery.js';

export interface SendOptions {
  readonly crypto: Crypto;
  readonly senders: Pick<SenderRecovery, 'recover'>;
  readonly baseDenom: string;
  readonly limits: Pick<Limits, 'txBytes'>;
  readonly mempool: Pick<Mempool, 'broadcast'>;
  /** True for the hash of a mined transaction. */
  readonly isMined: (hash: Uint8Array) => boolean;
  /** Nonce and spendable balance (wei) at the head. */
  readonly accountOf: (address: Uint8Array) => Pick<EvmAccount, 'balance' | 'nonce'>;
  /** True if an account's nonce was lowered (dev mode), so that a mined transaction may be valid again. */
  readonly mayRepeat: () => boolean;
  /** Resolves when no revert is running. */
  readonly revertEnded: () => Promise<void>;
  /** Admits transactions without a chain id (geth's `--rpc.allow-unprotected-txs`); in dev mode only. */
  readonly allowUnprotected: boolean;
  /** Highest fee in wei of a sent transaction (geth's `--rpc.txfeecap`); 0 means no limit. */
  readonly txFeeCap: bigint;
}

/**
 * Submits Ethereum transactions to the pool, with geth's error texts. Both functions resolve with the Ethereum hash.
 */
export interface EthereumSends {
  /**
   * `eth_sendRawTransaction`: wraps the signed bytes into a consensus transaction. `signer`: the account for which
   * this node has just signed them; then the pool gets them synchronously.
   */
  readonly raw: (raw: Uint8Array, signer?: Uint8Array) => Promise<Outcome<Uint8Array>>;
  /** Sends an unsigned transaction of an impersonated sender (dev mode). */
  readonly unsigned: (transaction: UnsignedTransaction, sender: Uint8Array) => Promise<Outcome<Uint8Array>>;
}

/** Creates the send functions of a node. */
export function createSends({
  crypto,
  senders,
  baseDenom,
  limits,
  mempool,
  isMined,
  accountOf,
  mayRepeat,
  revertEnded,
  allowUnprotected,
  txFeeCap,
}: SendOptions): EthereumSends {
  const failed = (error: DomainError): Outcome<Uint8Array> => ({ ok: false, error });
  const refused = (message: string): Outcome<Uint8Array> => failed({ code: 'tx-refused', message });
  const admit = async (
    raw: Uint8Array,
    transaction: EthereumTransaction,
    from: Uint8Array,
  ): Promise<Outcome<Uint8Array>> => {
    if (!isEncodableFee(statedFee(transaction))) return refused(unstatable(transaction, accountOf(from)));
    // Decoding accepts only one encoding, so these are the signed bytes.
    const hash = crypto.keccak256(raw);
    const isKnown = (): boolean => mayRepeat() && isMined(hash);
    if (isKnown()) {
      // A running revert may remove its block.
      await revertEnded();
      if (isKnown()) return failed({ code: 'tx-in-cache' });
    }
    const tx = wrapEthereumTransaction(raw, transaction, from, baseDenom);
    rememberContent(tx, { hash, raw, from, transaction });
    const sent = await mempool.broadcast(tx, 'sender');
    if (sent.ok && sent.value.code === 0) return { ok: true, value: hash };
    // A mined transaction has used its nonce and is not admitted again, so an admitted one need not be looked up in
    // the index.
    if (isMined(hash)) return failed({ code: 'tx-in-cache' });
    return sent.ok ? refused(sent.value.log) : sent;
  };
  const sendRaw = async (raw: Uint8Array, signer?: Uint8Array): Promise<Outcome<Uint8Array>> => {
    // The pool also checks the size, but only after decoding the whole wrapper.
    if (raw.length > limits.txBytes)
      return failed({ code: 'tx-too-large', bytes: raw.length, maximum: limits.txBytes });
    const decoded = decodeTransaction(raw);
    if (!decoded.ok) return refused(decoded.message);
    const dear = feeAboveCap(decoded.transaction, txFeeCap);
    if (dear !== undefined) return refused(dear);
    // geth's `--rpc.allow-unprotected-txs=false`.
    if (decoded.transaction.chainId === undefined && !allowUnprotected)
      return refused('only replay-protected (EIP-155) transactions allowed over RPC');
    if (signer !== undefined) return admit(raw, decoded.transaction, signer);
    const recovered = senders.recover(decoded.transaction);
    const sender = recovered instanceof Promise ? await recovered : recovered;
    if (!sender.ok) return refused(sender.message);
    return admit(raw, decoded.transaction, sender.sender);
  };
  return {
    raw: sendRaw,
    unsigned: (transaction, sender) => {
      const made = unsignedBy(transaction, sender);
      const dear = feeAboveCap(made, txFeeCap);
      if (dear !== undefined) return Promise.resolve(refused(dear));
      return admit(encodeTransaction(made), made, sender);
    },
  };
}

/** geth's text for a fee above the cap, both in whole coins (v1.17 `checkTxFee` in `internal/ethapi/api.go`). */
function feeAboveCap(transaction: EthereumTransaction, cap: bigint): string | undefined {
  const fee = transaction.gasLimit * feeCapOf(transaction);
  if (cap === 0n || fee <= cap) return undefined;
  const coins = (wei: bigint): string => `${(Number(wei) / 1e18).toFixed(2)} ether`;
  return `tx fee (${coins(fee)}) exceeds the configured cap (${coins(cap)})`;
}

/**
 * geth's error for a fee that does not fit into the wrapper, after the rules that geth checks earlier. No account can
 * pay it.
 */
function unstatable(
  transaction: EthereumTransaction,
  { nonce, balance }: Pick<EvmAccount, 'balance' | 'nonce'>,
): string {
  const broken = checkTransaction(transaction);
  if (broken !== undefined) return broken;
  return transaction.nonce < nonce
    ? nonceTooLow(nonce, transaction.nonce)
    : insufficientFunds(balance, costOf(transaction));
}
