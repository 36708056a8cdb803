/** Opens a home in its state after a power cut and reports which promise it breaks. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { makeFolder } from '../../src/store/files/make-folder.js';
import { fromHex, hex } from '../../src/core/bytes/hex.js';
import { toHeight, toPosition } from '../../src/core/primitives.js';
import { homePaths } from '../../src/runtime/home/home.js';
import { openEventLog, type EventLog } from '../../src/store/log/event-log.js';
import { fillNewDatabase, openLevelCopy, openLevelStore } from '../../src/store/leveldb/level-store.js';
import { databaseExists } from '../../src/store/files/replacement.js';
import { openFileWitness, readWitness } from '../../src/store/log/witness.js';
import { verifyDatabase } from '../../src/runtime/rebuild/verify-database.js';
import { createHostCrypto } from '../../src/runtime/host/crypto.js';
import { createHostClock } from '../../src/runtime/host/time.js';
import { admitted } from '../store/support.js';
import { callEthereum } from '../e2e/ethereum-client.js';
import { chronicled } from '../support/command.js';
import { startDaemonProcess } from '../support/daemon.js';
import { removeFolder, temporaryFolder } from '../support/temporary.js';
import type { Promised, Written } from './promises.js';

/** The broken promise as text; undefined if the home is valid. */
export type Broken = string | undefined;

/**
 * Opens the home twice as a node does, reads everything promised from the log, and writes to it. With `verify`, a
 * full verification must agree with the start. Without `written`, the records are not compared with those of the run.
 */
export async function judgeStore(
  home: string,
  promised: Promised,
  written: Written | undefined,
  { verify = false }: { readonly verify?: boolean } = {},
): Promise<Broken> {
  const verdict = verify ? await verification(home) : undefined;
  try {
    const first = await open(home);
    let broken: Broken;
    try {
      broken = (await missing(first.log, promised)) ?? changed(first.log, written);
      await first.log.append([{ event: admitted('after the cut') }], [], { sync: true });
    } finally {
      await first.close();
    }
    const second = await open(home);
    const isThere = second.log.head().position === first.log.head().position;
    await second.close();
    if (!isThere) broken ??= 'what was written after the cut is lost';
    return broken ?? (verdict === undefined ? undefined : `a start takes the home, log verify does not: ${verdict}`);
  } catch (error) {
    return `refused: ${textOf(error)}${verify && verdict === undefined ? ' (log verify finds nothing)' : ''}`;
  }
}

/** Judges with a whole node, and with `log verify` before its start. */
export async function judgeNode(home: string, promised: Promised): Promise<Broken> {
  const verified = await chronicled(['log', 'verify', '--home', home]);
  const isVerified = verified.code === 0 || /no chain/i.test(verified.stdout + verified.stderr);
  try {
    for (const start of [1, 2]) {
      const args = ['--mining', 'manual', '--quiet', ...promised.args];
      const node = await startDaemonProcess({ home, args });
      const eth = node.endpoints.eth_http ?? '';
      for (const { height, hash } of promised.blocks.values()) {
        const block = await callEthereum<{ readonly hash: string } | null>(eth, 'eth_getBlockByNumber', [
          `0x${height.toString(16)}`,
          false,
        ]);
        if (block?.hash !== hash)
          return `start ${start}: block ${height} is ${block?.hash ?? 'lost'}, ${hash} was shown`;
      }
      for (const hash of promised.gone)
        if ((await callEthereum(eth, 'eth_getBlockByHash', [hash, false])) !== null)
          return `start ${start}: block ${hash} was taken back and is there`;
      // A chain that waits for an upgrade makes no block.
      await callEthereum(eth, 'evm_mine').catch((error: unknown) => {
        if (!/NEEDED at height|waits for an upgrade/u.test(String(error))) throw error;
      });
      const { code } = await node.kill('SIGTERM');
      if (code !== 0) return `start ${start}: the node ended with ${code}: ${node.stderr()}`;
    }
    return isVerified ? undefined : `a node takes the home, log verify ends with ${verified.code}: ${verified.stdout}`;
  } catch (error) {
    return `a node refuses it: ${textOf(error)}`;
  }
}

async function open(home: string): Promise<{ readonly log: EventLog; readonly close: () => Promise<void> }> {
  const { database, witness: path } = homePaths(home);
  makeFolder(dirname(database));
  const store = await openLevelStore(database, { create: true, checkTables: true });
  const witness = openFileWitness(path);
  const close = async (): Promise<void> => {
    witness.close();
    await store.close();
  };
  try {
    const log = await openEventLog({
      store,
      crypto: await hostCrypto,
      clock: createHostClock(),
      sync: 'block',
      witness,
    });
    return { log, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const hostCrypto = createHostCrypto();

/** The first promised item that is missing. */
async function missing(log: EventLog, { blocks, gone, takenBack, admitted: transactions }: Promised): Promise<Broken> {
  for (const hash of gone)
    if (log.heightByHash(fromHex(hash.slice(2))) !== undefined) return `block ${hash} was taken back and is there`;
  for (const { height, hash } of blocks.values()) {
    const shown = toHeight(BigInt(height));
    const found = log.heightByHash(fromHex(hash.slice(2)));
    const block = log.blockAt(shown);
    const isTakenBack = takenBack.has(height) && block !== undefined && block.executed === undefined;
    // A block that is not executed has no Ethereum header, and this hash may be the header's.
    if (found !== shown && !(isTakenBack && found === undefined))
      return `block ${height} was shown and is lost: the log ends at height ${log.head().executed}`;
    if (!isTakenBack && block?.executed === undefined) return `block ${height} was shown and its results are lost`;
  }
  if (transactions.size === 0) return undefined;
  const found = new Set<string>();
  for await (const events of log.read({ from: toPosition(1n) }))
    for (const { event } of events)
      if (event.type === 'TxAdmitted')
        found.add(createHash('sha256').update(event.data.tx).digest('hex').toUpperCase());
  const lost = [...transactions].find((hash) => !found.has(hash));
  return lost === undefined ? undefined : `transaction ${lost} was admitted and is lost`;
}

/** A record that the run did not write. */
function changed(log: EventLog, written: Written | undefined): Broken {
  const { record, hash, position } = log.head();
  if (written === undefined || position === 0n || written.get(record)?.has(hex(hash)) === true) return undefined;
  return `the record at position ${record} is not the one of the run`;
}

/** The first problem that `log verify` reports. */
async function verification(home: string): Promise<Broken> {
  const { database, witness } = homePaths(home);
  if (!databaseExists(database)) return undefined;
  try {
    const crypto = await hostCrypto;
    const { store, directory } = await openLevelCopy(database);
    const folder = temporaryFolder();
    try {
      const { problems } = await fillNewDatabase(folder, (target) =>
        verifyDatabase({
          store,
          crypto,
          directory,
          witnessed: readWitness(witness),
          now: createHostClock().now(),
          target,
        }),
      );
      const [problem] = problems;
      return problem && `${problem.problem} in ${problem.file ?? problem.table ?? problem.position}`;
    } finally {
      await store.close();
      removeFolder(folder);
    }
  } catch (error) {
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
