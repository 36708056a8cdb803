/**
 * File operations of a real run, in the order of the system, and facts that clients were told: the input of a
 * simulated power cut (`disk.ts`).
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Number of a file or folder for its whole life, under any name. The disk itself is 0. */
export type Inode = number;
export const ROOT: Inode = 0;

/** A name of a folder. */
export interface Entry {
  readonly folder: Inode;
  readonly name: string;
}

/** A block that a client received. */
export interface Shown {
  readonly height: number;
  /** 0x and hex digits. */
  readonly hash: string;
}

export type Operation =
  | { readonly kind: 'create'; readonly at: Entry; readonly inode: Inode; readonly isFolder: boolean }
  /** Another name for a file. */
  | { readonly kind: 'link'; readonly at: Entry; readonly inode: Inode }
  | { readonly kind: 'rename'; readonly from: Entry; readonly to: Entry }
  | { readonly kind: 'remove'; readonly at: Entry }
  | { readonly kind: 'write'; readonly inode: Inode; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly inode: Inode; readonly size: number }
  /** A completed sync. It makes the operations before the position `begun` durable. */
  | { readonly kind: 'sync'; readonly inode: Inode; readonly begun: number }
  /** A block that a client received before the next operation began. */
  | { readonly kind: 'shown'; readonly block: Shown }
  /** A transaction that was admitted (upper-case hex of its sha256), in a run that syncs admissions. */
  | { readonly kind: 'admitted'; readonly hash: string }
  /** A client requests a revert of the blocks above this height: from here on they may be absent. */
  | { readonly kind: 'reverting'; readonly through: number }
  /** The client received the answer to that request. */
  | { readonly kind: 'reverted' }
  /** A removed operation. */
  | { readonly kind: 'nothing' }
  /** A program starts on the disk. */
  | { readonly kind: 'life'; readonly life: Life };
/** A fact that a client was told, or a request of a client. */
export type Fact = Extract<Operation, { kind: 'shown' | 'admitted' | 'reverting' | 'reverted' }>;

/** A program of a run. */
export interface Life {
  readonly name: string;
  /** Arguments of a start after a power cut. */
  readonly args: readonly string[];
  /** The program removes the chain, so that nothing published before is promised. */
  readonly removes: boolean;
  /** The program removes the execution of the last block, and the next start executes it again. */
  readonly takesBack: boolean;
}

export interface Trace {
  readonly name: string;
  readonly operations: readonly Operation[];
}

type Stored =
  | Exclude<Operation, { kind: 'write' }>
  | (Omit<Operation & { kind: 'write' }, 'bytes'> & { bytes: number });

/** Brotli over the length of the traces without the bytes of writes as JSON (4 bytes), that JSON, and these bytes. */
export function encodeTraces(traces: readonly Trace[], quality: number): Uint8Array {
  const bytes: Uint8Array[] = [];
  const stored = (operation: Operation): Stored => {
    if (operation.kind !== 'write') return operation;
    bytes.push(operation.bytes);
    return { ...operation, bytes: operation.bytes.length };
  };
  const text = Buffer.from(
    JSON.stringify(traces.map(({ name, operations }) => ({ name, operations: operations.map(stored) }))),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return brotliCompressSync(Buffer.concat([length, text, ...bytes]), {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

export function decodeTraces(packed: Uint8Array): readonly Trace[] {
  const all = brotliDecompressSync(packed);
  let offset = 4 + all.readUInt32BE(0);
  const traces: readonly { readonly name: string; readonly operations: readonly Stored[] }[] = JSON.parse(
    all.toString('utf8', 4, offset),
  );
  const loaded = (stored: Stored): Operation =>
    stored.kind === 'write' ? { ...stored, bytes: all.subarray(offset, (offset += stored.bytes)) } : stored;
  return traces.map(({ name, operations }) => ({ name, operations: operations.map(loaded) }));
}
