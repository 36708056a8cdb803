import { base64 } from '@scure/base';
import { blockFromJson, isBlockJson } from '../../core/comet/json/block-json.js';
import { BlockSchema } from '../../core/proto/tendermint/types/block_pb.js';
import type { CommandBody, CommandRow, OptionRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import type { Flags } from '../table/flags.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { nodePrefix } from '../values/names.js';
import { render } from '../table/output.js';
import { protoJson } from '../../adapters/rest/json/proto-json.js';
import { asObject, type JsonObject, textOf } from '../client/rpc-client.js';
import { bech32, hex } from '@scure/base';
import { wholeNumber } from '../values/whole-number.js';

/** `query block [HEIGHT|HASH]`: prints a block in the SDK's form; by default the latest. */
const queryBlock: CommandBody = async ({ rpc, ports, output }, [which], flags) => {
  const type = flags.text('type');
  const byHash = type === 'hash' || (type === undefined && which !== undefined && /^(0x)?[0-9a-fA-F]{64}$/.test(which));
  if (byHash && which === undefined) throw new CommandError(EXIT.usage, '--type hash needs a hash');
  const found = byHash
    ? await rpc.call('block_by_hash', { hash: base64.encode(hashBytes(which ?? '', 'block hash')) })
    : await rpc.call('block', which === undefined ? {} : { height: wholeNumber(which, 'height').toString() });
  const { block } = found;
  if (!isBlockJson(block)) throw new CommandError(EXIT.notFound, `block not found with hash: ${which ?? ''}`);
  ports.stdout(render(protoJson(BlockSchema, blockFromJson(block)), output));
};

/** `query blocks --query Q`: prints a page of blocks whose events match. */
const queryBlocks: CommandBody = async ({ rpc, ports, output }, _, flags) => {
  const { page, limit, order } = paging(flags.whole('page'), flags.whole('limit'), flags.text('order_by'));
  const found = await rpc.call('block_search', {
    query: searchOf(flags),
    page: page.toString(),
    per_page: limit.toString(),
    order_by: order,
  });
  const blocks = listOf(found, 'blocks')
    .map((one) => asObject(one)['block'])
    .filter(isBlockJson);
  ports.stdout(
    render(
      {
        ...pageJson(BigInt(textOf(found, 'total_count') || '0'), blocks.length, page, limit),
        blocks: blocks.map((block) => protoJson(BlockSchema, blockFromJson(block))),
      },
      output,
    ),
  );
};

/**
 * `query block-results [HEIGHT]`: the results of executing a block. Heights and limits are printed as JSON numbers,
 * as the Go node does here.
 */
const queryBlockResults: CommandBody = async ({ rpc, ports, output }, [height]) => {
  const found = await rpc.call(
    'block_results',
    height === undefined ? {} : { height: wholeNumber(height, 'height').toString() },
  );
  ports.stdout(
    render(
      {
        ...found,
        height: Number(textOf(found, 'height')),
        consensus_param_updates: numbered(found['consensus_param_updates']),
      },
      output,
    ),
  );
};

/** `query comet-validator-set [HEIGHT]`: the validator set of a height. */
const queryValidators: CommandBody = async (context, [height], flags) => {
  const { rpc, ports, output } = context;
  const { page, limit } = paging(flags.whole('page'), flags.whole('limit'), undefined);
  const found = await rpc.call('validators', {
    ...(height !== undefined && { height: wholeNumber(height, 'height').toString() }),
    page: page.toString(),
    per_page: limit.toString(),
  });
  const prefix = await nodePrefix(context);
  const validators = listOf(found, 'validators').map((one) => {
    const validator = asObject(one);
    return {
      address: bech32.encode(
        `${prefix}valcons`,
        bech32.toWords(hex.decode(textOf(validator, 'address').toLowerCase())),
      ),
      pub_key: { '@type': '/cosmos.crypto.ed25519.PubKey', key: textOf(asObject(validator['pub_key']), 'value') },
      voting_power: textOf(validator, 'voting_power'),
      proposer_priority: textOf(validator, 'proposer_priority'),
    };
  });
  ports.stdout(
    render(
      {
        block_height: textOf(found, 'block_height'),
        validators,
        pagination: { next_key: null, total: textOf(found, 'total') },
      },
      output,
    ),
  );
};

/**
 * `status`: the status of the node as one line of JSON, because supervisors such as cosmovisor parse it; YAML for
 * `-o text` (cosmos-sdk v0.53 `server/cmt_cmds.go`, StatusCommand).
 */
const status: CommandBody = async ({ rpc, ports, output }) => {
  const answer = await rpc.call('status');
  // Also print the member name of SDK versions before v0.50, for older supervisors.
  ports.stdout(render({ ...answer, SyncInfo: answer['sync_info'] }, output));
};

/**
 * The search query of the flags: `--query`, or `--events 'a.b=c&d.e=f'` as in the SDK before v0.50 (cosmos-sdk v0.47
 * `x/auth/client/cli/query.go`, QueryTxsByEventsCmd), with every operator of the query language.
 */
export function searchOf(flags: Flags): string {
  const events = flags.text('events');
  if (events === undefined) return flags.needed('query');
  if (flags.text('query') !== undefined) throw new CommandError(EXIT.usage, '--query and --events exclude each other');
  return events.split('&').map(conditionOf).join(' AND ');
}

/**
 * Converts a condition of `--events` to the query language: heights stay numbers, other values are quoted unless they
 * are already.
 */
function conditionOf(event: string): string {
  const text = event.trim().replace(/^'(.*)'$/s, '$1');
  const [, key = '', compared, word, value = ''] =
    /^([^\s=<>]+\.[^\s=<>]+)\s*(?:(<=|>=|=|<|>)|\s(CONTAINS|EXISTS))\s*(.*)$/s.exec(text) ?? [];
  const operator = compared ?? word;
  if (operator === undefined || (value === '') !== (operator === 'EXISTS'))
    throw new CommandError(
      EXIT.usage,
      `--events: ${JSON.stringify(event)} is not <type>.<attribute>=<value>, nor with <, <=, >, >=, CONTAINS or EXISTS`,
    );
  if (operator === 'EXISTS') return `${key} EXISTS`;
  if (operator === 'CONTAINS') return `${key} CONTAINS ${/^'.*'$/s.test(value) ? value : `'${value}'`}`;
  const isBare = operator !== '=' || key === 'tx.height' || key === 'block.height' || /^'.*'$/s.test(value);
  return `${key}${operator}${isBare ? value : `'${value}'`}`;
}

const DEFAULT_LIMIT = 100n;

/** Page number, page size and order of a search; `desc` and the SDK's `dsc` mean the same. */
export function paging(
  page: bigint | undefined,
  limit: bigint | undefined,
  order: string | undefined,
): { readonly page: bigint; readonly limit: bigint; readonly order: string } {
  if (page === 0n || limit === 0n) throw new CommandError(EXIT.usage, '--page and --limit count from 1');
  return { page: page ?? 1n, limit: limit ?? DEFAULT_LIMIT, order: order === 'dsc' ? 'desc' : (order ?? 'asc') };
}

/** The paging members that the SDK prints before search results. */
export function pageJson(total: bigint, count: number, page: bigint, limit: bigint): JsonObject {
  return {
    total_count: total.toString(),
    count: String(count),
    page_number: page.toString(),
    page_total: ((total + limit - 1n) / limit).toString(),
    limit: limit.toString(),
  };
}

/** The list in a member of an answer; empty when it is absent. */
export function listOf(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** Parses a hash of 32 bytes in hex, with or without 0x. Throws a usage error. */
export function hashBytes(text: string, what: string): Uint8Array {
  const digits = text.replace(/^0x/i, '');
  if (!/^[0-9a-fA-F]{64}$/.test(digits))
    throw new CommandError(EXIT.usage, `invalid ${what} ${JSON.stringify(text)}: expected 64 hexadecimal digits`);
  return hex.decode(digits.toLowerCase());
}

/** Converts decimal strings to JSON numbers, as the Go node prints them here. */
function numbered(value: unknown): unknown {
  if (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value)) return Number(value);
  if (Array.isArray(value)) return value.map(numbered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]): [string, unknown] => [name, numbered(part)]));
}

