import { rpcErrorOf } from '../../adapters/eth-rpc/errors.js';
import { rememberContent } from '../../core/ethereum/content.js';
import { decodeTransaction } from '../../core/ethereum/transaction-codec.js';
import { recoverSender } from '../../core/ethereum/transaction-sender.js';
import type { Limits } from '../../core/limits.js';
import type { MempoolActor } from '../../actors/mempool/mempool.js';
import type { SendResult } from '../../core/ethereum/api.js';
import { wrapEthereumTransaction } from '../../core/modules/evm/ethereum-message.js';
import type { Crypto } from '../../core/ports/crypto.js';

export interface SendOptions {
  readonly crypto: Crypto;
  readonly evmChainId: bigint;
  readonly baseDenom: string;
  readonly limits: Pick<Limits, 'txBytes'>;
  readonly mempool: Pick<MempoolActor, 'broadcast'>;
  /** True for a hash that a block holds. */
  readonly isMined: (hash: Uint8Array) => boolean;
}

const SERVER_ERROR = -32000;

/** `eth_sendRawTransaction`: wraps the signed bytes into a consensus transaction and admits it; geth's words for refusals. */
export function createSend({
  crypto,
  evmChainId,
  baseDenom,
  limits,
  mempool,
  isMined,
}: SendOptions): (raw: Uint8Array) => Promise<SendResult> {
  const refused = (message: string): SendResult => ({ ok: false, code: SERVER_ERROR, message });
  return async (raw) => {
    // The pool says the same of what wraps it, but only after all of it was read.
    if (raw.length > limits.txBytes)
      return { ok: false, ...rpcErrorOf({ code: 'tx-too-large', bytes: raw.length, maximum: limits.txBytes }) };
    const decoded = decodeTransaction(raw);
    if (!decoded.ok) return refused(decoded.message);
    // geth's `--rpc.allow-unprotected-txs=false`.
    if (decoded.transaction.chainId === undefined)
      return refused('only replay-protected (EIP-155) transactions allowed over RPC');
    const sender = recoverSender(crypto, decoded.transaction, evmChainId);
    if (!sender.ok) return refused(sender.message);
    // Decoding accepts one encoding only: these are the bytes that were signed.
    const hash = crypto.keccak256(raw);
    const tx = wrapEthereumTransaction(raw, decoded.transaction, sender.sender, baseDenom);
    rememberContent(tx, { hash, raw, from: sender.sender, transaction: decoded.transaction });
    const sent = await mempool.broadcast(tx, 'sender');
    if (sent.ok && sent.value.code === 0) return { ok: true, hash };
    // What a block holds used up its nonce and is not admitted again: of what is admitted the index need not be asked.
    if (isMined(hash)) return refused('already known');
    return sent.ok ? refused(sent.value.log) : { ok: false, ...rpcErrorOf(sent.error) };
  };
}
