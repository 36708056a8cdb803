/** Transactions around messages: fees, signers and their modes, in good form and in others. */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { signBytesOf, type SigningMode } from '../../../src/core/keys/tx-signing.js';
import { AuthInfoSchema, ModeInfoSchema, TxBodySchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { directSignBytes } from '../../../src/core/sdk/sign-doc.js';
import type { Actor } from './actors.js';
import { mutated } from './mutate.js';
import * as values from './values.js';
import { bytes, number, text, type WireField, write, writeOddly } from './wire.js';
import { isDue, type World } from './world.js';

/** `messages`: encoded, in their `Any`. `actors` sign, in this order. */
export function transaction(world: World, messages: readonly Uint8Array[], actors: readonly Actor[]): Uint8Array {
  const { random } = world;
  const mode = random.weighted<SigningMode>([
    [8, 'direct'],
    [2, 'amino-json'],
    [0.3, 'textual'],
  ]);
  const signers = isDue(world) && random.chance(0.3) ? oddSigners(world, actors) : actors;
  const bodyBytes = odd(world, bodyFields(world, messages));
  const sequences = signers.map((actor) => sequenceOf(world, actor));
  const infos = signers.map((actor, index) => signerInfo(world, actor, mode, sequences[index] ?? 0n));
  const tip = isDue(world) && random.chance(0.1) ? [bytes(3, random.bytes(random.below(3)))] : [];
  const authInfoBytes = odd(world, [...infos.map((info) => bytes(1, info)), bytes(2, fee(world)), ...tip]);
  const signatures = signers.map((actor) => {
    const signature = actor.sign(signDoc(world, actor, mode, bodyBytes, authInfoBytes));
    return isDue(world) && random.chance(0.15) ? oddSignature(world, signature) : signature;
  });
  const raw = [bytes(1, bodyBytes), bytes(2, authInfoBytes), ...signatures.map((signature) => bytes(3, signature))];
  const whole = isDue(world) && random.chance(0.1) ? writeOddly(random, raw) : write(raw);
  return isDue(world) && random.chance(0.05) ? mutated(random, whole) : whole;
}

function odd(world: World, fields: readonly WireField[]): Uint8Array {
  return isDue(world) && world.random.chance(0.15) ? writeOddly(world.random, fields) : write(fields);
}

function oddSigners({ random, actors }: World, right: readonly Actor[]): readonly Actor[] {
  return random.pick([
    [],
    right.slice(1),
    [...right, random.pick(actors)],
    [random.pick(actors)],
    right.toReversed(),
    [...right, ...right],
  ]);
}

function bodyFields(world: World, messages: readonly Uint8Array[]): readonly WireField[] {
  const { random } = world;
  const fields = messages.map((message) => bytes(1, message));
  const memo = random.chance(0.2) ? values.plainText(world) : new Uint8Array();
  fields.push(bytes(2, isDue(world) && random.chance(0.3) ? values.oddText(world) : memo));
  if (random.chance(0.05)) fields.push(number(3, world.height + BigInt(random.between(-1, 3))) as never);
  const due = isDue(world) ? random.below(8) : -1;
  if (due === 0) fields.push(number(4, random.below(2)) as never);
  if (due === 1) fields.push(bytes(5, values.timestamp(world)));
  if (due === 2) fields.push(number(3, random.pick([-1n, 2n ** 63n, 2n ** 64n - 1n])) as never);
  if (due === 3 || random.chance(0.02)) {
    const value = write(
      random.pick([[], [text(1, '100')], [text(1, '-1')], [text(1, 'x')], [text(1, String(10n ** 30n))]]),
    );
    const url = random.pick([
      '/cosmos.evm.ante.v1.ExtensionOptionDynamicFeeTx',
      '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx',
      '/cosmos.bank.v1beta1.MsgSend',
      '/nothing',
    ]);
    fields.push(bytes(random.pick([1023, 1023, 2047]), write([text(1, url), bytes(2, value)])));
  }
  return fields;
}

function signerInfo(world: World, actor: Actor, mode: SigningMode, sequence: bigint): Uint8Array {
  const { random } = world;
  const key = write([text(1, actor.publicKey.typeUrl), bytes(2, actor.publicKey.value)]);
  const modeInfo = toBinary(ModeInfoSchema, actor.modeInfo(mode));
  const fields: WireField[] = [bytes(1, key), bytes(2, modeInfo), number(3, sequence)];
  if (random.chance(0.05)) fields.splice(0, 1);
  if (isDue(world) && random.chance(0.2)) return writeOddly(random, fields);
  if (isDue(world) && random.chance(0.1))
    fields.splice(
      1,
      1,
      bytes(
        2,
        random.pick([
          write([]),
          write([bytes(1, write([number(1, random.pick([0, 2, 3, 191, 99, -1]))]))]),
          write([bytes(2, write([]))]),
        ]),
      ),
    );
  return write(fields);
}

function sequenceOf(world: World, actor: Actor): bigint {
  const account = world.accounts.get(actor.bech32);
  const sequence = account?.sequence ?? 0n;
  if (account !== undefined) account.sequence += 1n;
  return isDue(world) && world.random.chance(0.1) ? sequence + BigInt(world.random.pick([-1, 1, 5])) : sequence;
}

function fee(world: World): Uint8Array {
  const { random } = world;
  const gas = random.weighted<() => bigint>([
    [9, () => BigInt(random.between(500_000, 1_500_000))],
    [1.5, () => BigInt(random.between(20_000, 250_000))],
    [0.3, () => BigInt(random.between(0, 20_000))],
  ])();
  const gasLimit =
    isDue(world) && random.chance(0.15)
      ? random.pick([0n, 1n, 2n ** 63n, 2n ** 63n - 1n, 2n ** 64n - 1n, 10_000_001n, 9_999_999n])
      : gas;
  const right = [write([text(1, 'atest'), text(2, String(gas * (random.chance(0.04) ? 1_000_000n : 2_000_000_000n)))])];
  const amounts =
    isDue(world) && random.chance(0.25)
      ? random.pick([[], values.coins(world), values.coins(world), [...right, ...right]])
      : right;
  const fields: WireField[] = [...amounts.map((amount) => bytes(1, amount)), number(2, gasLimit)];
  const payer = isDue(world) && random.chance(0.2) ? values.address(world) : undefined;
  if (payer !== undefined) fields.push(bytes(3, payer));
  if ((world.allowances.length > 0 && random.chance(0.08)) || (isDue(world) && random.chance(0.1)))
    fields.push(bytes(4, granter(world)));
  return isDue(world) && random.chance(0.1) ? writeOddly(random, fields) : write(fields);
}

function granter(world: World): Uint8Array {
  const { random, allowances } = world;
  const allowance = allowances.length > 0 && random.chance(0.8) ? random.pick(allowances.slice(-6)) : undefined;
  return allowance === undefined ? values.address(world) : Buffer.from(allowance.granter.bech32);
}

function signDoc(
  world: World,
  actor: Actor,
  mode: SigningMode,
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
): Uint8Array {
  const { number: accountNumber = 0n, sequence = 1n } = world.accounts.get(actor.bech32) ?? {};
  const chainId = isDue(world) && world.random.chance(0.03) ? 'other' : world.chainId;
  const direct = (): Uint8Array => directSignBytes(bodyBytes, authInfoBytes, chainId, accountNumber);
  if (mode === 'direct') return direct();
  try {
    const tx = { body: fromBinary(TxBodySchema, bodyBytes), authInfo: fromBinary(AuthInfoSchema, authInfoBytes) };
    const context = { chainId, accountNumber, sequence: sequence - 1n, coinMetadata: new Map() };
    return signBytesOf(tx, mode, context, { address: actor.bech32, key: actor.key as never });
  } catch {
    return direct();
  }
}

function oddSignature({ random }: World, signature: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(signature);
  if (changed.length > 0) changed[random.below(changed.length)]! ^= 1 << random.below(8);
  return random.pick([
    new Uint8Array(),
    signature.subarray(0, 64),
    Buffer.concat([signature, Buffer.alloc(1)]),
    changed,
    signature.subarray(1),
  ]);
}
