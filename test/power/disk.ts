/**
 * A disk at a power cut: what the file system may hold of the files in a trace when the power fails. Everything
 * before a completed sync is present; of everything else any part may be present.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Entry, type Inode, type Operation, type Trace } from './trace.js';

/**
 * Rule for the names that a sync makes durable. `journal`: one journal for all names, as in ext4. Any sync writes it
 * up to its moment, and a cut loses all names after some moment. `strict`: only the sync of a folder makes its names
 * durable, as POSIX promises. A cut loses the names of each folder after a moment of its own.
 */
export type NameRule = 'journal' | 'strict';

/** Rule for the unsynced part of a file at a cut. */
const LOSSES = ['nothing lost', 'all lost', 'torn', 'zero tail', 'reordered'] as const;
type Loss = (typeof LOSSES)[number];

interface NameChange {
  /** Position in the trace. */
  readonly place: number;
  readonly removed?: string;
  readonly added?: { readonly name: string; readonly inode: Inode };
}

interface Sync {
  readonly place: number;
  readonly begun: number;
}

interface DataChange {
  readonly place: number;
  readonly operation: Extract<Operation, { kind: 'write' | 'truncate' }>;
}

export class Disk {
  readonly #names = new Map<Inode, NameChange[]>();
  readonly #data = new Map<Inode, DataChange[]>();
  readonly #syncs = new Map<Inode, Sync[]>();
  readonly #everySync: Sync[] = [];

