import { base64 } from '@scure/base';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { ethereumByNonce } from './ethereum-by-nonce.js';
import { addressOf } from '../values/names.js';
import { durationOf } from '../values/duration.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { render } from '../table/output.js';
import { asObject, type JsonObject, textOf } from '../client/rpc-client.js';
import { txJson } from '../values/tx-json.js';
import { type TxResponse, txResponse } from '../client/tx-response.js';
import { hashBytes, listOf, pageJson, paging, SEARCH_OPTIONS, searchOf } from './query-chain.js';
import { NS_PER_MS } from '../../core/primitives.js';

const POLL_MS = 200;
const DEFAULT_WAIT_MS = 15_000;

/**
 * `query tx HASH|ADDRESS/SEQUENCE|SIGNATURES`: a decoded transaction with its result. Both the consensus hash and the
 * Ethereum hash find an Ethereum transaction.
 */
const queryTx: CommandBody = async (context, [which = ''], flags) => {
  const found = await lookUp(context, which, flags.text('type') ?? kindOf(which));
  context.ports.stdout(render(await decoded(context, found), context.output));
};

/** `query txs --query Q`: prints a page of transactions whose events match. */
const queryTxs: CommandBody = async (context, _, flags) => {
  const { page, limit, order } = paging(flags.whole('page'), flags.whole('limit'), flags.text('order_by'));
  const found = await context.rpc.call('tx_search', {
    query: searchOf(flags),
    prove: false,
    page: page.toString(),
    per_page: limit.toString(),
    order_by: order,
  });
  const times = new Map<string, Promise<string>>();
  const txs = await Promise.all(listOf(found, 'txs').map((tx) => decoded(context, asObject(tx), times)));
  context.ports.stdout(
    render({ ...pageJson(BigInt(textOf(found, 'total_count') || '0'), txs.length, page, limit), txs }, context.output),
  );
};

/** `query wait-tx [HASH]`: waits until the transaction is in a block, then prints it as `query tx` does. */
const waitTx: CommandBody = async (context, [typed], flags) => {
  const which = typed ?? hashOfAnswer(await context.ports.files.readInput());
  const until = performance.now() + waitMs(flags.text('timeout'));
  for (;;) {
    try {
      context.ports.stdout(render(await decoded(context, await lookUp(context, which, 'hash')), context.output));
      return;
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode !== EXIT.notFound) throw error;
      if (performance.now() >= until)
        throw new CommandError(EXIT.notFound, `timed out waiting for transaction ${which} to be included in a block`);
      await context.ports.pause(POLL_MS);
    }
  }
};

/**
 * Extracts the hash from the output of a `tx` command, JSON or YAML (cosmos-sdk v0.53 `client/rpc/tx.go`
 * parseHashFromInput).
 */
function hashOfAnswer(answer: string): string {
  const hash = /^txhash: *(\S+)\s*$/m.exec(answer)?.[1] ?? /"txhash" *: *"([^"]+)"/.exec(answer)?.[1];
  if (hash === undefined) throw new CommandError(EXIT.usage, 'txhash not found in standard input');
  return hash;
}

/** `ACCOUNT/SEQUENCE`: an account as key name, bech32 or 0x, and the sequence of its transaction. */
const ACCOUNT_SEQUENCE = /^([^/]+)\/([0-9]{1,19})$/;

function kindOf(which: string): string {
  if (ACCOUNT_SEQUENCE.test(which) && !/^[A-Za-z0-9+/=,]{86,}$/.test(which)) return 'acc_seq';
  return /^(0x)?[0-9a-fA-F]*$/.test(which) || !/^[A-Za-z0-9+/=,]+$/.test(which) || which.length < 86
    ? 'hash'
    : 'signature';
}

async function lookUp(context: CommandContext, which: string, type: string): Promise<JsonObject> {
  const { rpc } = context;
  if (type === 'hash')
    return rpc.call('tx', { hash: base64.encode(hashBytes(which, 'transaction hash')), prove: false });
  if (type === 'acc_seq') return byAccountAndSequence(context, which);
  const found = await first(
    rpc,
    which
      .split(',')
      .map((signature) => `tx.signature='${quoted(signature)}'`)
      .join(' AND '),
  );
  if (found === undefined) throw new CommandError(EXIT.notFound, 'found no txs matching given signatures');
  return found;
}

/** Finds a Cosmos transaction of the account by sequence, else an Ethereum one by nonce. */
async function byAccountAndSequence(context: CommandContext, which: string): Promise<JsonObject> {
  const [, account = '', sequence = ''] = ACCOUNT_SEQUENCE.exec(which) ?? [];
  if (account === '') throw new CommandError(EXIT.usage, `${JSON.stringify(which)} is not <address>/<sequence>`);
  const address = await addressOf(context, account);
  const found =
    (await first(context.rpc, `tx.acc_seq='${address}/${BigInt(sequence)}'`)) ??
    (await ethereumByNonce(context.rpc, address, BigInt(sequence)));
  if (found === undefined)
    throw new CommandError(EXIT.notFound, 'found no txs matching given address and sequence combination');
  return found;
}

async function first(rpc: CommandContext['rpc'], query: string): Promise<JsonObject | undefined> {
  const found = await rpc.call('tx_search', { query, prove: false, page: '1', per_page: '1', order_by: 'asc' });
  const one = listOf(found, 'txs')[0];
  return one === undefined ? undefined : asObject(one);
}

function quoted(text: string): string {
  if (text.includes("'")) throw new CommandError(EXIT.usage, `${JSON.stringify(text)} holds a quote`);
  return text;
}

async function decoded(
  { rpc }: CommandContext,
  found: JsonObject,
  times = new Map<string, Promise<string>>(),
): Promise<TxResponse> {
  const height = textOf(found, 'height');
  const asked = times.get(height) ?? timeOf(rpc, height);
  times.set(height, asked);
  return txResponse({ ...asObject(found['tx_result']), hash: found['hash'] }, height, {
    tx: txJson(base64.decode(textOf(found, 'tx'))),
    timestamp: await asked,
  });
}

/** Block time in whole seconds, as the SDK prints it with transactions. */
async function timeOf(rpc: CommandContext['rpc'], height: string): Promise<string> {
  const { header } = asObject((await rpc.call('block', { height }))['block']);
  return textOf(asObject(header), 'time').replace(/\.[0-9]+Z$/, 'Z');
}

function waitMs(text: string | undefined): number {
  return text === undefined ? DEFAULT_WAIT_MS : Number(durationOf(text, '--timeout') / NS_PER_MS);
}

export const commands: readonly CommandRow[] = [
  command('query tx <hash|address/sequence|signatures>', 'a transaction and its result', ['output', 'node'], queryTx, {
    options: [
      {
        flag: '--type <type>',
        doc: 'kind of the argument; guessed by default',
        choices: ['hash', 'acc_seq', 'signature'],
      },
    ],
  }),
  command('query txs', 'transactions whose events match', ['output', 'node'], queryTxs, {
    options: SEARCH_OPTIONS,
  }),
  command(
    'query wait-tx [hash]',
    'wait until a transaction is in a block: its hash, or the output of a `tx` command on standard input',
    ['output', 'node'],
    waitTx,
    {
      aliases: ['event-query-tx-for'],
      options: [{ flag: '--timeout <duration>', doc: 'longest wait (default: 15s)' }],
    },
  ),
];
