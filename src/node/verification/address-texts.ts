/** A store of texts by address: one file each in a folder of the home, or in memory. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hexData } from '../../core/bytes/hex.js';

export interface AddressTexts {
  read(address: Uint8Array): Promise<string | undefined>;
  /** Writes or replaces a text, or removes it if undefined; false if there are too many. */
  write(address: Uint8Array, text: string | undefined): Promise<boolean>;
}

export interface AddressTextsOptions {
  /** Created with the first text; undefined keeps texts in memory. */
  readonly folder: string | undefined;
  /** Folder of another node, read if an address has no text in memory. */
  readonly below?: string | undefined;
  /** Maximum number of texts. */
  readonly maximum: number;
}

/** Opens the store, in a folder or in memory. */
export function openAddressTexts({ folder, below, maximum }: AddressTextsOptions): AddressTexts {
  return folder === undefined ? inMemory(below, maximum) : inFolder(folder, maximum);
}

function nameOf(address: Uint8Array): string {
  return `${hexData(address)}.json`;
}

function inMemory(below: string | undefined, maximum: number): AddressTexts {
  const texts = new Map<string, string | undefined>();
  return {
    async read(address) {
      const name = nameOf(address);
      return below === undefined || texts.has(name) ? texts.get(name) : fileIn(below, name);
    },
    write(address, text) {
      const name = nameOf(address);
      const hasRoom = texts.has(name) || texts.size < maximum;
      const isForgotten = text === undefined && below === undefined;
      if (isForgotten) texts.delete(name);
      else if (hasRoom) texts.set(name, text);
      return Promise.resolve(isForgotten || hasRoom);
    },
  };
}

function inFolder(folder: string, maximum: number): AddressTexts {
  let written = 0;
  return {
    read: (address) => fileIn(folder, nameOf(address)),
    async write(address, text) {
      const name = nameOf(address);
      const file = join(folder, name);
      if (text === undefined) {
        await rm(file, { force: true });
        return true;
      }
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const names = (await readdir(folder)).filter((one) => one.endsWith('.json'));
      if (names.length >= maximum && !names.includes(name)) return false;
      written += 1;
      const part = `${file}.${written}.new`;
      await writeFile(part, text, { mode: 0o600 });
      await rename(part, file);
      return true;
    },
  };
}

function fileIn(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), 'utf8').catch(() => undefined);
}
