/** The OpenRPC document of `rpc_discover` is valid, and its parameters are those that the decoders accept. */
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { pendingTransactionJson } from '../../../src/core/ethereum/json/transaction-json.js';
import { DEFAULT_NAMESPACES, DEV_NAMESPACES } from '../../../src/core/ethereum/namespaces.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import { arbitraryOf } from '../../support/arbitrary-json.js';
import { discover, discoveredProblems, argumentProblem, validatorOf } from '../../support/discovered.js';
import { hasOpenRpc, publishedExamples } from '../../support/openrpc.js';
import { propertyRuns } from '../../support/property-runs.js';

/** The package has no type declarations for it. */
const { openrpcDocument } = createRequire(import.meta.url)('@open-rpc/meta-schema');
const { registry, document } = await discover(true, DEV_NAMESPACES);
const byName = new Map(document.methods.map((method) => [method.name, method]));

describe('the OpenRPC document', () => {
  // Its schemas use the dialect of draft 7.
  const meta = JSON.stringify(openrpcDocument)
    .replaceAll(
      'https://meta.json-schema.tools/#/definitions/JSONSchemaObject/properties/$ref',
      '#/definitions/reference',
    )
    .replaceAll(/https:\/\/meta\.json-schema\.tools\/?(?=")/g, 'http://json-schema.org/draft-07/schema');
  const { definitions, ...others } = JSON.parse(meta);
  const validate = new Ajv({ strict: false, validateFormats: false }).compile({
    ...others,
    definitions: { ...definitions, reference: { type: 'string' } },
  });

  it.each([
    ['in dev mode', true, DEV_NAMESPACES],
    ['elsewhere', false, DEFAULT_NAMESPACES],
  ] as const)('is a valid document of OpenRPC %s', async (_, dev, namespaces) => {
    const found = await discover(dev, namespaces);
    expect(validate(found.document), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true);
    for (const { params, result } of found.document.methods)
      for (const { schema } of [...params, result]) expect(() => validatorOf(schema)).not.toThrow();
  });

  it('has every served method, except those that always refuse', () => {
    const refused = [...registry.methods.keys()].filter((name) => !byName.has(name));
    expect(refused.toSorted()).toEqual(
      [
        ...['ChainId', 'MinGasPrice', 'RpcUrl'].flatMap((suffix) =>
          ['anvil', 'ganache', 'hardhat'].map((tool) => `${tool}_set${suffix}`),
        ),
        ...['dealTIP20', 'setFeeAmmLiquidity', 'setFeeToken', 'setValidatorFeeToken'].map((name) => `anvil_${name}`),
        'debug_executionWitness',
        'eth_signRawTransaction',
      ].toSorted(),
    );
    expect([...byName.keys()].filter((name) => !registry.methods.has(name))).toEqual([]);
  });

  it('states the units of block intervals, which depend on the method name', () => {
    const summary = (name: string) => byName.get(name)?.summary;
    for (const [tool, pause, interval] of [
      ['hardhat', 'milliseconds', 'milliseconds'],
      ['anvil', 'seconds, in lists in milliseconds', 'seconds'],
      ['ganache', 'seconds, in lists in milliseconds', 'seconds'],
      ['evm', 'seconds, from 1,000 on and in lists in milliseconds', 'seconds, from 1,000 on in milliseconds'],
    ] as const) {
      expect(summary(`${tool}_setIntervalMining`)).toBe(`Sets the pause between blocks in ${pause}; 0 ends it`);
      const between = `Sets the time between the timestamps of blocks in ${interval}`;
      expect(summary(`${tool}_setBlockTimestampInterval`)).toBe(between);
    }
  });

  it('has a summary in one line for each method', () => {
    for (const { name, summary } of document.methods) expect(summary, name).toMatch(/^[A-Z"][^\n]{5,99}[^.\n]$/);
  });
});

describe('parameters in the OpenRPC document', () => {
  // `eth_subscribe` decodes its arguments itself when it runs, by the kind of subscription
  it.each(
    document.methods.filter(({ name }) => name !== 'eth_subscribe').map((method) => [method.name, method] as const),
  )('of %s: values that match the schema are decoded', (name, method) => {
    const whole = method.params.map(({ schema, required }) => {
      const value = arbitraryOf(schema, document.components.schemas);
      return required ? value : fc.option(value);
    });
    fc.assert(
      fc.property(fc.tuple(...whole), (args) => {
        const bound = registry.methods.get(name)?.bind(args);
        expect(bound?.ok === false ? bound.error.message : bound?.ok).toBe(true);
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it('allow every form of a block', () => {
    const [account, hash] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`];
    const forms = [
      'safe',
      '0x0',
      hash,
      { blockHash: hash },
      { blockHash: hash, requireCanonical: true },
      { blockNumber: '0x7' },
    ];
    for (const form of forms) expect(argumentProblem('eth_getBalance', [account, form])).toBeUndefined();
    expect(argumentProblem('eth_getBalance', [account, 'newest'])).toBe('eth_getBalance: "newest" as block');
  });

  it.skipIf(!hasOpenRpc)('allow the examples of the published document', () => {
    const examples = publishedExamples().filter(({ method }) => byName.has(method));
    expect(examples.length).toBeGreaterThan(40);
    for (const { method, params } of examples) {
      expect(argumentProblem(method, params)).toBeUndefined();
    }
  });

  it('allow the requests that the documentation shows', () => {
    const folder = new URL('../../../', import.meta.url);
    const texts = [
      'README.md',
      ...readdirSync(new URL('docs', folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.md'))
        .map((file) => `docs/${file}`),
    ].map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const requests = texts.flatMap((text) =>
      [...text.matchAll(/\{[^{}]*"method": *"(\w+)"[^{}]*"params": *(\[[^\n]*?\])\s*\}/g)].map(
        ([, name = '', params = '']) => ({ name, params }),
      ),
    );
    expect(requests.length).toBeGreaterThan(2);
    for (const { name, params } of requests) {
      expect(argumentProblem(name, JSON.parse(params))).toBeUndefined();
    }
  });
});

it('the result schema allows a transaction with more authorizations than a call may have', () => {
  const [hash, address] = [new Uint8Array(32), new Uint8Array(20)];
  const signature = { r: 1n, s: 1n, yParity: 0 } as const;
  const authorization = { chainId: 0n, address, nonce: 0n, ...signature };
  const json = pendingTransactionJson({
    hash,
    from: address,
    transaction: {
      type: 4,
      chainId: 1n,
      nonce: 0n,
      gasLimit: 30_000_000n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      to: address,
      value: 0n,
      data: new Uint8Array(),
      accessList: [],
      ...signature,
      authorizations: Array.from({ length: DEFAULT_LIMITS.ethCallAuthorizations + 1 }, () => authorization),
    },
  });
  expect(discoveredProblems('eth_getTransactionByHash', JSON.parse(json))).toEqual([]);
});
