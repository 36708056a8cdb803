import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Contract } from '../../../src/core/abi/contract.js';
import type { AbiItem } from '../../../src/core/abi/item.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { GivenContracts } from '../../../src/node/dev/given-contracts.js';
import { artifactFolders } from '../../../src/node/activity/artifact-files.js';
import { Artifacts } from '../../../src/node/activity/artifacts.js';
import { Token, Worker } from '../../contracts/index.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';
import { temporaryFolder } from '../../support/temporary.js';

const names = async (artifacts: Artifacts): Promise<readonly string[] | undefined> =>
  (await artifacts.load())?.map(({ name }) => name).toSorted();

test('artifacts of hardhat and foundry are loaded, and other files are ignored', async () => {
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

test('contracts that clients supplied are loaded without artifacts, and again after each change', async () => {
  const given = new GivenContracts();
  const contract = (name: string): Contract => ({ name, items: [], creation: undefined, deployed: undefined });
  const artifacts = new Artifacts(PURE_KEY_CRYPTO, [], () => given.all);
  expect(await names(artifacts)).toBeUndefined();
  given.add(new Map([['a.sol:Old', contract('Old')]]));
  expect(await names(artifacts)).toEqual(['Old']);
  expect(await names(artifacts)).toBeUndefined();
  given.add(
    new Map([
      ['a.sol:Old', contract('New')],
      ['b.sol:Other', contract('Other')],
    ]),
  );
  expect(await names(artifacts)).toEqual(['New', 'Other']);
  const many = Array.from({ length: FIXED_LIMITS.artifacts }, (_, at) => [`${at}`, contract('Many')] as const);
  expect(given.add(new Map(many))).toMatchObject({ ok: false, error: { code: 'limit-exceeded', limit: 'artifacts' } });
  expect(given.all).toHaveLength(2);
});

test('contracts that clients supplied come before those of artifact folders', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'Filed.json'), JSON.stringify({ contractName: 'Filed', ...Token }));
  const given = new GivenContracts();
  given.add(new Map([['a.sol:Given', { name: 'Given', items: [], creation: undefined, deployed: undefined }]]));
  const loaded = await new Artifacts(PURE_KEY_CRYPTO, [folder], () => given.all).load();
  expect(loaded?.map(({ name }) => name)).toEqual(['Given', 'Filed']);
});

test('contracts that clients supplied have a byte limit, and a new one replaces that of the same name', () => {
  const given = new GivenContracts();
  const half = FIXED_LIMITS.suppliedContractBytes / 2;
  const refused = { ok: false, error: { code: 'limit-exceeded', limit: 'suppliedContractBytes' } };
  const heavy = (part: Partial<Contract>): ReadonlyMap<string, Contract> => {
    const contract = { name: 'Heavy', items: [], creation: undefined, deployed: undefined, ...part };
    return new Map([[JSON.stringify(Object.keys(part)), contract]]);
  };
  const code = (length: number) => ({ bytes: new Uint8Array(length), links: [] });
  const links = { bytes: new Uint8Array(1), links: Array.from({ length: half / 8 }, () => 0) };
  const named: AbiItem = { kind: 'error', name: 'x'.repeat(half), inputs: [], outputs: [], selector: '0x' };
  expect(given.add(heavy({ deployed: code(half) }))).toMatchObject({ ok: true });
  for (const part of [{ creation: code(half) }, { creation: links }, { items: [named] }, { name: 'x'.repeat(half) }])
    expect(given.add(heavy(part))).toMatchObject(refused);
  expect(
    given.add(new Map([['x'.repeat(half), { name: 'A', items: [], creation: undefined, deployed: undefined }]])),
  ).toMatchObject(refused);
  expect(given.all).toHaveLength(1);
  expect(given.add(heavy({ deployed: code(half + 1) }))).toMatchObject({ ok: true });
  expect(given.all.map(({ deployed }) => deployed?.bytes.length)).toEqual([half + 1]);
});

test('named artifact folders replace the default ones', () => {
  expect(artifactFolders(['a', 'b'])).toEqual(['a', 'b']);
  expect(artifactFolders([])).toEqual(['artifacts', 'out']);
});
