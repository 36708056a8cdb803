import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Length of the SHA-256 digest at the start of a code cache file. V8 itself does not detect corrupt code. */
const DIGEST_BYTES = 32;

/** Reads V8's code cache from `file`; undefined if the file is missing or corrupt. */
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
 * Writes V8's code cache to `file`, completely or not at all. Returns false if the file cannot be written, as in a
 * package that another user installed; then every start compiles. Concurrent writers are not excluded: the digest
 * detects a file that they corrupted.
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
