import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Script } from 'node:vm';
import { readKeptCode, writeKeptCode } from './kept-code.js';

/** A script in CommonJS form. */
interface Module {
  exports: unknown;
}

/**
 * Loads CommonJS scripts of a build with V8's code cache from an earlier run. A script's name contains a hash of its
 * text (`scripts/build.js`), so a cache file always fits its script.
 */
export class Bundle {
  readonly #folder: string;
  readonly #kept: string;
  readonly #modules = new Map<string, Module>();
  readonly #packages: NodeJS.Require;
  /** Scripts without a cached code, by their future cache file. */
  readonly #compiled = new Map<string, Script>();

  /** `folder`: the scripts; `kept`: parent folder of the code cache. */
  constructor(folder: string, kept: string) {
    this.#folder = folder;
    this.#kept = kept;
    this.#packages = createRequire(join(folder, 'code.cjs'));
  }

  /** Exports of the script at `path`. */
  load(path: string): unknown {
    const loaded = this.#modules.get(path);
    if (loaded !== undefined) return loaded.exports;
    const module: Module = { exports: {} };
    this.#modules.set(path, module);
    const folder = dirname(path);
    const require = (id: string): unknown => (id.startsWith('.') ? this.load(join(folder, id)) : this.#packages(id));
    this.#compile(path).runInThisContext()(module.exports, require, module, path, folder);
    return module.exports;
  }

  /** Number of compiled scripts that are not in the code cache yet. */
  get compiled(): number {
    return this.#compiled.size;
  }

  /** Writes the code cache of one script, including functions that ran since; returns false when none is left. */
  keepOne(): boolean {
    for (const [file, script] of this.#compiled) {
      this.#compiled.delete(file);
      return writeKeptCode(file, script.createCachedData());
    }
    return false;
  }

  #compile(path: string): Script {
    const file = join(this.#kept, relative(this.#folder, path));
    const cachedData = readKeptCode(file);
    const text = readFileSync(path, 'utf8');
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected === true) this.#compiled.set(file, script);
    return script;
  }
}
