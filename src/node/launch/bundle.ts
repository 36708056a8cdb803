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
 * CommonJS scripts of a build, compiled with the code that V8 kept in an earlier run. The name of a script contains a
 * hash of its text (`scripts/build.js`), so kept code never belongs to another text.
 */
export class Bundle {
  readonly #folder: string;
  readonly #kept: string;
  readonly #modules = new Map<string, Module>();
  readonly #packages: NodeJS.Require;
  /** Scripts that had to be compiled, by the file in which their code will be kept. */
  readonly #compiled = new Map<string, Script>();

  /** The scripts of `folder`; their code is kept below the folder `kept`. */
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

  /** Number of scripts that had to be compiled and whose code is not kept yet. */
  get compiled(): number {
    return this.#compiled.size;
  }

  /** Keeps the code of one script, with the functions that ran since; returns whether there may be another. */
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
