/** Artifacts of contracts in the working directory, found by code, also after files were added, changed or removed. */
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hexData } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toTimeNs } from '../../../src/core/primitives.js';
import { artifactFiles } from '../../../src/node/activity/artifact-files.js';
import { CompiledContracts } from '../../../src/node/verification/compiled-contracts.js';
import { temporaryFolder } from '../../support/temporary.js';

const ABI = [{ type: 'function', name: 'f', inputs: [], outputs: [] }];
/** A program of 40 bytes and the metadata behind it: a map with one entry, and its length. */
const codeOf = (sources: number, program = 1): Uint8Array =>
  new Uint8Array([...Array.from({ length: 40 }, () => program), 0xa1, 0x61, 0x61, sources, 0, 4]);

function project() {
  const folder = temporaryFolder();
  let now = 0n;
  let changed = 1;
  return {
    folder,
    contracts: new CompiledContracts([join(folder, 'artifacts'), join(folder, 'out')], {
      now: () => toTimeNs(now),
    }),
    put: (path: string, json: unknown): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), typeof json === 'string' ? json : JSON.stringify(json));
      utimesSync(join(folder, path), changed, changed);
      changed += 1;
    },
    elapse: () => (now += BigInt(FIXED_LIMITS.artifactsRereadMs) * 1_000_000n),
  };
}

test('code is found in artifacts of hardhat and foundry, with or without equal metadata', async () => {
  const { contracts, put } = project();
  put('artifacts/contracts/A.sol/A.json', {
    contractName: 'A',
    sourceName: 'contracts/A.sol',
    abi: ABI,
    deployedBytecode: hexData(codeOf(1)),
  });
  put('out/B.sol/B.json', { abi: ABI, deployedBytecode: { object: hexData(codeOf(2)), immutableReferences: {} } });
  put('out/Broken.json', '{');
  put('out/List.json', ABI);
  expect(await contracts.find(codeOf(1))).toEqual({ name: 'A', abi: ABI, runtime: 'exact_match' });
  expect(await contracts.find(codeOf(2))).toEqual({ name: 'B', abi: ABI, runtime: 'exact_match' });
  // other comments in the sources
  expect(await contracts.find(codeOf(3))).toMatchObject({ runtime: 'match' });
  expect(await contracts.find(codeOf(1, 2))).toBeUndefined();
  expect(await contracts.find(new Uint8Array())).toBeUndefined();
});

test('code with equal metadata wins over code with other metadata, whichever file is read first', async () => {
  const { contracts, put } = project();
  put('artifacts/Earlier.json', { abi: ABI, deployedBytecode: hexData(codeOf(1)) });
  put('out/Later.json', { abi: ABI, deployedBytecode: hexData(codeOf(2)) });
  for (const [sources, name] of [
    [1, 'Earlier'],
    [2, 'Later'],
  ] as const)
    expect(await contracts.find(codeOf(sources))).toMatchObject({ name, runtime: 'exact_match' });
  // neither has equal metadata
  expect(await contracts.find(codeOf(3))).toMatchObject({ name: 'Earlier', runtime: 'match' });
});

test('immutable values are ignored at the places that an artifact names, or at zeros of hardhat 2', async () => {
  const { contracts, put } = project();
  const compiled = codeOf(1);
  compiled.fill(0, 10, 30);
  const deployed = compiled.slice().fill(7, 10, 30);
  const places = { 3: [{ start: 10, length: 20 }] };
  put('out/F.json', { abi: ABI, deployedBytecode: { object: hexData(compiled), immutableReferences: places } });
  expect(await contracts.find(deployed)).toMatchObject({ name: 'F', runtime: 'exact_match' });
  const others = project();
  others.put('artifacts/H.json', { contractName: 'H', abi: ABI, deployedBytecode: hexData(compiled) });
  expect(await others.contracts.find(deployed)).toMatchObject({ name: 'H', runtime: 'match' });
  const none = project();
  none.put('out/N.json', { abi: ABI, deployedBytecode: { object: hexData(compiled), immutableReferences: {} } });
  expect(await none.contracts.find(deployed)).toBeUndefined();
});

