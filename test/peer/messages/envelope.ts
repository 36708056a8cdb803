/** Transactions around messages: fees, signers and sign modes, valid and invalid. */
import { create, toBinary } from '@bufbuild/protobuf';
import { type ModeInfo, ModeInfoSchema } from '../../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { Actor } from './actors.js';
import { documentOf, modesOf } from './documents.js';
import { fee, otherPayer } from './fees.js';
import { mutated } from './mutate.js';
import * as values from './values.js';
import { bytes, number, text, type WireField, write, writeOddly } from './wire.js';
import { isDue, type World } from './world.js';

/** `messages`: encoded, in their `Any`. `actors` sign, in this order. */
export function transaction(world: World, messages: readonly Uint8Array[], actors: readonly Actor[]): Uint8Array {
  const { random } = world;
  const payer = otherPayer(world);
  const right = payer === undefined || actors.includes(payer) ? actors : [...actors, payer];
  const signers = isDue(world) && random.chance(0.3) ? oddSigners(world, right) : right;
  const bodyBytes = odd(world, bodyFields(world, messages));
  const isEqual = random.chance(0.7);
  const chosen = modesOf(world, signers.length === 1);
  const signings = signers.map((actor, index) =>
    actor.signing(random, ({ kind }) => {
      const mode = isEqual ? chosen : modesOf(world, index === 0);
      return { ...mode, typed: mode.typed && kind === 'eth_secp256k1' };
    }),
  );
  const sequences = signers.map((actor) => sequenceOf(world, actor));
  const infos = signers.map((actor, index) =>
    signerInfo(world, actor, signings[index]?.modeInfo ?? create(ModeInfoSchema), sequences[index] ?? 0n),
  );
  const tip = isDue(world) && random.chance(0.1) ? [bytes(3, random.bytes(random.below(3)))] : [];
  const paid = fee(world, actors[0], payer);
  const authInfoBytes = odd(world, [...infos.map((info) => bytes(1, info)), bytes(2, paid), ...tip]);
  const unsigned = { bodyBytes, authInfoBytes, signers: signers.length };
  const signatures = signers.map((actor, index) => {
    const signature =
      signings[index]?.sign((mode) => documentOf(world, actor, unsigned, mode, sequences[index] ?? 0n)) ??
      new Uint8Array();
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
  const fields: WireField[] = messages.map((message) => bytes(1, message));
  const memo = random.chance(0.2) ? values.plainText(world) : new Uint8Array();
  fields.push(bytes(2, isDue(world) && random.chance(0.3) ? values.oddText(world) : memo));
  if (random.chance(0.05)) fields.push(number(3, world.height + BigInt(random.between(-1, 3))));
  const due = isDue(world) ? random.below(8) : -1;
  if (due === 0) fields.push(number(4, random.below(2)));
  if (due === 1) fields.push(bytes(5, values.timestamp(world)));
  if (due === 4 || random.chance(0.01)) {
    fields.push(number(4, 1));
    if (random.chance(0.8)) fields.push(bytes(5, values.timestamp(world)));
  }
  if (due === 2) fields.push(number(3, random.pick([-1n, 2n ** 63n, 2n ** 64n - 1n])));
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

function signerInfo(world: World, actor: Actor, chosen: ModeInfo, sequence: bigint): Uint8Array {
  const { random } = world;
  const key = write([text(1, actor.publicKey.typeUrl), bytes(2, actor.publicKey.value)]);
  const modeInfo = toBinary(ModeInfoSchema, chosen);
  const fields: WireField[] = [bytes(1, key), bytes(2, modeInfo), number(3, sequence)];
  if (random.chance(0.015)) fields.splice(0, 1);
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
