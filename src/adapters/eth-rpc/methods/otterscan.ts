/** `ots_*` of Otterscan (https://docs.otterscan.io/api-docs/ots-api), API level 8, and its probe of `erigon_*`. */
import type { EthereumBlock, EthereumBlockTransaction } from '../../../core/ethereum/block-view.js';
import { equal } from '../../../core/bytes/bytes.js';
import { hexData, hexQuantity } from '../../../core/bytes/hex.js';
import { blockJson, headerJson } from '../../../core/ethereum/json/block-json.js';
import { receiptJson, shortReceiptJson } from '../../../core/ethereum/json/receipt-json.js';
import { transactionJson } from '../../../core/ethereum/json/transaction-json.js';
import type { Height } from '../../../core/primitives.js';
import { blocksFrom, firstHeight, minedWithNonce } from '../account-history.js';
import { manyTexts } from '../block-logs.js';
import { invalidParams, rpcErrorOf } from '../errors.js';
import { type Answer, failed, type Method, method, type MethodContext, NULL, ok, quoted } from '../method.js';
import { LATEST, blockNumber, blockRef } from '../params/block-ref.js';
import { address, hash } from '../params/hex.js';
import { looseQuantity } from '../params/numbers.js';
import { withDefault } from '../params/param.js';
import { type Resolved, answerWithDigests, isPruned, keptBlock, resolveState } from '../resolve.js';
import { CALL_FRAMES, creationIn, entriesOf, operationsOf } from '../traces/otterscan.js';
import { textOf, textsOfBlock } from '../traces/run.js';
import * as result from '../results.js';
import * as schema from '../schema.js';
import { byBlock } from './by-block.js';

const API_LEVEL = '8';

const DETAILS = schema.objectOf({
  block: { type: 'object' },
  issuance: { type: 'object' },
  totalFees: schema.QUANTITY,
});
const FOUND = schema.objectOf({
  txs: schema.listOf(result.TRANSACTION),
  receipts: schema.listOf({ type: 'object' }),
  firstPage: schema.BOOLEAN,
  lastPage: schema.BOOLEAN,
});

export const otterscanMethods: readonly Method[] = [
  method(
    'erigon_getHeaderByNumber',
    'Header by number or tag',
    [blockNumber],
    schema.orNull(result.HEADER),
    ([ref], context) => answerWithDigests(context, ref, (block) => ok(headerJson(block))),
  ),
  method('ots_getApiLevel', "Version of Otterscan's interface", [], schema.COUNT, () => ok(API_LEVEL)),
  method(
    'ots_hasCode',
    'Whether an account has code',
    [address, withDefault(blockRef, LATEST)],
    schema.BOOLEAN,
    ([account, ref], { api }) => {
      const height = resolveState(api, ref);
      if (!height.ok) return failed(height.error);
      const code = api.code(account, height.value);
      return code.ok ? ok(String(code.value.length > 0)) : failed(rpcErrorOf(code.error));
    },
  ),
  ...byBlock(
    ['ots_getBlockDetails', 'ots_getBlockDetailsByHash'],
    ['Block with what it paid, by number or tag', 'Block with what it paid, by hash'],
    [],
    schema.orNull(DETAILS),
    ([ref], context) => answerWithDigests(context, ref, details),
  ),
  method(
    'ots_getBlockTransactions',
    'A page of the transactions and receipts of a block',
    [blockNumber, looseQuantity, looseQuantity],
    schema.orNull(schema.objectOf({ fullblock: { type: 'object' }, receipts: schema.listOf({ type: 'object' }) })),
    ([ref, page, size], context) => {
      const maximum = BigInt(context.limits.otsPage);
      if (size > maximum) return failed(invalidParams(`limit otsPage (${maximum}) exceeded`));
      return answerWithDigests(context, ref, (block) => transactionsOfBlock(block, page, size));
    },
  ),
  method(
    'ots_getTransactionError',
    'Output of a transaction that failed; empty for one that succeeded',
    [hash],
    schema.orNull(schema.DATA),
    ([value], { api }) => {
      const found = api.transaction(value);
      return found === undefined ? NULL : quoted(hexData(found.transaction.receipt.failure?.data ?? new Uint8Array(0)));
    },
  ),
  method(
    'ots_getInternalOperations',
    'Transfers and creations inside of a transaction',
    [hash],
    schema.orNull(schema.listOf({ type: 'object' })),
    ([value], context) => frames(value, context, operationsOf),
  ),
  method(
    'ots_traceTransaction',
    'Calls of a transaction in order, with their depths',
    [hash],
    schema.orNull(schema.listOf({ type: 'object' })),
    ([value], context) => frames(value, context, entriesOf),
  ),
  method(
    'ots_getTransactionBySenderAndNonce',
    'Hash of the transaction of a sender with a nonce',
    [address, looseQuantity],
    schema.orNull(schema.HASH),
    ([sender, nonce], { api }) => {
      const found = minedWithNonce(api, sender, nonce);
      if (!found.ok) return failed(found.error);
      return found.value === undefined ? NULL : quoted(hexData(found.value.transaction.hash));
    },
  ),
  method(
    'ots_getContractCreator',
    'Transaction and account that created a contract',
    [address],
    schema.orNull(schema.objectOf({ hash: schema.HASH, creator: schema.ADDRESS })),
    ([account], context) => creatorOf(account, context),
  ),
  ...(['before', 'after'] as const).map((direction) =>
    method(
      direction === 'before' ? 'ots_searchTransactionsBefore' : 'ots_searchTransactionsAfter',
      `Transactions of an account ${direction} a block, newest first`,
      [address, looseQuantity, looseQuantity],
      FOUND,
      ([account, height, size], context) => search(account, height, size, direction, context),
    ),
  ),
];

