import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A file of kept code: the SHA-256 of the rest, then what V8 serialised. V8 itself would run damaged bytes. */
const DIGEST_BYTES = 32;

/** The code kept in `file`; undefined when there is none, or not all of it. */
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
 * Keeps code in `file`, whole or not at all. Answers false where nothing can be written, as in a package that another user
 * installed: then every start compiles. Writers do not exclude each other: what two of them spoil is not read.
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
