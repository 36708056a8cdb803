/** Random Ethereum transactions of all types: valid ones, and ones with a single mistake. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type Hex, hexToBytes } from 'viem';
import { concat } from '../../../src/core/bytes/bytes.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { encodeRlp, rlpNumber } from '../../../src/core/ethereum/rlp.js';
import { encodeForSigning, encodeTransaction } from '../../../src/core/ethereum/transaction-codec.js';
import type { EthereumTransaction, SignedAuthorization } from '../../../src/core/ethereum/transaction.js';
import { wordOf } from '../../../src/core/bytes/big-endian.js';
import { callData, targets } from './call-data.js';
import { deployment, program } from './program.js';
import { integer, type Player, someone, type World } from './world.js';

/** A signed transaction and its sender. */
export interface Signed {
  readonly player: Player;
  readonly transaction: EthereumTransaction;
  readonly raw: Uint8Array;
  readonly gasLimit: bigint;
  /** Highest fee, in wei. */
  readonly fee: bigint;
}

const NOBODY: Hex = '0x0000000000000000000000000000000000000000';
const GAS = [21_000, 25_000, 30_000, 60_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000];

/** Intrinsic gas of an input without access list or authorizations, and its floor (EIP-2028, 3860 and 7623). */
function borders(data: Uint8Array, creates: boolean): readonly number[] {
  const zeros = data.filter((byte) => byte === 0).length;
  const others = data.length - zeros;
  const intrinsic = 21_000 + zeros * 4 + others * 16 + (creates ? 32_000 + 2 * Math.ceil(data.length / 32) : 0);
  return [intrinsic - 1, intrinsic, 21_000 + zeros * 10 + others * 40 - 1, 21_000 + zeros * 10 + others * 40];
}

function accessList(world: World) {
  const { random } = world;
  return Array.from({ length: random.below(4) }, () => ({
    address: hexToBytes(someone(world)),
    storageKeys: Array.from({ length: random.below(3) }, () => wordOf(BigInt(random.below(8)))),
  }));
}

/** Authorizations of EIP-7702: valid, for another chain, with other nonces, duplicate, and of the sender. */
function authorizations(world: World, sender: Player): readonly SignedAuthorization[] {
  const { random } = world;
  const list: SignedAuthorization[] = [];
  for (let count = random.chance(0.05) ? 0 : 1 + random.below(3); count > 0; count -= 1) {
    const authority = random.pick(world.players);
    const own = authority === sender && random.chance(0.8) ? 1 : 0;
    const address = hexToBytes(random.chance(0.15) ? NOBODY : someone(world));
    const chainId = BigInt(
      random.weighted([
        [6, world.evmChainId],
        [2, 0],
        [1, 7],
      ]),
    );
    const off = random.chance(0.1) ? random.below(3) - 1 : 0;
    const nonce = BigInt(Math.max(0, authority.nonce + own + off));
    const digest = keccak_256(concat(Uint8Array.of(5), encodeRlp([rlpNumber(chainId), address, rlpNumber(nonce)])));
    const signed = { chainId, address, nonce, ...signature(digest, authority.key) };
    list.push(
      random.chance(0.05)
        ? { ...signed, s: integer(random, 256) }
        : random.chance(0.03)
          ? { ...signed, yParity: random.below(200) }
          : signed,
    );
    if (random.chance(0.1)) list.push(signed);
  }
  return list;
}

/** r, s and the parity of a signature by secp256k1. */
function signature(
  digest: Uint8Array,
  key: Uint8Array,
): { readonly r: bigint; readonly s: bigint; readonly yParity: 0 | 1 } {
  const bytes = secp256k1.sign(digest, key, { prehash: false, format: 'recovered' });
  const [r, s] = [bytes.subarray(1, 33), bytes.subarray(33)].map((part) => BigInt(`0x${hex(part)}`));
  return { r: r ?? 0n, s: s ?? 0n, yParity: bytes[0] === 1 ? 1 : 0 };
}

function aim(world: World, sender: Player): { readonly to: Hex | undefined; readonly data: Uint8Array } {
  const { random } = world;
  return random.weighted<() => { readonly to: Hex | undefined; readonly data: Uint8Array }>([
    [3, () => ({ to: undefined, data: program(world) })],
    [4, () => ({ to: undefined, data: deployment(world) })],
    [
      6,
      () => {
        const to = random.pick([...targets, ...world.tokens]);
        return { to, data: callData(world, to, sender.address) };
      },
    ],
    [
      6,
      () => ({
        to: random.pick([...world.contracts.slice(-12), ...targets]),
        data: random.bytes(random.pick([0, 4, 68])),
      }),
    ],
    [3, () => ({ to: someone(world), data: random.chance(0.7) ? new Uint8Array(0) : random.bytes(random.below(100)) })],
    [1, () => ({ to: someone(world), data: new Uint8Array(random.below(3000)).fill(random.below(2)) })],
  ])();
}

