import { bytesOfDigits } from '../bytes/hex.js';
import { oneLine, type Line } from './line.js';
import { addressText, type Names } from './names.js';

/** A rejected call that sends a transaction. It appears in no block, so only this line reports it. */
export interface RefusedSend {
  readonly method: string;
  /** Sender as the client wrote it; undefined for a transaction signed by the client. */
  readonly from: string | undefined;
  /** Error message that the client received. */
  readonly reason: string;
}

/** Line of a rejected send. */
export function refusedSendLine({ method, from, reason }: RefusedSend, names: Names): Line {
  const text = oneLine(reason);
  const sender = from === undefined ? '' : `  ${senderText(from, names)}`;
  return {
    severity: 'info',
    message: 'refused send',
    parts: [`${method}${sender}  `, ['bad', `refused: ${text}`]],
    fields: { rpc: method, from: from === undefined ? null : oneLine(from), reason: text },
  };
}

function senderText(from: string, names: Names): string {
  const bytes = /^0x[0-9a-fA-F]{40}$/.test(from) ? bytesOfDigits(from.slice(2)) : undefined;
  return bytes === undefined ? oneLine(from) : addressText(names, bytes);
}
