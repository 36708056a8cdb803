/**
 * A state in anvil's format: gzipped JSON of `SerializableState` (foundry v1.7 `crates/anvil/src/eth/backend/db.rs`).
 * A dump contains only the last block, without transactions, because anvil rejects a state without its last block.
 * Blocks and transactions of a loaded state are ignored.
 */
import { MAX_UINT64 } from '../../core/bigint.js';
import { isObject } from '../../core/text/json-object.js';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { concatAll } from '../../core/bytes/bytes.js';
import { bytesOfDigits, hexData, hexQuantity } from '../../core/bytes/hex.js';
import { bigintOfBytes } from '../../core/bytes/big-endian.js';
import type { EthereumAccountState } from '../../core/ethereum/account-state.js';
import type { EthereumBlock } from '../../core/ethereum/block-view.js';
import { headerJson } from '../../core/ethereum/json/block-json.js';
import { JsonMeter } from '../../core/text/json-parts.js';
import { DEFAULT_LIMITS, FIXED_LIMITS, type Limits } from '../../core/limits/limits.js';
import { jsonMembers } from './json-members.js';

const GZIP_MAGIC = 0x1f;
const MEMBERS = ['accounts', 'block', 'best_block_number'];
const expand = promisify(gunzip);

/**
 * Gzipped JSON of the accounts after `block`; undefined if their text exceeds `maximum` bytes. Text is compressed in
 * pieces, and the event loop runs between them.
 */
export async function writeState(
  block: EthereumBlock,
  accounts: readonly EthereumAccountState[],
  maximum: number,
  pause: () => Promise<void>,
): Promise<Uint8Array | undefined> {
  const compressed = createGzip();
  const parts: Uint8Array[] = [];
  compressed.on('data', (part: Uint8Array) => parts.push(part));
  const put = async (text: string): Promise<void> => {
    if (!compressed.write(text)) await once(compressed, 'drain');
  };
  const environment = JSON.stringify({
    number: hexQuantity(block.height),
    beneficiary: hexData(block.miner),
    timestamp: hexQuantity(block.timestamp),
    gas_limit: Number(block.gasLimit),
    basefee: Number(block.baseFeePerGas ?? 0n),
    difficulty: '0x0',
    prevrandao: hexData(block.mixHash),
    blob_excess_gas_and_price: null,
  });
  await put(`{"block":${environment},"accounts":{`);
  let texts: string[] = [];
  let length = 0;
  let values = 0;
  for (const [index, account] of accounts.entries()) {
    values += 1 + account.slots.length;
    if (values >= FIXED_LIMITS.devStateTurnValues) {
      values = 0;
      await put(texts.join(''));
      texts = [];
      await pause();
    }
    const text = accountText(account);
    length += text.length;
    if (length > maximum) {
      compressed.destroy();
      return undefined;
    }
    texts.push(index === 0 ? text : `,${text}`);
  }
  const last = `{"header":${headerJson(block)},"transactions":[],"ommers":[],"withdrawals":null}`;
  compressed.end(
    `${texts.join('')}},"best_block_number":${block.height},"blocks":[${last}],"transactions":[],"historical_states":null}`,
  );
  await finished(compressed);
  return concatAll(parts);
}

function accountText({ address, nonce, balance, code, slots }: EthereumAccountState): string {
  const storage = slots.map(({ slot, value }) => `"${hexData(slot)}":"${hexData(value)}"`).join(',');
  return `"${hexData(address)}":{"nonce":${nonce},"balance":"${hexQuantity(balance)}","code":"${hexData(code)}","storage":{${storage}}}`;
}

/** The block after which a state was dumped, with the facts that later blocks continue from. */
export interface BlockOfState {
  readonly number: bigint;
  /** Seconds. */
  readonly timestamp: bigint;
  readonly coinbase: Uint8Array;
  readonly gasLimit: bigint;
  /** wei. */
  readonly baseFee: bigint;
  readonly prevRandao: Uint8Array;
}

/** `block` is undefined if the dump names none: then only the accounts are loaded, as in anvil. */
export type ReadState =
  | {
      readonly ok: true;
      readonly accounts: readonly EthereumAccountState[];
      readonly block: BlockOfState | undefined;
    }
  | { readonly ok: false; readonly message: string };

/** Limits for reading a state, and a pause that lets the event loop run. */
export interface ReadOptions {
  readonly limits: Pick<Limits, 'devStateBytes' | 'devStateParts'>;
  readonly pause: () => Promise<void>;
}

