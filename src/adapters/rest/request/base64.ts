/** Bytes in requests: base64, in Go's words when it is none. */

export type ParsedBytes =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly message: string };

const STANDARD = /^[A-Za-z0-9+/]*$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

/** Standard or URL-safe alphabet, padded to full quanta; line ends are skipped, as Go does. */
export function bytesOfText(text: string): ParsedBytes {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  const digits = compact.replace(/={1,2}$/, '');
  const standard = STANDARD.test(digits);
  if (compact.length % 4 === 0 && (standard || URL_SAFE.test(digits)) && digits.length % 4 !== 1) {
    return { ok: true, value: Uint8Array.from(Buffer.from(digits, standard ? 'base64' : 'base64url')) };
  }
  return { ok: false, message: `illegal base64 data at input byte ${firstFault(compact)}` };
}

/** The byte that Go's decoder names: the first foreign one, else the quantum that is not complete. */
function firstFault(text: string): number {
  const foreign = text.search(/[^A-Za-z0-9+/]/);
  if (foreign < 0) return text.length - (text.length % 4);
  // one digit cannot carry a byte, so padding behind it is foreign; with two or three of them it is too short or too long
  if (text[foreign] !== '=' || foreign % 4 < 2) return foreign;
  const complete = foreign + (4 - (foreign % 4));
  return Math.min(complete, text.length);
}
