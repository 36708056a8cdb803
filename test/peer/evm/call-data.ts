/** Inputs of contract calls: encoded arguments of the target's functions, and inputs with mistakes. */
import { bech32 } from '@scure/base';
import {
  type AbiParameter,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiParameters,
  toFunctionSelector,
} from 'viem';
import { EVMD_PRECOMPILES } from '../../../src/core/peers/evmd/contracts.js';
import { hex } from '../../../src/core/bytes/hex.js';
import { integer, someone, STATEFUL, WRAPPED, type World } from './world.js';

/** Placeholder for the program's own address. */
export const SELF: Hex = `0x${'5e1f'.repeat(10)}`;

interface Signature {
  readonly selector: Hex;
  readonly types: string;
}

const signatureOf = ({ signature }: { readonly signature: string }): Signature => ({
  selector: toFunctionSelector(signature),
  types: signature.slice(signature.indexOf('(') + 1, -1),
});
const functions: ReadonlyMap<string, readonly Signature[]> = new Map(
  EVMD_PRECOMPILES.static.map((contract) => [
    `0x${hex(contract.address)}`,
    ('functions' in contract ? contract.functions : []).map(signatureOf),
  ]),
);
const tokenFunctions: readonly Signature[] = [
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'approve(address,uint256)',
  'allowance(address,address)',
  'balanceOf(address)',
  'totalSupply()',
  'name()',
  'symbol()',
  'decimals()',
  'deposit()',
  'withdraw(uint256)',
  'increaseAllowance(address,uint256)',
  'mint(address,uint256)',
  'burn(uint256)',
].map((signature) => signatureOf({ signature }));

/** Accounts by their names in other prefixes. */
export const named = (prefix: string, address: Hex): string =>
  bech32.encode(prefix, bech32.toWords(hexToBytes(address)));

function someText(world: World): string {
  const { random } = world;
  return random.weighted<() => string>([
    [8, () => random.pick(world.operators)],
    [3, () => named(random.pick(['cosmos', 'cosmosvaloper', 'cosmosvalcons', 'osmo', 'evmos']), someone(world))],
    [3, () => random.pick(world.denoms)],
    [2, () => someone(world)],
    [
      1,
      () =>
        random.pick([
          '',
          'transfer',
          'channel-0',
          '07-tendermint-0',
          'BOND_STATUS_BONDED',
          'yes',
          '[]',
          '{}',
          'cosmos',
        ]),
    ],
    [1, () => Buffer.from(random.bytes(random.below(40))).toString('latin1')],
  ])();
}

type Parameter = AbiParameter;

function someValue(world: World, parameter: Parameter, self: Hex): unknown {
  const { random } = world;
  const array = /^(?<of>.*)\[(?<length>\d*)\]$/u.exec(parameter.type)?.groups;
  if (array !== undefined) {
    const length = array['length'] === '' ? random.below(3) : Number(array['length']);
    return Array.from({ length }, () => someValue(world, { ...parameter, type: array['of'] ?? '' }, self));
  }
  if (parameter.type === 'tuple' && 'components' in parameter)
    return parameter.components.map((one) => someValue(world, one, self));
  if (parameter.type === 'address') return random.chance(0.7) ? self : someone(world);
  if (parameter.type === 'string') return someText(world);
  if (parameter.type === 'bool') return random.chance(0.5);
  if (parameter.type === 'bytes') return `0x${hex(random.bytes(random.below(40)))}`;
  const bits = Number(/\d+$/u.exec(parameter.type)?.[0] ?? '256');
  if (parameter.type.startsWith('bytes')) return `0x${hex(random.bytes(bits))}`;
  if (parameter.type.startsWith('int')) return BigInt.asIntN(bits, integer(random, bits));
  if (bits === 256 && random.chance(0.6)) return BigInt(random.below(1_000_000)) * 10n ** BigInt(random.below(13));
  const value = integer(random, bits);
  return bits <= 32 ? Number(value) : value;
}

/** Data that may stand in a call to this address; `self` is the caller's address, for arguments that ask for it. */
export function callData(world: World, to: Hex, self: Hex): Uint8Array {
  const { random } = world;
  const address = to.toLowerCase();
  const isToken = address === WRAPPED.toLowerCase() || world.tokens.some((token) => token.toLowerCase() === address);
  const own = isToken ? tokenFunctions : (functions.get(address) ?? []);
  const isStateful = own.length > 0;
  if (!isStateful || random.chance(0.03))
    return random.bytes(random.pick([0, 0, 0, 1, 3, 4, 32, 36, 64, 96, 128, 160, 213]));
  const { selector, types } = random.pick(own);
  const parameters = types === '' ? [] : parseAbiParameters(types);
  const encoded = encodeAbiParameters(
    parameters,
    parameters.map((parameter) => someValue(world, parameter, self)) as never,
  );
  const bytes = Buffer.from(`${selector}${encoded.slice(2)}`.slice(2), 'hex');
  return random.chance(0.12) ? mistaken(world, bytes) : bytes;
}

/** The input truncated, extended, or with a changed word or bit. */
function mistaken({ random }: World, bytes: Buffer): Uint8Array {
  const changed = Buffer.from(bytes);
  const words = Math.max(1, Math.floor((bytes.length - 4) / 32));
  switch (random.below(5)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 1:
      return Buffer.concat([bytes, random.bytes(random.below(70))]);
    case 2: {
      const word = Buffer.from(integer(random, 256).toString(16).padStart(64, '0'), 'hex');
      word.copy(changed, 4 + 32 * random.below(words));
      return changed;
    }
    case 3: {
      const word = Buffer.from((32n * BigInt(random.below(12))).toString(16).padStart(64, '0'), 'hex');
      word.copy(changed, 4 + 32 * random.below(words));
      return changed;
    }
    default: {
      const at = random.below(bytes.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
      return changed;
    }
  }
}

export const targets: readonly Hex[] = [...STATEFUL, WRAPPED];
