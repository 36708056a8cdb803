/**
 * Stores, outside of the database, the last head whose batch was synced. A flipped byte at the end of LevelDB's log
 * looks like a write cut short by a crash, and the log would silently end earlier; the witness detects this.
 */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { toPosition, type Position } from '../../core/primitives.js';
import { readU64 } from '../bytes.js';
import { be64 } from '../../core/bytes/big-endian.js';
import { concat } from '../../core/bytes/bytes.js';

export interface Witnessed {
  readonly position: Position;
  readonly hash: Uint8Array;
}

export interface HeadWitness {
  /** The last head written; undefined when there is none or the file is damaged. */
  read(): Witnessed | undefined;
  /** Overwrites the head in place, without fsync. A lost write is harmless: the witness is never ahead of the log. */
  write(head: Witnessed): void;
  close(): void;
}

const BODY_BYTES = 8 + 32;

/** Reads the witness file `path` without opening it for writing; undefined when it is absent or damaged. */
export function readWitness(path: string): Witnessed | undefined {
  return existsSync(path) ? decodeWitness(readFileSync(path)) : undefined;
}

function decodeWitness(bytes: Buffer): Witnessed | undefined {
  if (bytes.length !== BODY_BYTES + 4) return undefined;
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset, BODY_BYTES);
  if (crc32(body) !== bytes.readUInt32BE(BODY_BYTES)) return undefined;
  return { position: toPosition(readU64(body, 0)), hash: body.slice(8) };
}

/** Opens the witness file `path` (44 bytes: position, hash, crc32), creating it when absent. */
export function openFileWitness(path: string): HeadWitness {
  const descriptor = openSync(path, 'a+', 0o600);
  closeSync(descriptor);
  const writable = openSync(path, 'r+');
  return {
    read: () => decodeWitness(readFileSync(path)),
    write({ position, hash }) {
      const body = concat(be64(position), hash);
      const sum = new Uint8Array(4);
      new DataView(sum.buffer).setUint32(0, crc32(body));
      writeSync(writable, concat(body, sum), 0, BODY_BYTES + 4, 0);
    },
    close: () => closeSync(writable),
  };
}
