import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { compiledCode, contractIn, matchCreation, matchRuntime } from '../../../src/core/verification/match-code.js';

/** Solidity metadata: a CBOR map of one entry, followed by its length. */
const metadata = (fill: number): Uint8Array =>
  concat(Uint8Array.of(0xa1), new Uint8Array(10).fill(fill), Uint8Array.of(0, 11));
const program = new Uint8Array(60).fill(0x5b);

function compiled(bytes: Uint8Array, immutableReferences: object = {}) {
  const code = compiledCode({ object: hex(bytes), immutableReferences });
  if (code === undefined) throw new Error('no code');
  return code;
}

describe('deployed code', () => {
  const code = concat(program, metadata(1));

  it('is an exact match with equal metadata, and a match with other metadata', () => {
    expect(matchRuntime(code, compiled(code))).toBe('exact_match');
    expect(matchRuntime(concat(program, metadata(2)), compiled(code))).toBe('match');
    expect(matchRuntime(program, compiled(program))).toBe('match');
    expect(matchRuntime(concat(program, Uint8Array.of(0), metadata(1)), compiled(code))).toBeUndefined();
    expect(matchRuntime(new Uint8Array(), compiled(code))).toBeUndefined();
  });

  it("matches despite immutable values, linked libraries and a library's own address", () => {
    const deployed = code.slice();
    deployed.fill(7, 3, 35);
    expect(matchRuntime(deployed, compiled(code))).toBeUndefined();
    expect(matchRuntime(deployed, compiled(code, { 12: [{ start: 3, length: 32 }] }))).toBe('exact_match');

    const link = `__$${'0'.repeat(34)}$__`;
    const linked = compiledCode({ object: `73${link}${hex(metadata(1))}` });
    const used = concat(Uint8Array.of(0x73), new Uint8Array(20).fill(9), metadata(1));
    expect(linked && matchRuntime(used, linked)).toBe('exact_match');

    const library = concat(Uint8Array.of(0x73), new Uint8Array(20), Uint8Array.of(0x30, 0x14), metadata(1));
    const own = library.slice();
    own.fill(5, 1, 21);
    expect(matchRuntime(own, compiled(library))).toBe('exact_match');
  });

  it('ignores or refuses immutable references that overlap or lie outside of it', () => {
    const places = (count: number, start: number, length: number) => ({
      1: Array.from({ length: count }, () => ({ start, length })),
    });
    const object = hex(code);
    expect(compiledCode({ object, immutableReferences: places(3, 0, code.length) })).toBeUndefined();
    expect(compiledCode({ object, immutableReferences: places(1, -code.length, code.length) })?.variable).toEqual([]);
    expect(compiledCode({ object, immutableReferences: places(1, 0, Number.NaN) })?.variable).toEqual([]);
    expect(compiledCode({ object, immutableReferences: places(2, 0, 32) })?.variable).toHaveLength(2);
  });

  it('does not match after a change of any byte', () => {
    fc.assert(
      fc.property(fc.nat(program.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const other = code.slice();
        other[at] = (other[at] ?? 0) ^ change;
        return matchRuntime(other, compiled(code)) === undefined;
      }),
    );
  });
});

it('creation input matches its code followed by constructor arguments', () => {
  const code = concat(program, metadata(1));
  expect(matchCreation(concat(code, new Uint8Array(32)), compiled(code))).toBe('exact_match');
  expect(matchCreation(program, compiled(code))).toBeUndefined();
});

it('contractIn finds a contract by path and name, and no inherited property of an object', () => {
  const output = {
    contracts: { 'src/A.sol': { A: { abi: [], metadata: '{}', evm: { deployedBytecode: { object: '00' } } } } },
  };
  expect(contractIn(output, 'src/A.sol:A')).toMatchObject({ abi: [], metadata: '{}', creation: undefined });
  for (const name of ['src/A.sol:B', 'B.sol:A', 'src/A.sol:constructor', '__proto__:A'])
    expect(contractIn(output, name)).toBeUndefined();
  expect(contractIn(undefined, 'src/A.sol:A')).toBeUndefined();
});