async function frames(value: Uint8Array, context: MethodContext, show: (json: string) => unknown): Promise<Answer> {
  if (context.api.transaction(value) === undefined) return NULL;
  const traced = await textOf(value, CALL_FRAMES, context);
  return traced.ok ? ok(JSON.stringify(show(traced.value))) : failed(traced.error);
}

/** A block as Otterscan lists it: without transactions and bloom, with their number. */
function listed(block: EthereumBlock): Record<string, unknown> {
  const shown = JSON.parse(blockJson({ ...block, transactions: [] }, false)) as Record<string, unknown>;
  return { ...shown, logsBloom: null, transactionCount: block.transactions.length };
}

/** Nothing is issued to the proposer of a block; the fees are all that was paid for gas. */
function details(block: EthereumBlock): Answer {
  const fees = block.transactions.reduce((sum, { receipt }) => sum + receipt.gasUsed * receipt.effectiveGasPrice, 0n);
  return ok(
    JSON.stringify({
      block: listed(block),
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: hexQuantity(fees),
    }),
  );
}

const SELECTOR_CHARACTERS = 2 + 8;

/** Page 0 has the newest transactions. Inputs are cut to the selector, receipts have neither logs nor bloom. */
function transactionsOfBlock(block: EthereumBlock, page: bigint, size: bigint): Answer {
  const count = BigInt(block.transactions.length);
  const end = count - page * size;
  const start = end - size;
  const shown = block.transactions.slice(Number(start < 0n ? 0n : start), Number(end < 0n ? 0n : end));
  const transactions = shown.map((one) => {
    const whole = JSON.parse(transactionJson(one, block)) as Record<string, unknown>;
    return { ...whole, input: String(whole['input']).slice(0, SELECTOR_CHARACTERS) };
  });
  const receipts = shown.map((one) => withTimestamp(shortReceiptJson(one, block), block)).join(',');
  return ok(`{"fullblock":${JSON.stringify({ ...listed(block), transactions })},"receipts":[${receipts}]}`);
}

/** Adds the time of the block to the JSON text of a receipt. */
function withTimestamp(receipt: string, { timestamp }: EthereumBlock): string {
  return `${receipt.slice(0, -1)},"timestamp":${timestamp}}`;
}

/** The block after which an account has code; undefined for an account without code. */
function creationHeight(account: Uint8Array, api: MethodContext['api']): Resolved<Height | undefined> {
  return firstHeight(api, (at) => {
    const code = api.code(account, at);
    return code.ok ? { ok: true, value: code.value.length > 0 } : code;
  });
}

/** The transaction and the account that created a contract; null for accounts of the genesis and without code. */
async function creatorOf(account: Uint8Array, context: MethodContext): Promise<Answer> {
  const { api } = context;
  const height = creationHeight(account, api);
  if (!height.ok) return failed(height.error);
  if (height.value === undefined) return NULL;
  const kept = keptBlock(api, height.value);
  if (!kept.ok) return failed(kept.error);
  const block = kept.value;
  if (block === undefined) return NULL;
  const direct = block.transactions.find(
    ({ receipt }) =>
      receipt.status === 'success' && receipt.contractAddress !== undefined && equal(receipt.contractAddress, account),
  );
  if (direct !== undefined) return ok(`{"hash":"${hexData(direct.hash)}","creator":"${hexData(direct.from)}"}`);
  const texts = await textsOfBlock(block, CALL_FRAMES, context);
  if (!texts.ok) return failed(texts.error);
  for (const [index, { hash: value }] of block.transactions.entries()) {
    const creation = creationIn(texts.value[index] ?? '{}', hexData(account));
    if (creation !== undefined) return ok(`{"hash":"${hexData(value)}","creator":"${creation.from}"}`);
  }
  return NULL;
}

