import { contentOf } from '../../core/ethereum/content.js';
import type { Admissions } from '../../core/filters/index.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { toPosition, type Position } from '../../core/primitives.js';
import type { EventLog } from '../../store/log/event-log.js';

/** Reads from the log the first `maximum` Ethereum transactions admitted after `from` and up to `through`. */
export async function readAdmissions(
  log: Pick<EventLog, 'read'>,
  crypto: Crypto,
  { from, through, maximum }: { readonly from: Position; readonly through: Position; readonly maximum: number },
): Promise<Admissions> {
  const hashes: Uint8Array[] = [];
  for await (const recorded of log.read({ from: toPosition(from + 1n) })) {
    for (const { event, position } of recorded) {
      if (position > through) return { hashes, through };
      const content = event.type === 'TxAdmitted' ? contentOf(crypto, event.data.tx) : undefined;
      if (content === undefined) continue;
      hashes.push(content.hash);
      if (hashes.length >= maximum) return { hashes, through: position };
    }
  }
  return { hashes, through };
}
