import { lstat, readFile } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { FIXED_LIMITS } from '../../core/limits/limits.js';
import { asObject } from '../../core/text/json-object.js';
import { contractIn } from '../../core/verification/match-code.js';

/**
 * Reads the storage layout of a hardhat artifact from the compiler output in `artifacts/build-info`; undefined if the
 * compiler settings did not request it. `path`: path of the artifact.
 */
export async function layoutOfBuild(path: string, artifact: unknown): Promise<object | undefined> {
  const { contractName, sourceName, inputSourceName = sourceName, buildInfoId } = asObject(artifact) ?? {};
  const end = `${sep}${join(String(sourceName), `${String(contractName)}.json`)}`;
  if (!path.endsWith(end)) return undefined;
  // Hardhat 3 names the build in the artifact, hardhat 2 in a file beside it.
  const { buildInfo } = asObject(await jsonIn(path.replace(/\.json$/, '.dbg.json'))) ?? {};
  const file = typeof buildInfoId === 'string' ? `${buildInfoId}.output.json` : buildInfo;
  if (typeof file !== 'string') return undefined;
  const build = join(path.slice(0, -end.length), 'build-info', basename(file));
  const output = (await isReadable(build)) ? asObject(await jsonIn(build))?.['output'] : undefined;
  return asObject(contractIn(output, `${String(inputSourceName)}:${String(contractName)}`)?.storageLayout);
}

/** Reads a JSON file; undefined if it is invalid, for example while a program writes it. */
export async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** True for a file of this folder that is not too large to parse. */
async function isReadable(path: string): Promise<boolean> {
  try {
    const folder = await lstat(join(path, '..'));
    const file = await lstat(path);
    return folder.isDirectory() && file.isFile() && file.size <= FIXED_LIMITS.buildInfoBytes;
  } catch {
    return false;
  }
}
