/** Refusals of Ethereum's own contracts, each as evmd v0.6.0 told it (`Query/EthCall`). */
import { expect, it } from 'vitest';
import { nativeFault } from '../../../src/core/modules/evm/native-faults.js';
import { crypto } from './support.js';
import { ethereumChain, tx } from './ethereum-chain.js';

const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const Q = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const w = (...values: bigint[]): string => values.map((value) => value.toString(16).padStart(64, '0')).join('');
const b = (...values: bigint[]): string => values.map((value) => value.toString(16).padStart(128, '0')).join('');
/** The generators of bn254's twist and of bls12-381. */
const TWIST = w(
  0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n,
  0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn,
  0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn,
  0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan,
);
const G1 = [
  0x17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bbn,
  0x08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1n,
] as const;
const CURVE = 'invalid point: not on curve';
const LENGTH = 'invalid input length';
const ENCODING = 'invalid fp.Element encoding';
const TOP = 'invalid field element top bytes';
const MALFORMED = 'bn256: malformed point';
const faultOf = (address: bigint, input: string): string | undefined =>
  nativeFault(crypto, address, Uint8Array.from(Buffer.from(input, 'hex')));

it.each<[bigint, string, string | undefined]>([
  [6n, w(1n, 1n), MALFORMED],
  [6n, w(P, 1n), 'bn256: coordinate equals modulus'],
  [6n, w(1n, P + 1n), 'bn256: coordinate exceeds modulus'],
  [6n, w(1n, 2n, 3n), MALFORMED],
  [6n, `${w(1n, 2n)}ff`, 'bn256: coordinate exceeds modulus'],
  [7n, w(1n, 1n), MALFORMED],
  [7n, w(0n, P), 'bn256: coordinate equals modulus'],
  [8n, 'aa', 'bad elliptic curve pairing size'],
  [8n, w(1n, 1n) + TWIST, MALFORMED],
  [8n, w(1n, 2n) + w(1n, 2n, 3n, 4n), MALFORMED],
  [8n, w(1n, 2n) + w(1n, 2n, P, 4n), 'bn256: coordinate equals modulus'],
  [8n, w(1n, 2n) + TWIST + w(1n, P + 3n) + TWIST, 'bn256: coordinate exceeds modulus'],
  [9n, '00', LENGTH],
  [9n, `${'00'.repeat(212)}02`, 'invalid final flag'],
  [10n, '00', LENGTH],
  [10n, '00'.repeat(192), 'mismatched versioned hash'],
  [11n, '00', LENGTH],
  [11n, b(1n, 1n, 0n, 0n), CURVE],
  [11n, b(Q, 1n, 0n, 0n), ENCODING],
  [11n, b(1n << 400n, 1n, 0n, 0n), TOP],
  [11n, b(...G1, 5n, 5n), CURVE],
  [12n, '', LENGTH],
  [12n, '00'.repeat(161), LENGTH],
  [12n, b(1n, 1n) + w(1n), CURVE],
  [12n, b(0n, 2n) + w(1n), 'g1 point is not on correct subgroup'],
  [13n, b(1n, 1n, 1n, 1n, 0n, 0n, 0n, 0n), CURVE],
  [13n, b(0n, Q, 0n, 0n, 0n, 0n, 0n, 0n), ENCODING],
  [14n, b(1n, 1n, 1n, 1n) + w(1n), CURVE],
  [15n, '', LENGTH],
  [15n, b(1n, 1n) + b(0n, 0n, 0n, 0n), CURVE],
  [15n, b(0n, 0n) + b(0n, 0n, 0n, Q), ENCODING],
  [16n, b(Q), ENCODING],
  [16n, '00', LENGTH],
  [16n, b(1n << 500n), TOP],
  [17n, b(1n, Q + 1n), ENCODING],
  [17n, '', LENGTH],
  // a proof and a subgroup that only the whole arithmetic tells, and another contract
  [10n, hashed('11'.repeat(48)) + w(1n, 1n) + '11'.repeat(96), undefined],
  [15n, b(0n, 2n) + b(0n, 0n, 0n, 0n), undefined],
  [4n, 'ff', undefined],
])('contract %i', (address, input, fault) => {
  expect(faultOf(address, input)).toBe(fault);
});

/** The versioned hash of a commitment. */
function hashed(commitment: string): string {
  const hash = crypto.sha256(Uint8Array.from(Buffer.from(commitment, 'hex'))).slice();
  hash[0] = 1;
  return Buffer.from(hash).toString('hex');
}

it('the result of a transaction straight to such a contract has the reason', async () => {
  const dev = ethereumChain();
  const to = `0x${'0'.repeat(39)}8` as const;
  const block = dev.block(await tx(1, { nonce: 0, to, data: '0xaa', gas: 100_000n }));
  if (block.kind !== 'executed') throw new Error(block.kind);
  const { data } = block.results.txResult(0) ?? {};
  expect(Buffer.from(data ?? []).toString('latin1')).toContain('bad elliptic curve pairing size');
});
