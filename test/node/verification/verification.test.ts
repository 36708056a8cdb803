import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import type { EthereumApi } from '../../../src/core/ethereum/api.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { toHeight } from '../../../src/core/primitives.js';
import type {
  VerificationApi,
  VerificationJob,
  VerificationRequest,
  VerifiedContract,
} from '../../../src/core/verification/api.js';
import { withSourcify } from '../../../src/adapters/sourcify/index.js';
import type { Compilation, Compile } from '../../../src/node/verification/compilers.js';
import { openAddressTexts } from '../../../src/node/verification/address-texts.js';
import { verifiedContracts } from '../../../src/node/verification/verified-contracts.js';
import { createVerification } from '../../../src/node/verification/verification.js';
import { crypto } from '../../core/app/support.js';
import { temporaryFolder } from '../../support/temporary.js';

const address = new Uint8Array(20).fill(7);
const code = concat(new Uint8Array(40).fill(0x5b), Uint8Array.of(0xa1), new Uint8Array(10), Uint8Array.of(0, 11));
const ABI = [{ type: 'function', name: 'f', inputs: [], outputs: [], stateMutability: 'view' }];
const OUTPUT = {
  contracts: {
    'src/A.sol': {
      A: { abi: ABI, metadata: '{"language":"Solidity"}', evm: { deployedBytecode: { object: hex(code) } } },
    },
  },
};
const request: VerificationRequest = {
  address,
  input: { language: 'Solidity', sources: { 'src/A.sol': { content: 'contract A {}' } }, settings: { viaIR: true } },
  output: undefined,
  compilerVersion: '0.8.30+commit.73712a01',
  contractIdentifier: 'src/A.sol:A',
  creationTransaction: undefined,
};

interface Chain {
  code: Uint8Array;
}

function verification(
  chain: Chain,
  compile: Compile = () => Promise.resolve({ ok: true, output: OUTPUT }),
  folder?: string,
): VerificationApi {
  const api: Pick<EthereumApi, 'chainId' | 'blockNumber' | 'code' | 'transaction'> = {
    chainId: 271_828n,
    blockNumber: () => toHeight(1n),
    code: () => ({ ok: true, value: chain.code }),
    transaction: () => undefined,
  };
  let ids = 0;
  return createVerification({
    api,
    crypto,
    compile,
    contracts: verifiedContracts(openAddressTexts({ folder, maximum: FIXED_LIMITS.verifiedContracts })),
    newId: () => `00000000-0000-0000-0000-${String((ids += 1)).padStart(12, '0')}`,
    now: () => '2026-01-01T00:00:00Z',
    onDefect: (error) => {
      throw error;
    },
  });
}

