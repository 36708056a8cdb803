import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { artifactFolders, Artifacts } from '../../../src/node/activity/artifacts.js';
import { Token, Worker } from '../../contracts/index.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { temporaryFolder } from '../../support/temporary.js';

const names = async (artifacts: Artifacts): Promise<readonly string[] | undefined> =>
  (await artifacts.load())?.map(({ name }) => name).toSorted();

test('contracts of hardhat and of foundry are found, and other files are left out', async () => {
  const folder = temporaryFolder();
  const put = (path: string, json: unknown): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), typeof json === 'string' ? json : JSON.stringify(json));
  };
  put('artifacts/contracts/Token.sol/Token.json', { contractName: 'Token', ...Token });
  put('artifacts/contracts/Token.sol/Token.dbg.json', { contractName: 'Debug', ...Token });
  put('artifacts/build-info/1.json', { contractName: 'Whole', ...Token });
  put('out/Worker.sol/Worker.json', { abi: Worker.abi, bytecode: { object: Worker.bytecode } });
  put('out/Bare.json', Token.abi);
  put('out/broken.json', '{"abi": [');
  const artifacts = new Artifacts(PURE_KEY_CRYPTO, [
    join(folder, 'artifacts'),
    join(folder, 'out'),
    join(folder, 'no'),
  ]);
  expect(await names(artifacts)).toEqual(['Bare', 'Token', 'Worker']);
  expect(await names(artifacts)).toBeUndefined();
  rmSync(join(folder, 'out'), { recursive: true });
  put('artifacts/contracts/Worker.sol/Again.json', { contractName: 'Again', ...Worker });
  expect(await names(artifacts)).toEqual(['Again', 'Token']);
});

test('folders that are named replace the usual ones', () => {
  expect(artifactFolders(['a', 'b'])).toEqual(['a', 'b']);
  expect(artifactFolders([])).toEqual(['artifacts', 'out']);
});
