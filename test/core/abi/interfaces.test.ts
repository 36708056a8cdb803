import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  toFunctionSelector,
} from 'viem';
import { expect, test } from 'vitest';
import { CONSOLE_ADDRESS, consoleLine } from '../../../src/core/abi/console.js';
import { contractOf, isCreationBy, isDeployedFrom } from '../../../src/core/abi/contract.js';
import { Interfaces } from '../../../src/core/abi/interfaces.js';
import { itemOfLine } from '../../../src/core/abi/item.js';
import { decodedText } from '../../../src/core/abi/text.js';
import { WELL_KNOWN } from '../../../src/core/abi/well-known.js';
import { fromHex, hexData } from '../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../src/core/limits/limits.js';
import { Token } from '../../contracts/index.js';
import { PURE_KEY_CRYPTO } from '../../support/pure-key-crypto.js';

const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const bytes = (hex: Hex): Uint8Array => fromHex(hex.slice(2));
const digits = (address: Uint8Array): string => hexData(address).slice(0, 6);

function token() {
  const contract = contractOf(PURE_KEY_CRYPTO, { contractName: 'Token', ...Token }, 'file');
  if (contract === undefined) throw new Error('the Token artifact was not read');
  return contract;
}

test('calls, custom errors and events are decoded with the interface of their contract', () => {
  const { abi } = Token;
  const known = new Interfaces(PURE_KEY_CRYPTO);
  known.add(token());
  const call = known.call(bytes(encodeFunctionData({ abi, functionName: 'transfer', args: [OWNER, 5n] })));
  expect(call && decodedText(call, digits, true)).toBe('transfer(to: 0xf39f, value: 5)');
  const error = known.error(bytes(encodeErrorResult({ abi, errorName: 'InsufficientBalance', args: [OWNER, 1n, 2n] })));
  expect(error && decodedText(error, digits)).toBe('InsufficientBalance(0xf39f, 1, 2)');
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { from: OWNER, to: OWNER } });
  const event = known.event(
    topics.map((topic) => bytes(topic as Hex)),
    fromHex('7'.padStart(64, '0')),
  );
  expect(event && decodedText(event, digits, true)).toBe('Transfer(from: 0xf39f, to: 0xf39f, value: 7)');
});

test('well-known functions are decoded without a registered contract, and no two share a selector', () => {
  const known = new Interfaces(PURE_KEY_CRYPTO);
  const data = `${toFunctionSelector('approve(address,uint256)')}${OWNER.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`;
  expect(known.call(bytes(data as Hex))?.name).toBe('approve');
  expect(known.call(bytes('0x12345678'))).toBeUndefined();
  expect(known.call(new Uint8Array(0))).toBeUndefined();
  for (const kind of ['function', 'error', 'event'] as const) {
    const items = WELL_KNOWN[kind].map((line) => itemOfLine(PURE_KEY_CRYPTO, kind, line));
    const same = items.filter(({ selector }, index) => items.findIndex((item) => item.selector === selector) !== index);
    expect(same.map(({ name }) => name)).toEqual([]);
    if (kind === 'function')
      for (const [index, { selector }] of items.entries())
        expect(selector).toBe(toFunctionSelector(`function ${WELL_KNOWN[kind][index] ?? ''}`));
  }
});

test('a contract is found by its code, whatever the values of its immutables and linked libraries', () => {
  const library = `__$${'a'.repeat(34)}$__`;
  const contract = contractOf(
    PURE_KEY_CRYPTO,
    {
      abi: [],
      bytecode: { object: `0x6001${library}6002` },
      deployedBytecode: { object: `0x73${library}7f${'00'.repeat(32)}5b` },
    },
    'Linked',
  );
  const deployed = (address: string, value: string): Uint8Array => fromHex(`73${address}7f${value}5b`);
  const code = deployed('12'.repeat(20), '34'.repeat(32));
  expect(contract?.name).toBe('Linked');
  expect(contract?.deployed && isDeployedFrom(contract.deployed, code)).toBe(true);
  expect(contract?.deployed && isDeployedFrom(contract.deployed, code.with(54, 0x5c))).toBe(false);
  const creation = fromHex(`6001${'12'.repeat(20)}6002${'ff'.repeat(64)}`);
  expect(contract?.creation && isCreationBy(contract.creation, creation)).toBe(true);
  expect(contract?.creation && isCreationBy(contract.creation, creation.with(0, 0x61))).toBe(false);
  const known = new Interfaces(PURE_KEY_CRYPTO);
  if (contract !== undefined) known.add(contract);
  expect(known.deployed(code)).toBe(contract);
  expect(known.created(creation)).toBe(contract);
});