test('added, changed and removed artifacts are noticed at the next lookup after a pause', async () => {
  const { contracts, put, elapse, folder } = project();
  expect(await contracts.find(codeOf(1))).toBeUndefined();
  put('out/A.json', { abi: ABI, deployedBytecode: hexData(codeOf(1)) });
  expect(await contracts.find(codeOf(1))).toBeUndefined();
  elapse();
  const found = await Promise.all([contracts.find(codeOf(1)), contracts.find(codeOf(1))]);
  expect(found.map((one) => one?.name)).toEqual(['A', 'A']);
  // an interface of the same code is read again at once
  put('out/A.json', { abi: [], deployedBytecode: hexData(codeOf(1)) });
  expect(await contracts.find(codeOf(1))).toMatchObject({ abi: [] });
  put('out/A.json', { abi: ABI, deployedBytecode: hexData(codeOf(1, 9)) });
  elapse();
  expect(await contracts.find(codeOf(1))).toBeUndefined();
  elapse();
  expect(await contracts.find(codeOf(1, 9))).toMatchObject({ name: 'A' });
  rmSync(join(folder, 'out'), { recursive: true });
  expect(await contracts.find(codeOf(1, 9))).toBeUndefined();
});

test('symbolic links below the artifact folders are not followed', async () => {
  const { put, folder } = project();
  put('elsewhere/S.json', { abi: ABI, deployedBytecode: hexData(codeOf(1)) });
  put('run/out/Real.json', ABI);
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'run', 'artifacts'));
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'run', 'out', 'more'));
  symlinkSync(join(folder, 'elsewhere', 'S.json'), join(folder, 'run', 'out', 'S.json'));
  const run = join(folder, 'run');
  expect([...(await artifactFiles(['artifacts', 'out'], run)).keys()]).toEqual([join(run, 'out', 'Real.json')]);
  // a folder that an option names may be anywhere
  expect([...(await artifactFiles([join(folder, 'run', 'artifacts')])).keys()]).toHaveLength(1);
});

test('storage layouts come from the build-info files of hardhat 2 and 3', async () => {
  const { contracts, put, folder } = project();
  const layout = { storage: [], types: null };
  const artifact = (name: string, sources: number): object => ({
    contractName: name,
    sourceName: `contracts/${name}.sol`,
    abi: ABI,
    deployedBytecode: hexData(codeOf(sources)),
  });
  const built = (source: string, name: string): object => ({
    output: { contracts: { [source]: { [name]: { abi: ABI, storageLayout: layout, evm: {} } } } },
  });
  put('artifacts/contracts/Two.sol/Two.json', artifact('Two', 1));
  put('artifacts/contracts/Two.sol/Two.dbg.json', { buildInfo: '../../build-info/aa.json' });
  put('artifacts/build-info/aa.json', built('contracts/Two.sol', 'Two'));
  const third = { inputSourceName: 'project/contracts/Three.sol', buildInfoId: 'solc-0_8-bb' };
  put('artifacts/contracts/Three.sol/Three.json', { ...artifact('Three', 2), ...third });
  put('artifacts/build-info/solc-0_8-bb.output.json', built('project/contracts/Three.sol', 'Three'));
  put('artifacts/contracts/None.sol/None.json', artifact('None', 3));
  put('artifacts/contracts/None.sol/None.dbg.json', { buildInfo: '../../build-info/absent.json' });
  put('artifacts/contracts/Out.sol/Out.json', artifact('Out', 4));
  put('artifacts/contracts/Out.sol/Out.dbg.json', { buildInfo: '../../../../elsewhere/cc.json' });
  put('elsewhere/cc.json', built('contracts/Out.sol', 'Out'));
  expect(await contracts.find(codeOf(1))).toMatchObject({ name: 'Two', storageLayout: layout });
  expect(await contracts.find(codeOf(2))).toMatchObject({ name: 'Three', storageLayout: layout });
  for (const [code, name] of [
    [codeOf(3), 'None'],
    [codeOf(4), 'Out'],
  ] as const)
    expect(await contracts.find(code)).toEqual({ name, abi: ABI, runtime: 'exact_match', storageLayout: undefined });
  // it is read once for an artifact
  rmSync(join(folder, 'artifacts', 'build-info'), { recursive: true });
  expect(await contracts.find(codeOf(1))).toMatchObject({ storageLayout: layout });
});