/** Options of the searches for blocks and transactions. */
export const SEARCH_OPTIONS: readonly OptionRow[] = [
  { flag: '--query <query>', doc: 'conditions, for example "message.sender=\'chron1...\' AND tx.height > 7"' },
  {
    flag: '--events <events>',
    doc: 'conditions as older versions took them, for example "message.module=bank&tx.height=7"',
  },
  { flag: '--page <number>', doc: 'page of results, from 1', default: '1' },
  { flag: '--limit <count>', doc: 'results of a page', default: '100' },
  { flag: '--order_by <order>', doc: 'oldest or newest first', choices: ['asc', 'desc', 'dsc'] },
];

export const commands: readonly CommandRow[] = [
  command('query block [height|hash]', 'a block; the last one by default', ['output', 'node'], queryBlock, {
    options: [{ flag: '--type <type>', doc: 'kind of the argument', choices: ['height', 'hash'] }],
  }),
  command('query blocks', 'blocks whose events match', ['output', 'node'], queryBlocks, {
    options: SEARCH_OPTIONS,
  }),
  command('query block-results [height]', 'results of a block', ['output', 'node'], queryBlockResults),
  command('query comet-validator-set [height]', 'the validators of a block', ['output', 'node'], queryValidators, {
    aliases: ['cometbft-validator-set', 'tendermint-validator-set'],
    options: [
      { flag: '--page <number>', doc: 'page of validators, from 1', default: '1' },
      { flag: '--limit <count>', doc: 'validators of a page', default: '100' },
    ],
  }),
  command('status', 'node status', ['output', 'node'], status, { output: 'json' }),
];
