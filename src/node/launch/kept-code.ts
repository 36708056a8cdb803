import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Length of the SHA-256 digest that precedes V8's serialised code in a file of kept code. V8 itself would run damaged
 * bytes.
 */
const DIGEST_BYTES = 32;

/** The code kept in `file`; undefined when the file is absent or damaged. */
export function readKeptCode(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(DIGEST_BYTES);
    return digest(code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps code in `file`, completely or not at all. Returns false where the file cannot be written, as in a package that
 * another user installed; then every start compiles. Writers do not exclude each other: a file spoilt by two of them is
 * detected when read.
 */
export function writeKeptCode(file: string, code: Buffer): boolean {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.tmp`, Buffer.concat([digest(code), code]));
    renameSync(`${file}.tmp`, file);
    return true;
  } catch {
    return false;
  }
}

function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
