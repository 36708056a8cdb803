import { bytesOfDigits } from '../bytes/hex.js';
import { oneLine, type Line } from './line.js';
import { addressText, type Names } from './names.js';

/** A call that sends a transaction, and was refused: it is in no block, so that only its line tells of it. */
export interface RefusedSend {
  readonly method: string;
  /** The sender as the client wrote it; undefined for a transaction that was signed elsewhere. */
  readonly from: string | undefined;
  /** The message of the error that the client was answered. */
  readonly reason: string;
}

/** The line of a refused send. */
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
