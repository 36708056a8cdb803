/**
 * Collects the licences of the crates in `engine/engine.wasm`: the dependencies of the engine, and the crates of
 * Rust's standard library, which are compiled into it. `scripts/build-engine.js` writes the text to
 * `engine/LICENSES.txt`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LINE = `\n${'-'.repeat(80)}\n\n`;
/** Licence text for crates that name the MIT licence but ship no file of it. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Licences that demand no notice in compiled code; they get one line. */
const FREE = new Map([
  ['CC0-1.0', 'Dedicated to the public domain: https://creativecommons.org/publicdomain/zero/1.0/legalcode'],
  [
    'Apache-2.0 WITH LLVM-exception',
    'Parts are under the Apache License 2.0 with the LLVM exception, which frees portions that a compiler embeds into object code from its conditions (https://spdx.org/licenses/LLVM-exception.html).',
  ],
]);

/**
 * Crates that the crate at `manifest` links, without procedural macros, which only the compiler runs.
 *
 * @param {string} manifest path of a Cargo.toml
 * @param {{ cargo: string, target: string, env: NodeJS.ProcessEnv }} tools
 * @returns {{ name: string, version: string, licence: string, folder: string, authors: readonly string[] }[]}
 */
function cratesOf(manifest, { cargo, target, env }) {
  const ask = (...args) =>
    execFileSync(cargo, [...args, '--locked', '--manifest-path', manifest], {
      encoding: 'utf8',
      env,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const tree = ask('tree', '--target', target, '-e', 'normal,no-proc-macro', '--prefix', 'none', '-f', '{p}');
  const linked = new Set([...tree.matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`));
  return JSON.parse(ask('metadata', '--format-version', '1'))
    .packages.filter(({ name, version }) => linked.has(`${name} ${version}`) && name !== 'chronicle-engine')
    .map(({ name, version, license, authors, manifest_path: path }) => ({
      name,
      version,
      licence: license.replaceAll('/', ' OR '),
      folder: dirname(path),
      // Crates of the standard library name no authors.
      authors: authors.length > 0 ? authors : ['The Rust Project Contributors'],
    }));
}

/** Licence text of a crate. If it offers several licences, MIT is preferred. */
function termsOf({ name, licence, folder, authors }) {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying)/i.test(entry.name))
    .map(({ name: file }) => file)
    .toSorted();
  const mit = licence.split(' OR ').includes('MIT') ? files.filter((file) => /mit/i.test(file)) : [];
  const chosen = mit.length > 0 ? mit : files;
  if (chosen.length > 0)
    return chosen.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim()).join('\n\n');
  const free = licence.split(' AND ').flatMap((one) => FREE.get(one) ?? []);
  if (!/\bMIT\b/.test(licence)) {
    if (free.length === 0) throw new Error(`${name} (${licence}) has no file of its licence`);
    return free.join('\n');
  }
  const owners = authors.map((author) => author.replace(/ <.*>$/, '')).join(', ');
  return [`Copyright (c) ${owners}`, MIT, ...free].join('\n\n');
}

/**
 * The text of `engine/LICENSES.txt`. Crates with the same licence text share one section.
 *
 * @param {string} engine folder of the engine
 * @param {string} std folder of the sources of Rust's standard library
 * @param {{ cargo: string, target: string, env: NodeJS.ProcessEnv }} tools
 */
export function engineLicences(engine, std, tools) {
  const library = join(std, 'library', 'std', 'Cargo.toml');
  if (!existsSync(library)) throw new Error(`there are no sources of the standard library in ${std}`);
  const crates = [...cratesOf(join(engine, 'Cargo.toml'), tools), ...cratesOf(library, tools)];
  const named = new Map(crates.map((crate) => [`${crate.name} ${crate.version} (${crate.licence})`, crate]));
  const groups = new Map();
  for (const name of [...named.keys()].toSorted()) {
    const terms = termsOf(named.get(name));
    groups.set(terms, [...(groups.get(terms) ?? []), name]);
  }
  return [...groups].map(([terms, names]) => `${names.join('\n')}\n\n${terms}\n`).join(LINE);
}