test('creation code is compared with its pattern around library links, and each link is visited once', () => {
  const count = 500;
  const library = `__$${'a'.repeat(34)}$__`;
  const bytecode = `6001${`${library}60`.repeat(count)}`;
  const creation = contractOf(PURE_KEY_CRYPTO, { abi: Token.abi, bytecode }, 'Linked')?.creation;
  if (creation === undefined) throw new Error('the creation code was not read');
  let reads = 0;
  const links = new Proxy(creation.links, {
    get: (target, property, receiver): unknown => {
      if (/^[0-9]+$/.test(String(property))) reads += 1;
      return Reflect.get(target, property, receiver);
    },
  });
  const data = fromHex(bytecode.replaceAll(library, '12'.repeat(20)));
  const isCreation = (changed: Uint8Array): boolean => isCreationBy({ ...creation, links }, changed);
  expect(isCreation(data)).toBe(true);
  expect(reads).toBe(count);
  const [afterFirst, last] = [22, data.length - 1];
  for (const at of [0, 1, afterFirst, last]) expect(isCreation(data.with(at, 0x99))).toBe(false);
  for (const at of [2, afterFirst - 1, afterFirst + 1, last - 1]) expect(isCreation(data.with(at, 0x99))).toBe(true);
  expect(isCreation(data.subarray(1))).toBe(false);
  const within = contractOf(PURE_KEY_CRYPTO, { abi: Token.abi, bytecode: `6${library}0` }, 'Linked');
  expect(within).toMatchObject({ name: 'Linked', creation: undefined });
});

test('names that are too long or not printable are left out of an interface', () => {
  const longest = 'n'.repeat(FIXED_LIMITS.identifierCharacters);
  const names = [longest, `${longest}n`, 'n'.repeat(100_000), '$a_1', 'a b', 'a\u001b[2J', ''];
  const abi = names.map((name) => ({ type: 'function', name, inputs: [{ name, type: 'uint8' }] }));
  const items = contractOf(PURE_KEY_CRYPTO, abi, 'Bare')?.items ?? [];
  expect(items.map(({ name }) => name)).toEqual([longest, '$a_1']);
  const inputs = names.map((name) => ({ name, type: 'uint8' }));
  const [item] = contractOf(PURE_KEY_CRYPTO, [{ type: 'function', name: 'f', inputs }], 'Bare')?.items ?? [];
  expect(item?.inputs.map(({ name }) => name)).toEqual([longest, '', '', '$a_1', '', '', '']);
});

test('JSON that is not a compiled contract is ignored', () => {
  for (const json of [undefined, 5, {}, { abi: [] }, [], { abi: [{ type: 'function' }] }, { version: 2, links: [] }])
    expect(contractOf(PURE_KEY_CRYPTO, json, 'x')).toBeUndefined();
});

test.each([
  ['log(string)', ['string'], ['hello'], 'hello'],
  ['log(string,uint256)', ['string', 'uint256'], ['n is', 5n], 'n is 5'],
  ['log(string,uint256,bool)', ['string', 'uint256', 'bool'], ['%d of %s', 5n, true], '5 of true'],
  ['log(uint)', ['uint256'], [7n], '7'],
  ['log(int256)', ['int256'], [-7n], '-7'],
  ['log(address,string)', ['address', 'string'], [OWNER, 'owns'], '0xf39f owns'],
  ['logBytes32(bytes32)', ['bytes32'], [`0x${'ab'.repeat(32)}`], `0x${'ab'.repeat(32)}`],
  ['log(string,string)', ['string', 'string'], ['100%', 'a\u001b[2Jb'], '100% a [2Jb'],
  ['log()', [], [], ''],
] as const)('console.log: %s of %s and %s prints %s', (signature, types, values, printed) => {
  const data = `${toFunctionSelector(signature)}${encodeAbiParameters(
    types.map((type) => ({ type })),
    [...values],
  ).slice(2)}`;
  expect(consoleLine(PURE_KEY_CRYPTO, bytes(data as Hex), digits)).toBe(printed);
});

test('the address of console.log spells "console.log" in ASCII, and an unknown selector prints nothing', () => {
  expect(hexData(CONSOLE_ADDRESS)).toBe('0x000000000000000000636f6e736f6c652e6c6f67');
  expect(consoleLine(PURE_KEY_CRYPTO, bytes('0x12345678'), digits)).toBeUndefined();
});
