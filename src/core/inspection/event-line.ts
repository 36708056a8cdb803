/** Formats a log event as one line for people. */
import { hexData, upperHex } from '../bytes/hex.js';
import { txsOfBlock } from '../chain/decision.js';
import { txHash } from '../comet/body-hash.js';
import { EncodedResults } from '../comet/encoded-results.js';
import { ethereumHashOf } from '../ethereum/content.js';
import type { LogEvent } from '../log-events.js';
import type { Crypto } from '../ports/crypto.js';
import type { Height } from '../primitives.js';
import { printableLine } from '../text/printable.js';

/** Describes what happened, without position and time. */
export function eventLine(event: LogEvent, crypto: Pick<Crypto, 'keccak256' | 'sha256'>): string {
  switch (event.type) {
    case 'ChainStarted':
      return printableLine(`chain ${event.data.chainId} started, preset ${event.data.preset}`);
    case 'SnapshotRestored':
      return `state of height ${event.data.height} restored from a snapshot`;
    case 'BlockDecided':
      return `block ${event.data.height} decided, ${counted(txsOfBlock(event.data.block).length, 'transaction')}`;
    case 'BlockExecuted': {
      const { height, results, writes } = event.data;
      return `block ${height} executed, ${resultsText(results)}, ${counted(writes.length, 'write')}`;
    }
    case 'TxAdmitted':
      return `transaction ${namesOf(event.data.tx, crypto)} admitted`;
    case 'TxDropped':
      return `dropped from the pool: ${event.data.hashes.map((hash) => upperHex(hash)).join(', ')}`;
    case 'UpgradeHalted':
      return printableLine(`halted for the upgrade ${event.data.name} at height ${event.data.height}`);
    case 'NodeStarted':
      return printableLine(
        `node ${event.data.version} started${event.data.appVersion === '' ? '' : `, application version ${event.data.appVersion}`}`,
      );
    case 'FilterCreated':
      return `filter ${hexData(event.data.id)} of ${event.data.criteria.kind} created`;
    case 'FilterRemoved':
      return `filter ${hexData(event.data.id)} ${event.data.reason}`;
    case 'TimeShifted':
      return `clock shifted by ${event.data.shift} ns`;
    case 'SnapshotTaken':
      return `snapshot ${event.data.id} taken of height ${event.data.height}`;
    case 'Reverted':
      return `reverted to height ${event.data.toHeight}`;
  }
}

/** Formats an event as a line: position, time, stream, description. */
export function eventText(position: bigint | string, time: string, stream: string, line: string): string {
  return `${String(position).padStart(6)}  ${time}  ${stream.padEnd(7)}  ${line}`;
}

/** Height of an event's block; undefined when it has none. */
export function heightOfEvent(event: LogEvent): Height | undefined {
  switch (event.type) {
    case 'BlockDecided':
    case 'BlockExecuted':
    case 'SnapshotRestored':
    case 'UpgradeHalted':
    case 'SnapshotTaken':
      return event.data.height;
    case 'Reverted':
      return event.data.toHeight;
    case 'ChainStarted':
    case 'TxAdmitted':
    case 'TxDropped':
    case 'NodeStarted':
    case 'FilterCreated':
    case 'FilterRemoved':
    case 'TimeShifted':
      return undefined;
  }
}

/** CometBFT hash of a transaction, and its Ethereum hash if it has one. */
function namesOf(tx: Uint8Array, crypto: Pick<Crypto, 'keccak256' | 'sha256'>): string {
  if (tx.length === 0) return '(pruned)';
  const ethereum = ethereumHashOf(crypto, tx);
  const consensus = upperHex(txHash(crypto, tx));
  return ethereum === undefined ? consensus : `${hexData(ethereum)} = ${consensus}`;
}

/** Counts results. Those of a block in the log are empty only when they were pruned: each block has events. */
function resultsText(results: Uint8Array): string {
  if (results.length === 0) return 'results pruned';
  const codes = new EncodedResults(results).txResults.map(({ code }) => code);
  const failed = codes.filter((code) => code !== 0).length;
  return `${counted(codes.length, 'result')}${failed === 0 ? '' : ` (${failed} failed)`}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
