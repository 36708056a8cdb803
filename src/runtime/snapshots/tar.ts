/** Reader and writer of tar archives (POSIX.1-1988 ustar), the format of the SDK's `snapshots dump`. */
import { concatAll } from '../../core/bytes/bytes.js';

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The archive cannot be read. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';
}

const BLOCK = 512;
const NAME = { at: 0, length: 100 } as const;
const MODE = { at: 100, length: 8 } as const;
const OWNERS = [
  { at: 108, length: 8 },
  { at: 116, length: 8 },
] as const;
const SIZE = { at: 124, length: 12 } as const;
const TIME = { at: 136, length: 12 } as const;
const CHECKSUM = { at: 148, length: 8 } as const;
const TYPE = 156;
const MAGIC = { at: 257, text: 'ustar\u000000' } as const;
/** Typeflags of a regular file. */
const FILES: ReadonlySet<number> = new Set([0, 0x30]);

interface Field {
  readonly at: number;
  readonly length: number;
}

/** Reads the regular files of an archive, in order. Throws ArchiveRefused. */
export function readTar(archive: Uint8Array): readonly ArchivedFile[] {
  const files: ArchivedFile[] = [];
  for (let at = 0; at + BLOCK <= archive.length;) {
    const header = Buffer.from(archive.subarray(at, at + BLOCK));
    if (header.every((byte) => byte === 0)) return files;
    if (readOctal(header, CHECKSUM) !== checksumOf(header))
      throw new ArchiveRefused(`a header at byte ${at} is damaged`);
    const size = readOctal(header, SIZE);
    const from = at + BLOCK;
    if (from + size > archive.length) throw new ArchiveRefused('it is truncated');
    const name = header.toString('latin1', NAME.at, NAME.length).replace(/\0.*$/s, '');
    if (FILES.has(header[TYPE] ?? 0)) files.push({ name, bytes: archive.subarray(from, from + size) });
    at = from + size + padding(size);
  }
  throw new ArchiveRefused('it is truncated');
}

/** Builds an archive. */
export function writeTar(files: readonly ArchivedFile[]): Uint8Array {
  return concatAll([...files.flatMap(partsOf), new Uint8Array(2 * BLOCK)]);
}

/** Header, content and zero padding of a file. */
function partsOf({ name, bytes }: ArchivedFile): readonly Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, NAME.at, NAME.length, 'latin1');
  writeOctal(header, MODE, 0o644);
  for (const owner of OWNERS) writeOctal(header, owner, 0);
  writeOctal(header, SIZE, bytes.length);
  writeOctal(header, TIME, 0);
  header[TYPE] = 0x30;
  header.write(MAGIC.text, MAGIC.at, 'latin1');
  writeOctal(header, CHECKSUM, checksumOf(header));
  return [header, bytes, new Uint8Array(padding(bytes.length))];
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Sum of the header bytes, with the checksum field counted as blanks. */
function checksumOf(header: Uint8Array): number {
  return header.reduce(
    (sum, byte, at) => sum + (at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length ? 0x20 : byte),
    0,
  );
}

function writeOctal(header: Buffer, { at, length }: Field, value: number): void {
  header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length, 'latin1');
}

function readOctal(header: Buffer, { at, length }: Field): number {
  const digits = header
    .toString('latin1', at, at + length)
    .replace(/[\0 ]+$/, '')
    .trimStart();
  if (!/^[0-7]{1,11}$/.test(digits)) throw new ArchiveRefused('a header field is not an octal number');
  return Number.parseInt(digits, 8);
}
