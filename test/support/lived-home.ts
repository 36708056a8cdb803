/** A stopped home whose log holds everything that a node writes, and the rows of its database. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyValue, StoreOperation } from '../../src/core/ports/key-value-store.js';
import { keyAfter } from '../../src/core/bytes/key-order.js';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import { openLevelStore } from '../../src/store/leveldb/level-store.js';
import { call } from '../e2e/comet-client.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { ACCOUNTS, signed, signedEither } from '../e2e/load.js';
import { chronicledHere } from './command-here.js';
import { startDaemonProcess, type DaemonProcess } from './daemon.js';
import { onceInRun } from './once-in-run.js';
import { anyOf } from './sign-tx.js';
import { temporaryFolder } from './temporary.js';

const MANUAL = ['--mining', 'manual'];
/** The first checkpoint of the trees is that of height 1,000. */
const INITIAL_HEIGHT = 990;
/** Blocks until the checkpoint and a window of the index of block events must have been written. */
const QUIET_BLOCKS = '0x28';

/** A copy of the home, which is made once per run. */
export async function livedHome(): Promise<string> {
  const home = temporaryFolder();
  cpSync(await onceInRun('lived-home', live), home, { recursive: true });
  return home;
}

/**
 * Runs a node three times: transactions of both kinds, filters polled, removed and kept, a checkpoint of the trees,
 * a revert, an upgrade with its halt, a kill, and a transaction that stays pending.
 */
async function live(home: string): Promise<void> {
  const first = await startDaemonProcess({ home, args: [...MANUAL, '--genesis', await lateGenesis(home)] });
  const filters = await filtersOf(first);
  // Before the first block, signatures use account number 0.
  await mine(first);
  await send(first, 0n);
  await mine(first);
  await send(first, 1n);
  await callEthereum(ethereum(first), 'anvil_mine', [QUIET_BLOCKS]);
  await callEthereum(ethereum(first), 'eth_getFilterChanges', [filters[0]]);
  await callEthereum(ethereum(first), 'evm_snapshot');
  await callEthereum(ethereum(first), 'evm_increaseTime', ['0xe10']);
  await send(first, 2n);
  await mine(first);
  const snapshot = await callEthereum<string>(ethereum(first), 'evm_snapshot');
  await send(first, 3n);
  await mine(first);
  await mine(first);
  await callEthereum(ethereum(first), 'evm_revert', [snapshot]);
  await send(first, 3n);
  await mine(first);
  await callEthereum(ethereum(first), 'eth_getFilterChanges', [filters[1]]);
  await callEthereum(ethereum(first), 'eth_uninstallFilter', [filters[2]]);
  await first.kill('SIGTERM');

  const second = await startDaemonProcess({ home, args: MANUAL });
  const height = BigInt(await callEthereum<string>(ethereum(second), 'eth_blockNumber'));
  const plan = { name: 'v2', height: height + 3n, info: '' };
  const authority = ACCOUNTS[0]?.bech32 ?? '';
  const { tx } = signed(0, 4n, [anyOf(MsgSoftwareUpgradeSchema, { authority, plan })]);
  await call(second.endpoints.comet, 'broadcast_tx_sync', { tx });
  await mine(second);
  await mine(second);
  // The block of the halt is decided and not executed.
  await mine(second).catch(() => undefined);
  await second.kill('SIGKILL');

  const third = await startDaemonProcess({ home, args: [...MANUAL, '--app-version', 'v2'] });
  await call(third.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(1, 4n).tx });
  await mine(third);
  await mine(third);
  await call(third.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(1, 5n).tx });
  await third.kill('SIGTERM');
}

/** A genesis for the home, whose chain begins shortly before the first checkpoint. */
async function lateGenesis(home: string): Promise<string> {
  const { code, stderr } = await chronicledHere(['init', '--home', home]);
  if (code !== 0) throw new Error(stderr);
  const file = join(home, 'config', 'genesis.json');
  const genesis: object = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...genesis, initial_height: String(INITIAL_HEIGHT) }));
  return file;
}

function ethereum({ endpoints }: DaemonProcess): string {
  return endpoints.eth_http ?? '';
}

async function mine(daemon: DaemonProcess): Promise<void> {
  await callEthereum(ethereum(daemon), 'evm_mine');
}

async function send(daemon: DaemonProcess, sequence: bigint): Promise<void> {
  for (const account of [0, 1, 2])
    await call(daemon.endpoints.comet, 'broadcast_tx_sync', { tx: signedEither(account, sequence).tx });
}

function filtersOf(daemon: DaemonProcess): Promise<string[]> {
  const address = ACCOUNTS[0]?.hex;
  return Promise.all([
    callEthereum<string>(ethereum(daemon), 'eth_newFilter', [{ address, topics: [null, [`0x${'11'.repeat(32)}`]] }]),
    callEthereum<string>(ethereum(daemon), 'eth_newPendingTransactionFilter'),
    callEthereum<string>(ethereum(daemon), 'eth_newBlockFilter'),
    callEthereum<string>(ethereum(daemon), 'eth_newBlockFilter'),
  ]);
}

const databaseOf = (home: string): string => join(home, 'data', 'chronicle.db');

/** Every row of the database of a stopped home, in key order. */
export async function allRows(home: string): Promise<readonly KeyValue[]> {
  const store = await openLevelStore(databaseOf(home), { create: false });
  try {
    const all: KeyValue[] = [];
    for (let start: Uint8Array = Uint8Array.of(0); ;) {
      const rows = await store.range({ start, end: Uint8Array.of(0xff), limit: 1_000 });
      all.push(...rows);
      const last = rows.at(-1);
      if (last === undefined) return all;
      start = keyAfter(last.key);
    }
  } finally {
    await store.close();
  }
}

/** Writes rows into the database of a stopped home, with sound checksums: damage that LevelDB does not see. */
export async function damageRows(home: string, operations: readonly StoreOperation[]): Promise<void> {
  const store = await openLevelStore(databaseOf(home), { create: false });
  try {
    await store.commit(operations, { sync: true });
  } finally {
    await store.close();
  }
}

/** Rows as lines of text, in a form in which a difference can be read. */
export function asText(rows: readonly KeyValue[]): readonly string[] {
  return rows.map(({ key, value }) => `${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`);
}
