/** Hash and length operations of proofs (cosmos/ics23 go v0.11.0 `ops.go`). */
import { blake2b, blake2s } from '@noble/hashes/blake2.js';
import { sha512, sha512_256 } from '@noble/hashes/sha2.js';
import { be64, le64, writeBe32 } from '../../../bytes/big-endian.js';
import { concat, lengthPrefixed } from '../../../bytes/bytes.js';
import type { Crypto } from '../../../ports/crypto.js';
import { HashOp, LengthOp } from '../../../proto/cosmos/ics23/v1/proofs_pb.js';
import { ProofProblem } from './problem.js';

/** The part of the crypto port that proofs need. */
export type ProofHashes = Pick<Crypto, 'sha256' | 'ripemd160'>;

/** Hashes bytes with a proof's hash operation. */
export function hashWith(crypto: ProofHashes, op: HashOp, data: Uint8Array): Uint8Array {
  switch (op) {
    case HashOp.SHA256:
      return crypto.sha256(data);
    case HashOp.SHA512:
      return sha512(data);
    case HashOp.RIPEMD160:
      return crypto.ripemd160(data);
    case HashOp.BITCOIN:
      return crypto.ripemd160(crypto.sha256(data));
    case HashOp.SHA512_256:
      return sha512_256(data);
    case HashOp.BLAKE2B_512:
      return blake2b(data, { dkLen: 64 });
    case HashOp.BLAKE2S_256:
      return blake2s(data, { dkLen: 32 });
    case HashOp.NO_HASH:
    case HashOp.KECCAK256:
    case HashOp.BLAKE3:
      break;
  }
  throw new ProofProblem(`unsupported hashop: ${op}`);
}

/** Hashes like `hashWith`; `NO_HASH` returns the bytes unchanged. */
export function hashOrNoop(crypto: ProofHashes, op: HashOp, data: Uint8Array): Uint8Array {
  return op === HashOp.NO_HASH ? data : hashWith(crypto, op, data);
}

function fixed32(length: number, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(4);
  writeBe32(bytes, 0, length);
  return isLittle ? bytes.reverse() : bytes;
}

/** Prefixes bytes with their length, in the form of the length operation. */
export function withLength(op: LengthOp, data: Uint8Array): Uint8Array {
  const { length } = data;
  switch (op) {
    case LengthOp.NO_PREFIX:
      return data;
    case LengthOp.VAR_PROTO:
      return lengthPrefixed(data);
    case LengthOp.REQUIRE_32_BYTES:
      if (length !== 32) throw new ProofProblem(`data was ${length} bytes, not 32`);
      return data;
    case LengthOp.REQUIRE_64_BYTES:
      if (length !== 64) throw new ProofProblem(`data was ${length} bytes, not 64`);
      return data;
    case LengthOp.FIXED32_BIG:
      return concat(fixed32(length, false), data);
    case LengthOp.FIXED32_LITTLE:
      return concat(fixed32(length, true), data);
    case LengthOp.FIXED64_BIG:
      return concat(be64(BigInt(length)), data);
    case LengthOp.FIXED64_LITTLE:
      return concat(le64(BigInt(length)), data);
    case LengthOp.VAR_RLP:
      break;
  }
  throw new ProofProblem(`unsupported lengthop: ${op}`);
}
