import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { readKeptCode, writeKeptCode } from './kept-code.js';

/** A script of the bundle in CommonJS form. */
interface Module {
  exports: unknown;
}

type Body = (
  exports: unknown,
  require: (id: string) => unknown,
  module: Module,
  filename: string,
  directory: string,
  importModule: (id: string) => Promise<unknown>,
) => void;

/**
 * Loads scripts, each one function of the CommonJS form in ASCII (`scripts/build.js`), with the code that V8 compiled
 * in an earlier run of the same entry (docs/decisions/0007-modules-at-start.md). The name of a script contains a hash
 * of its text, and the tag of kept code contains V8's version, its flags and the processor, so code for another
 * combination is never found.
 */
export class Bundle {
  readonly #folder: string;
  readonly #kept: string;
  readonly #modules = new Map<string, Module>();
  readonly #packages: NodeJS.Require;
  /** Scripts that had to be compiled, by the file in which their code will be kept. */
  readonly #compiled = new Map<string, Script>();

  /** `folder` holds the scripts; the code of the scripts of `entry` is kept in a folder of its own below `cache`. */
  constructor(folder: string, cache: string, entry: string) {
    this.#folder = folder;
    this.#kept = join(cache, String(cachedDataVersionTag()), entry);
    this.#packages = createRequire(join(folder, entry));
  }

  /** Exports of a script, by its path in the folder. */
  load(name: string): unknown {
    const loaded = this.#modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const module: Module = { exports: {} };
    this.#modules.set(name, module);
    const path = join(this.#folder, name);
    const body: Body = this.#compile(name, path).runInThisContext();
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const require = (id: string): unknown =>
      id.startsWith('.') ? this.load(besideOf(folder, id)) : this.#packages(id);
    body(module.exports, require, module, path, dirname(path), (id) => import(id));
    return module.exports;
  }

  /** Number of scripts without kept code. */
  get compiled(): number {
    return this.#compiled.size;
  }

  /**
   * Keeps the code of one script without kept code, with the functions that ran since; returns whether there may be
   * another.
   */
  keepOne(): boolean {
    for (const [file, script] of this.#compiled) {
      this.#compiled.delete(file);
      return writeKeptCode(file, script.createCachedData());
    }
    return false;
  }

  #compile(name: string, path: string): Script {
    const file = join(this.#kept, name);
    const cachedData = readKeptCode(file);
    const script = new Script(readFileSync(path, 'latin1'), {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#compiled.set(file, script);
    return script;
  }
}

/** The path that `id`, which begins with dots, names beside the scripts of `folder`; a start asks a thousand times. */
function besideOf(folder: string, id: string): string {
  if (id.startsWith('./')) return folder + id.slice('./'.length);
  const parent = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  const rest = id.slice('../'.length);
  return rest.startsWith('.') ? besideOf(parent, rest) : parent + rest;
}