/** Reads a state in anvil's format, gzipped or plain JSON. Unused members are not parsed. */
export async function readState(dump: Uint8Array, { limits, pause }: ReadOptions): Promise<ReadState> {
  try {
    const maxOutputLength = limits.devStateBytes;
    const json = dump[0] === GZIP_MAGIC ? await expand(dump, { maxOutputLength }) : dump;
    const members = await jsonMembers(json, MEMBERS, pause);
    const meter = new JsonMeter({
      ...{ jsonDepth: DEFAULT_LIMITS.jsonDepth, jsonSpaceBytes: limits.devStateBytes },
      ...{ jsonParts: limits.devStateParts, jsonValues: limits.devStateParts },
    });
    const parsed = new Map<string, unknown>();
    for (const [name, text] of members) {
      for (let at = 0; at < text.length; at += FIXED_LIMITS.devStateTurnBytes) {
        if (at > 0) await pause();
        const exceeded = meter.add(text.subarray(at, at + FIXED_LIMITS.devStateTurnBytes));
        if (exceeded === 'jsonDepth') return unreadable(`limit jsonDepth (${DEFAULT_LIMITS.jsonDepth}) exceeded`);
        if (exceeded !== undefined) return unreadable(`limit devStateParts (${limits.devStateParts}) exceeded`);
      }
      parsed.set(name, JSON.parse(new TextDecoder().decode(text)));
    }
    const accounts = parsed.get('accounts');
    if (!isObject(accounts)) return unreadable('it has no accounts');
    const block = parsed.get('block') ?? undefined;
    return {
      ok: true,
      accounts: await readAccounts(accounts, pause),
      block: block === undefined ? undefined : readBlock(block, parsed.get('best_block_number') ?? undefined),
    };
  } catch (error) {
    if (error instanceof RangeError) return unreadable(`limit devStateBytes (${limits.devStateBytes}) exceeded`);
    return unreadable(error instanceof Error ? error.message : 'it is not JSON');
  }
}

function unreadable(why: string): ReadState {
  return { ok: false, message: `Could not decode the state: ${why}` };
}

/** `best`: the head's number, which older dumps have in the block only. Throws as `readAccount` does. */
function readBlock(block: unknown, best: unknown): BlockOfState {
  if (!isObject(block)) throw new Error('block is not an object');
  return {
    number: numberOf(best ?? block['number']),
    timestamp: numberOf(block['timestamp']),
    coinbase: bytesOf(block['beneficiary'] ?? block['coinbase'], 20),
    gasLimit: uint64From(block['gas_limit']),
    baseFee: numberOf(block['basefee']),
    prevRandao: wordFrom(block['prevrandao'] ?? '0x0'),
  };
}

/** Throws an Error that names what is wrong. */
async function readAccounts(
  accounts: Readonly<Record<string, unknown>>,
  pause: () => Promise<void>,
): Promise<readonly EthereumAccountState[]> {
  const read: EthereumAccountState[] = [];
  let values = 0;
  for (const [address, account] of Object.entries(accounts)) {
    const storage = memberOf(account, 'storage') ?? {};
    if (!isObject(storage)) throw new Error(`storage of ${address}`);
    const slots: { readonly slot: Uint8Array; readonly value: Uint8Array }[] = [];
    for (const [slot, value] of Object.entries(storage)) {
      slots.push({ slot: wordFrom(slot), value: wordFrom(value) });
      values += 1;
      if (values % FIXED_LIMITS.devStateTurnValues === 0) await pause();
    }
    read.push({
      address: bytesOf(address, 20),
      nonce: uint64From(memberOf(account, 'nonce') ?? 0),
      balance: numberOf(memberOf(account, 'balance') ?? 0),
      code: bytesOf(memberOf(account, 'code') ?? '0x'),
      slots,
    });
    values += 1;
    if (values % FIXED_LIMITS.devStateTurnValues === 0) await pause();
  }
  return read;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function bytesOf(value: unknown, length?: number): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? bytesOfDigits(value.slice(2)) : undefined;
  if (bytes === undefined || (length !== undefined && bytes.length !== length))
    throw new Error(`${JSON.stringify(value)} is not hex data`);
  return bytes;
}

/** A quantity or a word in hex, padded from the left to 32 bytes. */
function wordFrom(value: unknown): Uint8Array {
  if (typeof value !== 'string' || !value.startsWith('0x'))
    throw new Error(`${JSON.stringify(value)} is not a hex number`);
  return bytesOf(`0x${value.slice(2).padStart(64, '0')}`, 32);
}

function numberOf(value: unknown): bigint {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : bigintOfBytes(wordFrom(value));
}

function uint64From(value: unknown): bigint {
  const number = numberOf(value);
  if (number > MAX_UINT64) throw new Error(`${number} is above 2^64-1`);
  return number;
}
