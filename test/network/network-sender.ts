/** An account that sends one transaction after another through its node, whose processes are killed at times. */
import { asObject } from '../../src/core/text/json-object.js';
import { signedEither, type Signed } from '../e2e/load.js';
import { until } from './cometbft.js';
import type { Validator } from './validators.js';

/**
 * Error code, without a message, of a transaction that is already in the mempool (cosmos-sdk v0.53
 * `types/errors/errors.go`).
 */
const TX_IN_MEMPOOL_CACHE = 19;

/** A transaction of the chain, as the faces of a node show it. */
export interface Included {
  readonly height: number;
  readonly isSuccess: boolean;
}

/** Alternates both kinds of transactions. The next one is sent when the node shows the previous one in a block. */
export class NetworkSender {
  readonly #account: number;
  readonly #node: Validator;
  readonly #acknowledged: Signed[] = [];

  constructor(account: number, node: Validator) {
    this.#account = account;
    this.#node = node;
  }

  /** Transactions that the node accepted, in order. */
  get acknowledged(): readonly Signed[] {
    return this.#acknowledged;
  }

  /** Sends until it is stopped, and then waits for the last transaction. */
  async run(isOver: () => boolean): Promise<void> {
    for (let sequence = 0n; !isOver(); sequence += 1n) {
      const next = signedEither(this.#account, sequence);
      const { refusal } = await until(() => answerTo(this.#node, next));
      if (refusal !== undefined) throw new Error(`account ${this.#account}, sequence ${sequence}: ${refusal}`);
      this.#acknowledged.push(next);
      await until(() => included(this.#node, next));
    }
  }
}

/**
 * Answer of the node to a transaction; undefined if the node died first. Without an answer the transaction is sent
 * again; it may then already be pending or in a block.
 */
async function answerTo(
  node: Validator,
  { tx, ethereum }: Signed,
): Promise<{ readonly refusal: string | undefined } | undefined> {
  try {
    if (ethereum !== undefined) await node.ask('eth_sendRawTransaction', ethereum.raw);
    else await sendOverRest(node, tx);
    return { refusal: undefined };
  } catch (error) {
    // The error of fetch when the node's process is gone.
    if (error instanceof TypeError) return undefined;
    const isKnown = /already|nonce too low|account sequence mismatch/.test(String(error));
    return { refusal: isKnown ? undefined : String(error) };
  }
}

async function sendOverRest({ endpoints }: Validator, tx: string): Promise<void> {
  const response = await fetch(`${endpoints.rest}/cosmos/tx/v1beta1/txs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tx_bytes: tx, mode: 'BROADCAST_MODE_SYNC' }),
  });
  const text = await response.text();
  const { tx_response: answer } = asObject(JSON.parse(text)) ?? {};
  const code = asObject(answer)?.['code'];
  if (code === TX_IN_MEMPOOL_CACHE) throw new Error(`already in the mempool: ${text}`);
  if (code !== 0) throw new Error(text);
}

/** Block of the transaction; undefined while the node shows none. */
export async function included(node: Validator, { hash, ethereum }: Signed): Promise<Included | undefined> {
  if (ethereum !== undefined) {
    const receipt = await node.ask<{ readonly status: string; readonly blockNumber: string } | null>(
      'eth_getTransactionReceipt',
      ethereum.hash,
    );
    return receipt === null ? undefined : { height: Number(receipt.blockNumber), isSuccess: receipt.status === '0x1' };
  }
  const response = await fetch(`${node.endpoints.rest}/cosmos/tx/v1beta1/txs/${hash}`);
  if (!response.ok) return undefined;
  const { tx_response: found } = asObject(await response.json()) ?? {};
  const { height, code } = asObject(found) ?? {};
  return { height: Number(height), isSuccess: code === 0 };
}