/**
 * Transactions from, to or creating an account, those whose logs it wrote, and those that called, created or paid it in
 * a frame inside of them, newest first. A page ends with the block in which it is full.
 */
async function search(
  account: Uint8Array,
  height: bigint,
  size: bigint,
  direction: 'before' | 'after',
  { api, limits, timers }: MethodContext,
): Promise<Answer> {
  if (size > BigInt(limits.otsPage)) return failed(invalidParams(`limit otsPage (${limits.otsPage}) exceeded`));
  const isDown = direction === 'before';
  // Behind a height, or from the end of the chain on.
  const start = height === 0n ? (isDown ? api.blockNumber() : 0n) : isDown ? height - 1n : height + 1n;
  if (height !== 0n && isPruned(api, start))
    return failed(rpcErrorOf({ code: 'height-pruned', height: start, lowest: api.earliestBlock() }));
  const blocks = withCreation(account, api);
  const heights = blocksFrom(blocks, account, start, direction);
  const matched: Matched[] = [];
  let isOver = false;
  while (!isOver) {
    const found = await heights.next();
    if (found.done === true) isOver = true;
    else if (!found.value.ok) return failed(rpcErrorOf(found.value.error));
    else if (matched.length >= Number(size)) break;
    else for (const match of transactionsOf(account, found.value.value, api)) matched.push(match);
    await timers.yield();
  }
  const opposite = isDown ? 'after' : 'before';
  const other = height === 0n ? undefined : await blocksFrom(blocks, account, height, opposite).next();
  const begins = other === undefined || other.done === true;
  const pages = isDown ? matched : matched.toSorted(newestFirst);
  const [isFirst, isLast] = isDown ? [begins, isOver] : [isOver, begins];
  const txs = pages.map(({ block, transaction }) => transactionJson(transaction, block)).join(',');
  for (const { block, transaction } of pages) await manyTexts([transaction], block, timers);
  const receipts = pages
    .map(({ block, transaction }) => withTimestamp(receiptJson(transaction, block), block))
    .join(',');
  return ok(`{"txs":[${txs}],"receipts":[${receipts}],"firstPage":${isFirst},"lastPage":${isLast}}`);
}

/** The blocks of an account with the one that created it, which no index names; a pruned state does not tell it. */
function withCreation(account: Uint8Array, api: MethodContext['api']): Parameters<typeof blocksFrom>[0] {
  const created = creationHeight(account, api);
  const height = created.ok ? created.value : undefined;
  return {
    earliestBlock: () => api.earliestBlock(),
    blockNumber: () => api.blockNumber(),
    async blocksOf(_, from, to) {
      const found = await api.blocksOf(account, from, to);
      if (!found.ok || height === undefined || height < from || height > to) return found;
      const heights = [...new Set([...found.value, height])];
      return { ok: true, value: heights.toSorted((left, right) => Number(left - right)) };
    },
  };
}

/** The transactions of a block that have to do with an account, newest first. */
function transactionsOf(account: Uint8Array, height: Height, api: MethodContext['api']): readonly Matched[] {
  const block = api.block(height);
  if (block === undefined) return [];
  const touching = new Set(api.touching(account, height).map(hexData));
  return block.transactions
    .filter((transaction) => involves(transaction, account) || touching.has(hexData(transaction.consensusHash)))
    .toReversed()
    .map((transaction) => ({ block, transaction }));
}

interface Matched {
  readonly block: EthereumBlock;
  readonly transaction: EthereumBlockTransaction;
}

function newestFirst(left: Matched, right: Matched): number {
  return Number(right.block.height - left.block.height) || right.transaction.index - left.transaction.index;
}

function involves({ from, transaction, receipt }: EthereumBlockTransaction, account: Uint8Array): boolean {
  return (
    equal(from, account) ||
    (transaction.to !== undefined && equal(transaction.to, account)) ||
    (receipt.contractAddress !== undefined && equal(receipt.contractAddress, account)) ||
    receipt.logs.some(({ address: emitter }) => equal(emitter, account))
  );
}
