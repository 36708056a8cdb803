/** Reads and changes the genesis file of a home. */
import { parseGenesis } from '../core/genesis/genesis-document.js';
import { asObject } from '../core/text/json-object.js';
import { decodeBech32 } from '../core/sdk/codec/address.js';
import type { CoinAmount } from './values/coins.js';
import type { CommandContext } from './context.js';
import { EXIT } from '../config/exit-codes.js';
import { CommandError } from './command-error.js';

/** Path of the genesis file of the home. */
export function genesisPath(context: CommandContext): string {
  return `${context.home()}/config/genesis.json`;
}

/** Reads a JSON file. Throws CommandError if it is missing or not JSON. */
export function readJson({ ports }: CommandContext, path: string): unknown {
  const text = ports.files.read(path);
  if (text === undefined) throw new CommandError(EXIT.notFound, `open ${path}: no such file or directory`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(EXIT.config, `${path}: ${error instanceof Error ? error.message : 'not JSON'}`);
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Narrows a value to an object. Throws CommandError with `where` for anything else. */
export function objectAt(value: unknown, where: string): JsonObject {
  const object = asObject(value);
  if (object === undefined) throw new CommandError(EXIT.config, `${where} is not a JSON object`);
  return object;
}

/** The objects of a list; empty if the value is not a list. */
export function listAt(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map((entry) => objectAt(entry, 'an entry')) : [];
}

/** The bech32 prefix of addresses in the genesis file. */
export function prefixOf(bank: JsonObject): string | undefined {
  const address = listAt(bank['balances'])[0]?.['address'];
  return typeof address === 'string' ? decodeBech32(address)?.prefix : undefined;
}

/** Parses a list of coins. */
export function coinsOf(value: unknown): readonly CoinAmount[] {
  return listAt(value).map(({ denom, amount }) => ({ denom: String(denom), amount: BigInt(String(amount)) }));
}

/** Sums of two lists of coins, sorted by denom. */
export function sumCoins(
  a: readonly CoinAmount[],
  b: readonly CoinAmount[],
): readonly { readonly denom: string; readonly amount: string }[] {
  const total = new Map<string, bigint>();
  for (const { denom, amount } of [...a, ...b]) total.set(denom, (total.get(denom) ?? 0n) + amount);
  return [...total.entries()]
    .toSorted(([x], [y]) => (x < y ? -1 : 1))
    .map(([denom, amount]) => ({ denom, amount: amount.toString() }));
}

/** Replaces the genesis file of the home. Throws CommandError for a document that a node would refuse. */
export function writeGenesis(context: CommandContext, document: JsonObject): void {
  const checked = parseGenesis(document);
  if (!checked.ok) throw new CommandError(EXIT.config, checked.message);
  context.ports.files.write(genesisPath(context), `${JSON.stringify(document, undefined, 2)}\n`);
}
