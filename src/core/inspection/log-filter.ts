import { equal } from '../bytes/bytes.js';
import { txsOfBlock } from '../chain/decision.js';
import { txHash } from '../comet/body-hash.js';
import { ethereumHashOf } from '../ethereum/content.js';
import type { Recorded } from '../log-events.js';
import type { Crypto } from '../ports/crypto.js';
import type { LogFilter } from './api.js';
import { heightOfEvent } from './event-line.js';

/** True for an event that satisfies all conditions of the filter. */
export function matchesLogFilter(
  recorded: Recorded,
  { types, streams, height, tx, cause }: LogFilter,
  crypto: Pick<Crypto, 'keccak256' | 'sha256'>,
): boolean {
  return (
    (types === undefined || types.includes(recorded.event.type)) &&
    (streams === undefined || streams.includes(recorded.stream)) &&
    (cause === undefined || recorded.cause === cause) &&
    (height === undefined || heightOfEvent(recorded.event) === height) &&
    (tx === undefined || isAboutTx(recorded, tx, crypto))
  );
}

/** True for the admission, drop or decision of a transaction, by either of its hashes. */
function isAboutTx({ event }: Recorded, hash: Uint8Array, crypto: Pick<Crypto, 'keccak256' | 'sha256'>): boolean {
  const isIt = (tx: Uint8Array): boolean => {
    if (equal(txHash(crypto, tx), hash)) return true;
    const ethereum = ethereumHashOf(crypto, tx);
    return ethereum !== undefined && equal(ethereum, hash);
  };
  switch (event.type) {
    case 'TxAdmitted':
      return isIt(event.data.tx);
    case 'TxDropped':
      return event.data.hashes.some((one) => equal(one, hash));
    case 'BlockDecided':
      return txsOfBlock(event.data.block).some(isIt);
    case 'ChainStarted':
    case 'SnapshotRestored':
    case 'BlockExecuted':
    case 'UpgradeHalted':
    case 'NodeStarted':
    case 'FilterCreated':
    case 'FilterRemoved':
    case 'TimeShifted':
    case 'SnapshotTaken':
    case 'Reverted':
      return false;
  }
}
