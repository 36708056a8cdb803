/** Fees of transactions: who pays them, in which coins, and for how much gas. */
import type { Actor } from './actors.js';
import * as values from './values.js';
import { bytes, number, read, text, type WireField, write, writeOddly } from './wire.js';
import { isDue, type World } from './world.js';

const GWEI = 1_000_000_000n;

/** The account that pays beside those that sign messages, and signs itself; mostly none. */
export function otherPayer({ random, actors }: World): Actor | undefined {
  return random.chance(0.06) ? random.pick(actors) : undefined;
}

/** `first`: who pays without a payer of its own. */
export function fee(world: World, first: Actor | undefined, payer: Actor | undefined): Uint8Array {
  const { random } = world;
  const gas = random.weighted<() => bigint>([
    [9, () => BigInt(random.between(500_000, 1_500_000))],
    [3, () => BigInt(random.between(20_000, 250_000))],
    [0.2, () => BigInt(random.between(0, 20_000))],
  ])();
  const gasLimit =
    isDue(world) && random.chance(0.15)
      ? random.pick([0n, 1n, 2n ** 63n, 2n ** 63n - 1n, 2n ** 64n - 1n, 10_000_001n, 9_999_999n])
      : gas;
  const fields: WireField[] = [...amounts(world, gas).map((amount) => bytes(1, amount)), number(2, gasLimit)];
  const named = isDue(world) && random.chance(0.2) ? values.address(world) : payer && Buffer.from(payer.bech32);
  if (named !== undefined) fields.push(bytes(3, named));
  const granter = granterOf(world, payer ?? first);
  if (granter !== undefined) fields.push(bytes(4, granter));
  return isDue(world) && random.chance(0.1) ? writeOddly(random, fields) : write(fields);
}

function amounts(world: World, gas: bigint): readonly Uint8Array[] {
  const { random } = world;
  const price = random.chance(0.02) ? baseFee(world) / 2n : 2n * baseFee(world);
  const coin = (denom: string, amount: bigint): Uint8Array => write([text(1, denom), text(2, String(amount))]);
  const right = coin('atest', gas * price);
  if (isDue(world) && random.chance(0.25))
    return random.pick([[], values.coins(world), values.coins(world), [right, right]]);
  if (random.chance(0.95)) return [right];
  return random.pick([
    [],
    [coin('atest', 0n)],
    [coin('aother', 5n), right],
    [right, coin('uhalf', 0n)],
    [right, coin('uhalf', 7n)],
    [coin('aother', gas * price)],
    [coin('atest', gas * price * 50n)],
    [coin('atest', gas * price + 1n)],
  ]);
}

/** In atest for one gas; one gwei at least. */
function baseFee({ params }: World): bigint {
  const field = read(params.get('cosmos.evm.feemarket.v1.Params') ?? new Uint8Array()).find(({ no }) => no === 6);
  const atoms = field?.kind === 'bytes' ? BigInt(Buffer.from(field.value).toString()) : 0n;
  const price = atoms / 10n ** 18n;
  return price > GWEI ? price : GWEI;
}

/** Where the payer has allowances, often one who granted them; otherwise mostly nobody. */
function granterOf(world: World, payer: Actor | undefined): Uint8Array | undefined {
  const { random, standing } = world;
  const allowances = standing.allowances.filter(({ grantee }) => grantee === payer);
  if (allowances.length > 0 && random.chance(0.5)) return Buffer.from(random.pick(allowances).granter.bech32);
  if (isDue(world) && random.chance(0.1)) return values.address(world);
  return random.chance(0.01) ? Buffer.from(random.pick(world.actors).bech32) : undefined;
}
