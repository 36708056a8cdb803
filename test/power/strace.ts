/** Parses strace output of file operations (`-f -y -xx -ttt -T`), with the bytes of all writes. */
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Entry, Fact, Inode, Life, Operation } from './trace.js';
import { ROOT } from './trace.js';

/** System calls that change files, in the form of strace's option. */
export const TRACED =
  'openat,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,' +
  'mkdir,mkdirat,link,linkat,ftruncate,truncate,fallocate,copy_file_range,sendfile,symlink,symlinkat';

/**
 * An answer to or a request of a client. For an answer, `at` is not before the client received it; for a request, it
 * is not after the client sent it. In seconds of the system clock.
 */
export interface Told {
  readonly at: number;
  readonly fact: Fact;
}

interface Call {
  readonly begin: number;
  readonly end: number;
  readonly name: string;
  readonly args: string;
  readonly result: number;
}

const WHOLE = /^(\d+) +([\d.]+) (\w+)\((.*)\) += (-?\d+|\?)[^=]* <([\d.]+)>$/;
const BEGUN = /^(\d+) +([\d.]+) (\w+)\((.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +([\d.]+) <\.\.\. (\w+) resumed>(.*)\) += (-?\d+|\?)[^=]* <([\d.]+)>$/;

function* readCalls(file: string): Generator<Call> {
  const begun = new Map<string, { readonly begin: number; readonly args: string }>();
  for (const line of readFileSync(file, 'latin1').split('\n')) {
    const whole = WHOLE.exec(line);
    if (whole !== null) {
      const [, , begin = '', name = '', args = '', result = '', took = ''] = whole;
      yield { begin: Number(begin), end: Number(begin) + Number(took), name, args, result: Number(result) };
      continue;
    }
    const first = BEGUN.exec(line);
    if (first !== null) {
      const [, thread = '', begin = '', , args = ''] = first;
      begun.set(thread, { begin: Number(begin), args });
      continue;
    }
    const [, thread = '', end = '', name = '', rest = '', result = ''] = RESUMED.exec(line) ?? [];
    const before = begun.get(thread);
    begun.delete(thread);
    if (before !== undefined)
      yield { begin: before.begin, end: Number(end), name, args: before.args + rest, result: Number(result) };
  }
}

/**
 * Orders the operations of several programs that ran one after the other on one disk. The time of an operation is its
 * begin, for opens and syncs their return.
 */
export class TraceReader {
  readonly operations: Operation[] = [];
  readonly #disk: string;
  readonly #folders = new Map<Inode, Map<string, Inode>>([[ROOT, new Map()]]);
  readonly #sizes = new Map<Inode, number>();
  #inodes = 1;

  /** `disk` is the folder that represents the disk. */
  constructor(disk: string) {
    this.#disk = disk;
  }

  /** Adds one program and the facts of its clients. */
  add(file: string, life: Life, told: readonly Told[]): void {
    this.operations.push({ kind: 'life', life });
    const files = new Map<number, { readonly inode: Inode; offset: number; readonly appends: boolean }>();
    const steps: { readonly at: number; readonly run: () => void }[] = told.map(({ at, fact }) => ({
      at,
      run: () => void this.operations.push(fact),
    }));
    for (const call of readCalls(file)) {
      if (!(call.result >= 0)) continue;
      if (call.name === 'fsync' || call.name === 'fdatasync') {
        let begun = 0;
        const path = this.#local(pathOf(call.args) ?? '/');
        if (path === undefined) continue;
        let inode: Inode | undefined;
        steps.push({
          at: call.begin,
          run: () => {
            begun = this.operations.length;
            inode = path === '' ? ROOT : (files.get(Number.parseInt(call.args, 10))?.inode ?? this.#find(path));
          },
        });
        steps.push({
          at: call.end,
          run: () => void (inode !== undefined && this.operations.push({ kind: 'sync', inode, begun })),
        });
      } else {
        // The descriptor is valid when the call returns: until then another thread may close the file with its
        // number.
        const at = call.name === 'openat' ? call.end : call.begin;
        steps.push({ at, run: () => this.#apply(call, files) });
      }
    }
    steps.sort((left, right) => left.at - right.at);
    for (const { run } of steps) run();
  }

  #apply(
    { name, args, result }: Call,
    files: Map<number, { readonly inode: Inode; offset: number; readonly appends: boolean }>,
  ): void {
    const [first, second] = stringsOf(args).map((bytes) => bytes.toString());
    switch (name) {
      case 'openat': {
        const path = this.#local(absolute(args, first));
        files.delete(result);
        if (path === undefined || path === '') return;
        let inode = this.#find(path);
        if (inode === undefined) {
          if (!args.includes('O_CREAT')) throw new Error(`${path} was opened and never made`);
          inode = this.#create(path, false);
        } else if (args.includes('O_TRUNC') && (this.#sizes.get(inode) ?? 0) > 0) this.#truncate(inode, 0);
        files.set(result, { inode, offset: 0, appends: args.includes('O_APPEND') });
        return;
      }
      case 'write':
      case 'writev':
      case 'pwrite64': {
        const file = files.get(Number.parseInt(args, 10));
        if (file === undefined || this.#local(pathOf(args) ?? '/') === undefined) return;
        const place = name === 'pwrite64' ? Number(args.slice(args.lastIndexOf(',') + 1)) : undefined;
        const offset = place ?? (file.appends ? (this.#sizes.get(file.inode) ?? 0) : file.offset);
        const bytes = Buffer.concat(stringsOf(args)).subarray(0, result);
        if (bytes.length !== result) throw new Error(`strace cut a write of ${result} bytes`);
        if (place === undefined) file.offset = offset + result;
        this.#sizes.set(file.inode, Math.max(this.#sizes.get(file.inode) ?? 0, offset + result));
        this.operations.push({ kind: 'write', inode: file.inode, offset, bytes });
        return;
      }
      case 'ftruncate': {
        const file = files.get(Number.parseInt(args, 10));
        if (file !== undefined && this.#local(pathOf(args) ?? '/') !== undefined)
          this.#truncate(file.inode, Number(args.slice(args.lastIndexOf(',') + 1)));
        return;
      }
      case 'mkdir': {
        const path = this.#local(absolute(args, first));
        if (path !== undefined) this.#create(path, true);
        return;
      }
      case 'link': {
        const from = this.#local(absolute(args, first));
        const to = this.#local(absolute(args, second));
        const inode = from === undefined ? undefined : this.#find(from);
        if (inode === undefined || to === undefined) return;
        const at = this.#entry(to);
        this.#folders.get(at.folder)?.set(at.name, inode);
        this.operations.push({ kind: 'link', at, inode });
        return;
      }
      case 'rename': {
        const [from, to] = [first, second].map((path) => this.#local(absolute(args, path)));
        if (from === undefined && to === undefined) return;
        if (from === undefined || to === undefined) throw new Error('a file moved from one disk to another');
        const moved = { from: this.#entry(from), to: this.#entry(to) };
        const inode = this.#find(from);
        if (inode === undefined) throw new Error(`${from} was renamed and never made`);
        this.#folders.get(moved.from.folder)?.delete(moved.from.name);
        this.#folders.get(moved.to.folder)?.set(moved.to.name, inode);
        this.operations.push({ kind: 'rename', ...moved });
        return;
      }
      case 'unlink':
      case 'rmdir': {
        const path = this.#local(absolute(args, first));
        if (path === undefined) return;
        const at = this.#entry(path);
        this.#folders.get(at.folder)?.delete(at.name);
        this.operations.push({ kind: 'remove', at });
        return;
      }
      default: {
        const paths = [pathOf(args), first, second].filter((path) => path !== undefined);
        if (paths.some((path) => this.#local(path) !== undefined))
          throw new Error(`the program calls ${name}, which the recorder does not know`);
      }
    }
  }

  #create(path: string, isFolder: boolean): Inode {
    const at = this.#entry(path);
    const inode = this.#inodes;
    this.#inodes += 1;
    if (isFolder) this.#folders.set(inode, new Map());
    this.#folders.get(at.folder)?.set(at.name, inode);
    this.operations.push({ kind: 'create', at, inode, isFolder });
    return inode;
  }

  #truncate(inode: Inode, size: number): void {
    this.#sizes.set(inode, size);
    this.operations.push({ kind: 'truncate', inode, size });
  }

  /** Path relative to the disk; undefined for a path outside it. */
  #local(path: string): string | undefined {
    if (path === this.#disk) return '';
    return path.startsWith(`${this.#disk}/`) ? path.slice(this.#disk.length + 1) : undefined;
  }

  #find(path: string): Inode | undefined {
    let found: Inode | undefined = ROOT;
    for (const name of path.split('/')) found = found === undefined ? undefined : this.#folders.get(found)?.get(name);
    return found;
  }

  #entry(path: string): Entry {
    const parent = dirname(path);
    const folder = parent === '.' ? ROOT : this.#find(parent);
    if (folder === undefined) throw new Error(`${parent} was never made`);
    return { folder, name: path.slice(path.lastIndexOf('/') + 1) };
  }
}

const ESCAPED = /^(?:\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})+)>/;
const QUOTED = /"((?:\\x[0-9a-f]{2})*)"/g;

/** Path of the descriptor that is the first argument of a call. */
function pathOf(args: string): string | undefined {
  const [, escaped] = ESCAPED.exec(args) ?? [];
  return escaped === undefined ? undefined : unescaped(escaped).toString();
}

function stringsOf(args: string): Buffer[] {
  return [...args.matchAll(QUOTED)].map(([, escaped = '']) => unescaped(escaped));
}

function unescaped(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
}

function absolute(args: string, path = '/'): string {
  return isAbsolute(path) ? path : join(pathOf(args) ?? '/', path);
}