  constructor({ operations }: Trace) {
    this.#names.set(ROOT, []);
    const present = new Map<string, Inode>();
    const key = ({ folder, name }: Entry): string => `${folder}/${name}`;
    const change = (folder: Inode, changed: NameChange): void => void this.#names.get(folder)?.push(changed);
    for (const [place, operation] of operations.entries()) {
      switch (operation.kind) {
        case 'create':
        case 'link': {
          const { at, inode } = operation;
          present.set(key(at), inode);
          change(at.folder, { place, added: { name: at.name, inode } });
          if (operation.kind === 'create') (operation.isFolder ? this.#names : this.#data).set(inode, []);
          break;
        }
        case 'rename': {
          const { from, to } = operation;
          const inode = present.get(key(from));
          if (inode === undefined) throw new Error(`${from.name} is renamed and not there`);
          present.delete(key(from));
          present.set(key(to), inode);
          const added = { name: to.name, inode };
          if (from.folder === to.folder) change(to.folder, { place, removed: from.name, added });
          else {
            change(to.folder, { place, added });
            change(from.folder, { place, removed: from.name });
          }
          break;
        }
        case 'remove':
          present.delete(key(operation.at));
          change(operation.at.folder, { place, removed: operation.at.name });
          break;
        case 'write':
        case 'truncate':
          this.#data.get(operation.inode)?.push({ place, operation });
          break;
        case 'sync': {
          const sync = { place, begun: operation.begun };
          this.#everySync.push(sync);
          this.#syncs.set(operation.inode, [...(this.#syncs.get(operation.inode) ?? []), sync]);
          break;
        }
        case 'shown':
        case 'admitted':
        case 'reverting':
        case 'reverted':
        case 'life':
        case 'nothing':
      }
    }
  }

  /** Writes the files before the operation at `place` into the empty folder `target`, as programs see them. */
  copy(place: number, target: string): void {
    this.#write(
      target,
      () => place,
      (inode) => contentAfter((this.#data.get(inode) ?? []).filter((change) => change.place < place)),
    );
  }

  /**
   * Writes one possible state of the disk after a power cut before the operation at `place` into the empty folder
   * `target`. Returns the loss of each file, for error messages.
   */
  cut(place: number, { rule, unit, random }: CutOptions, target: string): readonly string[] {
    const notes: string[] = [];
    const journaled = between(random, lastBegun(this.#everySync, place), place);
    this.#write(
      target,
      (folder) => (rule === 'journal' ? journaled : this.#namesThrough(folder, place, random)),
      (inode, name) => this.#contentOf(inode, place, unit, random, (loss) => notes.push(`${name}: ${loss}`)),
    );
    return notes;
  }

  #write(
    target: string,
    through: (folder: Inode) => number,
    contentOf: (inode: Inode, name: string) => Uint8Array,
    folder = ROOT,
  ): void {
    mkdirSync(target, { recursive: true });
    const end = through(folder);
    const entries = new Map<string, Inode>();
    for (const { place, removed, added } of this.#names.get(folder) ?? []) {
      if (place >= end) break;
      if (removed !== undefined) entries.delete(removed);
      if (added !== undefined) entries.set(added.name, added.inode);
    }
    for (const [name, inode] of entries) {
      const path = join(target, name);
      if (this.#names.has(inode)) this.#write(path, through, contentOf, inode);
      else writeFileSync(path, contentOf(inode, name));
    }
  }

  #namesThrough(folder: Inode, place: number, random: () => number): number {
    const durable = lastBegun(this.#syncs.get(folder) ?? [], place);
    const doubtful = (this.#names.get(folder) ?? []).filter(
      (change) => change.place >= durable && change.place < place,
    );
    return doubtful[Math.floor(random() * (doubtful.length + 1))]?.place ?? place;
  }

  #contentOf(inode: Inode, place: number, unit: number, random: () => number, note: (loss: Loss) => void): Uint8Array {
    const durable = lastBegun(this.#syncs.get(inode) ?? [], place);
    const changes = this.#data.get(inode) ?? [];
    const old = contentAfter(changes.filter((change) => change.place < durable));
    const doubtful = changes.filter((change) => change.place >= durable && change.place < place);
    if (doubtful.length === 0) return old;
    const loss = LOSSES[Math.floor(random() * LOSSES.length)] ?? 'all lost';
    note(loss);
    const upTo = (count: number): Uint8Array =>
      contentAfter([...changes.filter((change) => change.place < durable), ...doubtful.slice(0, count)]);
    switch (loss) {
      case 'nothing lost':
        return upTo(doubtful.length);
      case 'all lost':
        return old;
      case 'torn': {
        const whole = Math.floor(random() * doubtful.length);
        const next = doubtful[whole];
        const after = upTo(whole + 1);
        if (next?.operation.kind !== 'write') return after;
        const { offset, bytes } = next.operation;
        const end = unit * Math.floor((offset + random() * bytes.length) / unit);
        const torn = mixed(upTo(whole), after, unit, (from) => from < end);
        return torn.subarray(0, Math.max(Math.min(torn.length, end), upTo(whole).length));
      }
      case 'zero tail': {
        const after = upTo(doubtful.length);
        const first = Math.min(...doubtful.map(({ operation }) => (operation.kind === 'write' ? operation.offset : 0)));
        const from = between(random, first, after.length);
        return mixed(old, after, unit, (start) => start + unit <= from);
      }
      case 'reordered': {
        const after = upTo(doubtful.length);
        const share = 0.1 + 0.8 * random();
        const kept = mixed(old, after, unit, () => random() < share);
        const size = random() < 0.5 ? after.length : between(random, Math.min(old.length, after.length), after.length);
        return kept.subarray(0, Math.max(size, Math.min(old.length, after.length)));
      }
    }
  }
}

export interface CutOptions {
  readonly rule: NameRule;
  /** Bytes that a disk writes entirely or not at all. */
  readonly unit: number;
  readonly random: () => number;
}

/** Everything before this position is durable by a sync that returned before `place`. */
function lastBegun(syncs: readonly Sync[], place: number): number {
  return syncs.reduce((last, sync) => (sync.place < place && sync.begun > last ? sync.begun : last), 0);
}

/** A whole number from `low` to `high`. */
function between(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

function contentAfter(changes: readonly DataChange[]): Uint8Array {
  let size = 0;
  let most = 0;
  for (const { operation } of changes) {
    size = operation.kind === 'truncate' ? operation.size : Math.max(size, operation.offset + operation.bytes.length);
    most = Math.max(most, size);
  }
  const content = new Uint8Array(most);
  for (const { operation } of changes) {
    if (operation.kind === 'write') content.set(operation.bytes, operation.offset);
    else content.fill(0, operation.size);
  }
  return content.subarray(0, size);
}

/** Mixes contents: new bytes in the units for which `isNew` is true of their first byte, and old bytes elsewhere. */
function mixed(old: Uint8Array, after: Uint8Array, unit: number, isNew: (from: number) => boolean): Uint8Array {
  const content = new Uint8Array(after.length);
  content.set(old.subarray(0, after.length));
  for (let from = 0; from < after.length; from += unit)
    if (isNew(from)) content.set(after.subarray(from, from + unit), from);
  return content;
}
