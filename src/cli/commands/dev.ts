import { decodeBech32, parseAddress } from '../../core/sdk/codec/address.js';
import { hexQuantity } from '../../core/bytes/hex.js';
import { asObject } from '../../core/text/json-object.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { checksumAddress } from '../../core/keys/address.js';
import { DEFAULT_LIMITS, FIXED_LIMITS } from '../../core/limits/limits.js';
import { devAccounts, otherMnemonic } from '../values/dev-accounts.js';
import { findKey, rejectAddressTypo } from '../values/names.js';
import type { CommandBody } from '../table/command-table.js';
import type { CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { askEthereum } from '../client/eth-client.js';
import { durationOf } from '../values/duration.js';
import { weiOf } from '../values/ethereum-units.js';
import { wholeNumber } from '../values/whole-number.js';
import { min } from '../../core/bigint.js';
import { NS_PER_SECOND } from '../../core/primitives.js';

const MOST_BLOCKS = BigInt(DEFAULT_LIMITS.devMineBlocks);
const BLOCKS_AT_ONCE = BigInt(FIXED_LIMITS.cliMinedBlocks);

/** `dev mine [COUNT]`: mines blocks, in several calls if they are many; prints the last block number. */
export const mine: CommandBody = async ({ ports }, [text = '1'], flags) => {
  const count = wholeNumber(text, 'count');
  if (count > MOST_BLOCKS) throw new CommandError(EXIT.usage, `count: at most ${MOST_BLOCKS} blocks, got ${text}`);
  let left = count;
  do {
    await ask(flags, 'anvil_mine', [hexQuantity(min(left, BLOCKS_AT_ONCE))]);
    left -= BLOCKS_AT_ONCE;
  } while (left > 0n);
  ports.stdout(`${await height(flags)}\n`);
};

/**
 * `dev time increase SECONDS` (or a duration, such as `1h30m`) and `dev time show`: moves the clock of the next blocks;
 * prints the time of the last block.
 */
export const time: CommandBody = async ({ ports }, [what = 'show', span], flags) => {
  if (what === 'increase') {
    if (span === undefined) throw new CommandError(EXIT.usage, 'dev time increase needs a number of seconds, or 1h30m');
    ports.stdout(`${String(await ask(flags, 'evm_increaseTime', [hexQuantity(secondsOf(span))]))}\n`);
    return;
  }
  if (what !== 'show')
    throw new CommandError(EXIT.usage, `dev time: ${JSON.stringify(what)} is neither show nor increase`);
  const block = asObject(await ask(flags, 'eth_getBlockByNumber', ['latest', false]));
  ports.stdout(`${new Date(Number(quantity(block?.['timestamp'])) * 1000).toISOString()}\n`);
};

/** Seconds of a whole number of them, or of a duration of whole seconds. */
function secondsOf(text: string): bigint {
  if (/^[0-9]+$/.test(text)) return wholeNumber(text, 'seconds');
  const nanos = durationOf(text, 'dev time increase');
  if (nanos % NS_PER_SECOND !== 0n)
    throw new CommandError(EXIT.usage, `dev time increase: ${text} has parts of a second`);
  return nanos / NS_PER_SECOND;
}

/** `dev fund ADDRESS AMOUNT`: adds to a balance. AMOUNT as in `weiOf`. */
export const fund: CommandBody = async (context, [who = '', amount = ''], flags) => {
  const added = weiOf(amount);
  const address = await hexAddress(context, who, flags);
  const before = quantity(await ask(flags, 'eth_getBalance', [address, 'latest']));
  await setTo(context, address, before + added, flags);
};

/** `dev set-balance ADDRESS AMOUNT`: sets a balance. AMOUNT as in `weiOf`. */
export const setBalance: CommandBody = async (context, [who = '', amount = ''], flags) => {
  const balance = weiOf(amount);
  await setTo(context, await hexAddress(context, who, flags), balance, flags);
};

/** `dev snapshot`: takes a snapshot; prints its id for `dev revert`. */
export const snapshot: CommandBody = async ({ ports }, _, flags) => {
  ports.stdout(`${String(await ask(flags, 'evm_snapshot', []))}\n`);
};

/** `dev revert ID`: reverts the chain to a snapshot. */
export const revert: CommandBody = async ({ ports }, [id = ''], flags) => {
  if (!/^(0x[0-9a-fA-F]+|[0-9]+)$/.test(id))
    throw new CommandError(EXIT.usage, `${JSON.stringify(id)} is not the id of a snapshot`);
  if ((await ask(flags, 'evm_revert', [hexQuantity(BigInt(id))])) !== true)
    throw new CommandError(EXIT.notFound, `no snapshot ${id}`);
  ports.stdout(`${await height(flags)}\n`);
};

async function setTo({ ports }: CommandContext, address: string, balance: bigint, flags: Flags): Promise<void> {
  await ask(flags, 'anvil_setBalance', [address, hexQuantity(balance)]);
  ports.stdout(`${JSON.stringify({ address, balance: balance.toString() })}\n`);
}

function ask(flags: Flags, method: string, params: readonly unknown[]): Promise<unknown> {
  return askEthereum(flags.needed('eth-node'), method, params);
}

async function height(flags: Flags): Promise<string> {
  return quantity(await ask(flags, 'eth_blockNumber', [])).toString();
}

function quantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw new CommandError(EXIT.unreachable, 'the node answered no number');
  return BigInt(value);
}

async function hexAddress(context: CommandContext, text: string, flags: Flags): Promise<string> {
  const { keyCrypto } = context.ports;
  rejectAddressTypo(keyCrypto, text);
  const bytes = parseAddress(decodeBech32(text)?.prefix ?? DEV_BECH32_PREFIX, text);
  if (bytes !== undefined) {
    if (bytes.length !== 20)
      throw new CommandError(EXIT.usage, `${JSON.stringify(text)} is not an address of 20 bytes`);
    return checksumAddress(keyCrypto, bytes);
  }
  const keyring = await context.keyring(DEV_BECH32_PREFIX);
  const entry = findKey(context, keyring, text, DEV_BECH32_PREFIX);
  if (!keyring.find(text).ok) await requireUnlocked(context, entry.name, flags);
  return entry.hex;
}

/** Refuses a dev name where the node holds keys, and none of this home's mnemonic: it has those of another one. */
async function requireUnlocked(context: CommandContext, name: string, flags: Flags): Promise<void> {
  const unlocked = await ask(flags, 'eth_accounts', []);
  if (!Array.isArray(unlocked) || unlocked.length === 0) return;
  const held = new Set(unlocked.map((address: unknown) => String(address).toLowerCase()));
  if (!devAccounts(context, DEV_BECH32_PREFIX).some(({ hex }) => held.has(hex.toLowerCase())))
    throw otherMnemonic(context, name);
}