export function someTransaction(world: World): Signed {
  const { random } = world;
  const player = random.pick(world.players);
  const { to, data } = aim(world, player);
  const type = random.weighted<0 | 1 | 2 | 4>([
    [2, 0],
    [1, 1],
    [4, 2],
    [to === undefined ? 0 : 2, 4],
  ]);
  const gasLimit = BigInt(
    random.chance(0.06)
      ? random.pick(borders(data, to === undefined))
      : random.pick(GAS.slice(random.chance(0.7) ? 5 : 0)),
  );
  const value = random.weighted<() => bigint>([
    [5, () => 0n],
    [3, () => BigInt(random.below(3_000_000))],
    [2, () => BigInt(random.below(1000)) * 10n ** 15n],
    [1, () => BigInt(1 + random.below(1000)) * world.scale + BigInt(random.below(3)) - 1n],
    [random.chance(0.1) ? 1 : 0, () => integer(random, 256)],
  ])();
  const price = random.weighted<() => bigint>([
    [12, () => (world.baseFee * BigInt(100 + random.below(100))) / 100n],
    [2, () => world.baseFee],
    [random.chance(0.4) ? 1 : 0, () => (world.baseFee === 0n ? 0n : world.baseFee - 1n)],
    [random.chance(0.4) ? 1 : 0, () => 0n],
    [random.chance(0.1) ? 1 : 0, () => integer(random, 256)],
  ])();
  const tip = random.chance(0.8) ? (BigInt(random.below(100)) * price) / 100n : BigInt(random.below(1_000_000));
  const maxPriorityFeePerGas = random.chance(0.02) ? price + 1n : tip > price ? price : tip;
  const common = {
    nonce: BigInt(Math.max(0, player.nonce + (random.chance(0.04) ? random.below(5) - 2 : 0))),
    gasLimit: random.chance(0.01) ? integer(random, 64) : gasLimit,
    value,
    data,
    r: 0n,
    s: 0n,
    yParity: 0,
  } as const;
  const chainId = BigInt(random.chance(0.01) ? 7 : world.evmChainId);
  const recipient = to === undefined ? undefined : hexToBytes(to);
  const fees = { maxFeePerGas: price, maxPriorityFeePerGas };
  const unsigned: EthereumTransaction =
    type === 0
      ? { type, ...common, to: recipient, gasPrice: price, chainId: random.chance(0.06) ? undefined : chainId }
      : type === 1
        ? { type, ...common, to: recipient, chainId, gasPrice: price, accessList: accessList(world) }
        : type === 2
          ? { type, ...common, to: recipient, chainId, ...fees, accessList: accessList(world) }
          : {
              type,
              ...common,
              to: recipient ?? hexToBytes(NOBODY),
              chainId,
              ...fees,
              accessList: accessList(world),
              authorizations: authorizations(world, player),
            };
  const signed = { ...unsigned, ...signature(keccak_256(encodeForSigning(unsigned)), player.key) };
  const transaction = random.chance(0.01) ? { ...signed, s: integer(random, 256) } : signed;
  return {
    player,
    transaction,
    raw: encodeTransaction(transaction),
    gasLimit: transaction.gasLimit,
    fee: transaction.gasLimit * price,
  };
}

/** A transaction that deploys a contract. */
export function deploymentOf(world: World, player: Player, data: Uint8Array): Signed {
  return plain(world, player, { to: undefined, value: 0n, data });
}

/** A transaction that moves wei. */
export function transferOf(world: World, player: Player, to: Hex, value: bigint): Signed {
  return plain(world, player, { to: hexToBytes(to), value, data: new Uint8Array(0) });
}

/** A transaction that calls a contract. */
export function callOf(world: World, player: Player, to: Hex, data: Uint8Array): Signed {
  return plain(world, player, { to: hexToBytes(to), value: 0n, data });
}

function plain(world: World, player: Player, does: Pick<EthereumTransaction, 'to' | 'value' | 'data'>): Signed {
  const gasLimit = 3_000_000n;
  const price = world.baseFee * 2n;
  const unsigned: EthereumTransaction = {
    type: 0,
    nonce: BigInt(player.nonce),
    gasLimit,
    gasPrice: price,
    ...does,
    chainId: BigInt(world.evmChainId),
    r: 0n,
    s: 0n,
    yParity: 0,
  };
  const transaction = { ...unsigned, ...signature(keccak_256(encodeForSigning(unsigned)), player.key) };
  return { player, transaction, raw: encodeTransaction(transaction), gasLimit, fee: gasLimit * price };
}
