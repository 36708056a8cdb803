/** Decodes base64 in requests, with the error texts of Go's decoder. */

export type ParsedBytes =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly message: string };

const STANDARD = /^[A-Za-z0-9+/]*$/;
const URL_SAFE = /^[A-Za-z0-9_-]*$/;

/** Decodes the standard or the URL-safe alphabet, padded to full quanta; line ends are skipped, as in Go. */
export function bytesOfText(text: string): ParsedBytes {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
  const digits = compact.replace(/={1,2}$/, '');
  const standard = STANDARD.test(digits);
  if (compact.length % 4 === 0 && (standard || URL_SAFE.test(digits)) && digits.length % 4 !== 1) {
    return { ok: true, value: Uint8Array.from(Buffer.from(digits, standard ? 'base64' : 'base64url')) };
  }
  return { ok: false, message: `illegal base64 data at input byte ${firstFault(compact)}` };
}

/** Position of the byte that Go's decoder names: the first invalid one, else the incomplete quantum. */
function firstFault(text: string): number {
  const foreign = text.search(/[^A-Za-z0-9+/]/);
  if (foreign < 0) return text.length - (text.length % 4);
  // one digit cannot hold a byte, so padding after it is an invalid byte; after two or three digits its length is wrong
  if (text[foreign] !== '=' || foreign % 4 < 2) return foreign;
  const complete = foreign + (4 - (foreign % 4));
  return Math.min(complete, text.length);
}