async function ended(api: VerificationApi, asked: VerificationRequest = request): Promise<VerificationJob['result']> {
  const begun = await api.begin(asked);
  if (!begun.ok) return begun;
  for (;;) {
    const job = api.job(begun.id);
    if (job?.result !== undefined) return job.result;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const codeOf = (result: VerificationJob['result']): string | undefined =>
  result?.ok === false ? result.error.code : undefined;

test('a verified contract is stored in the home, and is valid until its code changes', async () => {
  const folder = join(temporaryFolder(), 'verified');
  const chain = { code };
  const api = verification(chain, undefined, folder);
  // a job keeps no sources
  expect(await ended(api)).toEqual({
    ok: true,
    contract: { runtime: 'exact_match', creation: undefined, verifiedAt: '2026-01-01T00:00:00Z' },
  });
  expect(await api.contract(address)).toMatchObject({ runtime: 'exact_match', name: 'A', abi: ABI });
  expect(readdirSync(folder)).toEqual([`0x${hex(address)}.json`]);
  const later = verification(chain, undefined, folder);
  expect(await later.contract(address)).toMatchObject({
    sources: { 'src/A.sol': 'contract A {}' },
    settings: { viaIR: true },
  });
  expect(await later.begin(request)).toMatchObject({ ok: false, error: { code: 'already_verified' } });
  chain.code = code.slice(1);
  expect(await later.contract(address)).toBeUndefined();
  chain.code = code;
  writeFileSync(join(folder, `0x${hex(address)}.json`), '{"codeHash":1}');
  expect(await later.contract(address)).toBeUndefined();
});

test('a failed verification has an error code and stores nothing', async () => {
  const folder = join(temporaryFolder(), 'verified');
  const failing = (answer: Compilation) => verification({ code }, () => Promise.resolve(answer), folder);
  expect(codeOf(await ended(verification({ code: new Uint8Array() })))).toBe('contract_not_deployed');
  expect(codeOf(await ended(verification({ code: code.slice(1) }, undefined, folder)))).toBe('no_match');
  expect(codeOf(await ended(failing({ ok: false, code: 'compiler_not_found', message: 'no solc' })))).toBe(
    'compiler_not_found',
  );
  const errors = [{ severity: 'error', formattedMessage: 'ParserError' }];
  expect(await ended(failing({ ok: true, output: { errors } }))).toEqual({
    ok: false,
    error: { code: 'compiler_error', message: 'ParserError' },
  });
  const other = { ...request, contractIdentifier: 'src/A.sol:B' };
  expect(codeOf(await ended(verification({ code }), other))).toBe('contract_not_found');
  expect(existsSync(folder)).toBe(false);
});

test('a supplied compiler output runs no compiler; a compiler runs without the model checker settings', async () => {
  const never: Compile = () => Promise.reject(new Error('no compiler runs'));
  expect(await ended(verification({ code }, never), { ...request, output: OUTPUT })).toMatchObject({ ok: true });
  const inputs: object[] = [];
  const seen: Compile = (_, input) => {
    inputs.push(input);
    return Promise.resolve({ ok: true, output: OUTPUT });
  };
  const settings = { viaIR: true, modelChecker: { solvers: ['smtlib2'] } };
  await ended(verification({ code }, seen), { ...request, input: { ...request.input, settings } });
  expect(inputs).toMatchObject([{ settings: { viaIR: true, outputSelection: { '*': { '*': expect.anything() } } } }]);
  expect(JSON.stringify(inputs)).not.toContain('modelChecker');
});

test('a contract above the byte limit is refused, in memory and in a home', async () => {
  const content = 'é'.repeat(FIXED_LIMITS.verifiedContractBytes / 2);
  const large = { ...request, input: { ...request.input, sources: { 'src/A.sol': { content } } } };
  for (const folder of [undefined, join(temporaryFolder(), 'verified')]) {
    const api = verification({ code }, undefined, folder);
    expect(codeOf(await ended(api, large))).toBe('limit_exceeded');
    expect(await api.contract(address)).toBeUndefined();
  }
});

test('the number of verified contracts has a limit, which allows a contract to be verified again', async () => {
  const maximum = FIXED_LIMITS.verifiedContracts;
  const contracts = verifiedContracts(openAddressTexts({ folder: undefined, maximum }));
  const verified = { codeHash: '0x' } as VerifiedContract;
  const addressOf = (index: number): Uint8Array => concat(new Uint8Array(18), Uint8Array.of(index >> 8, index & 0xff));
  for (let index = 0; index < FIXED_LIMITS.verifiedContracts; index += 1)
    expect(await contracts.write(addressOf(index), verified)).toBeUndefined();
  expect(await contracts.write(addressOf(5), verified)).toBeUndefined();
  expect(await contracts.write(addressOf(FIXED_LIMITS.verifiedContracts), verified)).toContain('verifiedContracts');
});

test('a verification above the limit of waiting jobs is refused', async () => {
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const slow: Compile = () => held.then(() => ({ ok: true, output: OUTPUT }));
  const api = verification({ code }, slow);
  for (let index = 0; index < FIXED_LIMITS.verificationJobs; index += 1)
    expect(await api.begin(request)).toMatchObject({ ok: true });
  expect(await api.begin(request)).toMatchObject({ ok: false, error: { code: 'limit_exceeded' } });
  go();
  await held;
});

const BASE = '/v2/verify/271828/0x0707070707070707070707070707070707070707';
const BODY = {
  stdJsonInput: request.input,
  compilerVersion: `v${request.compilerVersion}`,
  contractIdentifier: request.contractIdentifier,
};

test('the Sourcify API answers the requests of forge and hardhat', async () => {
  const handler = withSourcify(verification({ code }), crypto, () => ({ status: 418, headers: {}, body: '' }));
  const ask = async (method: string, path: string, body: unknown = '', type = 'application/json') => {
    const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
    const answer = await handler({
      method,
      path: path.split('?')[0] ?? '',
      query: path.split('?')[1] ?? '',
      headers: new Map([['content-type', type]]),
      body: bytes,
    });
    const text = 'body' in answer ? String(answer.body) : '';
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
  };
  const none = await ask('GET', '/v2/contract/271828/0x0707070707070707070707070707070707070707');
  expect(none).toMatchObject({ status: 404, body: { match: null, creationMatch: null, runtimeMatch: null } });
  const begun = await ask('POST', BASE, BODY);
  expect(begun.status).toBe(202);
  const jobPath = `/v2/verify/${begun.body.verificationId}`;
  let job = await ask('GET', jobPath);
  while (job.body.isJobCompleted === false) {
    await new Promise((resolve) => setImmediate(resolve));
    job = await ask('GET', jobPath);
  }
  expect(job.body).toMatchObject({
    isJobCompleted: true,
    verificationId: begun.body.verificationId,
    contract: { match: 'exact_match', chainId: '271828', address: '0x0707070707070707070707070707070707070707' },
  });
  expect(job.body.error).toBeUndefined();
  const found = await ask('GET', '/v2/contract/271828/0x0707070707070707070707070707070707070707?fields=abi');
  expect(found).toMatchObject({ status: 200, body: { runtimeMatch: 'exact_match', abi: ABI } });
  expect(found.body.sources).toBeUndefined();
  expect((await ask('POST', BASE, BODY)).status).toBe(409);
  expect(
    (await ask('GET', '/v2/contract/271828/0x0707070707070707070707070707070707070707?fields=all')).body,
  ).toMatchObject({ metadata: { language: 'Solidity' }, sources: { 'src/A.sol': { content: 'contract A {}' } } });
  const shown = await ask('GET', '/repo-ui/271828/0x0707070707070707070707070707070707070707');
  expect([shown.status, shown.headers['location']]).toEqual([
    302,
    '/address/0x0707070707070707070707070707070707070707',
  ]);

  const refused: readonly (readonly [string, string, unknown, number, string])[] = [
    ['POST', BASE.replace('271828', '1'), BODY, 400, 'unsupported_chain'],
    ['POST', BASE, 'no JSON', 400, 'invalid_parameter'],
    ['POST', BASE, { ...BODY, contractIdentifier: 'A' }, 400, 'invalid_parameter'],
    ['POST', BASE, { ...BODY, compilerVersion: '../solc' }, 400, 'invalid_parameter'],
    ['POST', BASE, { ...BODY, stdJsonInput: { language: 'Vyper', sources: {} } }, 400, 'invalid_parameter'],
    [
      'POST',
      BASE,
      { ...BODY, stdJsonInput: { language: 'Solidity', sources: { a: { urls: ['/etc/passwd'] } } } },
      400,
      'invalid_parameter',
    ],
    ['GET', '/v2/verify/00000000-0000-0000-0000-0000000000ff', '', 404, 'job_not_found'],
    ['GET', '/v2/other', '', 404, 'route_not_found'],
  ];
  for (const [method, path, body, status, customCode] of refused)
    expect(await ask(method, path, body), `${path} ${JSON.stringify(body)}`).toMatchObject({
      status,
      body: { customCode, errorId: expect.any(String) },
    });
  expect((await ask('POST', BASE, BODY, 'text/plain')).status).toBe(415);
  expect((await ask('GET', '/')).status).toBe(418);
});

test('metadata that is not JSON is answered as null', async () => {
  const { A } = OUTPUT.contracts['src/A.sol'];
  const output = { contracts: { 'src/A.sol': { A: { ...A, metadata: 'no JSON' } } } };
  const api = verification({ code });
  expect(await ended(api, { ...request, output })).toMatchObject({ ok: true });
  const found = await withSourcify(api, crypto, () => ({ status: 418, headers: {}, body: '' }))({
    method: 'GET',
    path: '/v2/contract/271828/0x0707070707070707070707070707070707070707',
    query: 'fields=metadata',
    headers: new Map(),
    body: new Uint8Array(),
  });
  expect('body' in found && JSON.parse(String(found.body))).toMatchObject({ match: 'exact_match', metadata: null });
});

test('a verification may be requested with metadata and sources, or with a build-info', async () => {
  const requests: VerificationRequest[] = [];
  const api: VerificationApi = {
    chainId: 271_828n,
    begin(asked) {
      requests.push(asked);
      return Promise.resolve({ ok: true, id: 'x' });
    },
    job: () => undefined,
    contract: () => Promise.resolve(undefined),
  };
  const handler = withSourcify(api, crypto, () => ({ status: 418, headers: {}, body: '' }));
  const post = (path: string, body: unknown) =>
    handler({
      method: 'POST',
      path,
      query: '',
      headers: new Map([['content-type', 'application/json']]),
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
  const metadata = {
    language: 'Solidity',
    compiler: { version: request.compilerVersion },
    sources: { 'src/A.sol': { keccak256: '0x' } },
    settings: { viaIR: true, compilationTarget: { 'src/A.sol': 'A' } },
  };
  await post(BASE.replace('/verify/', '/verify/metadata/'), { metadata, sources: { 'src/A.sol': 'contract A {}' } });
  expect(requests[0]).toEqual(request);
  const buildInfo = { solcLongVersion: request.compilerVersion, input: request.input, output: OUTPUT };
  await post(BASE, { buildInfo, contractIdentifier: request.contractIdentifier });
  expect(requests[1]).toEqual({ ...request, output: OUTPUT });
  const absent = await post(BASE.replace('/verify/', '/verify/metadata/'), { metadata, sources: {} });
  expect(absent.status).toBe(400);
});
