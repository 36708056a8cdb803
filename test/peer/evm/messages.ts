/** Cosmos transactions that touch what contracts touch: conversions, transfers, delegations, registered tokens. */
import type { Any } from '@bufbuild/protobuf/wkt';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  MsgSetWithdrawAddressSchema,
  MsgWithdrawDelegatorRewardSchema,
} from '../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import {
  MsgConvertCoinSchema,
  MsgConvertERC20Schema,
  MsgRegisterERC20Schema,
} from '../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { MsgDelegateSchema, MsgUndelegateSchema } from '../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { MsgCreateVestingAccountSchema } from '../../../src/core/proto/cosmos/vesting/v1beta1/tx_pb.js';
import { named } from './call-data.js';
import { anyOf, signTx } from '../../support/sign-tx.js';
import { integer, type Player, someone, type World } from './world.js';

function amountOf({ random }: World): string {
  return random.weighted<() => string>([
    [8, () => String(1 + random.below(100_000))],
    [3, () => String(BigInt(1 + random.below(1000)) * 10n ** 15n)],
    [1, () => String(integer(random, 256))],
    [1, () => random.pick(['0', '-1', '', 'x', '1.5'])],
  ])();
}

function message(world: World, player: Player): Any {
  const { random } = world;
  const anyone = () => named('cosmos', someone(world));
  const sender = random.chance(0.95) ? player.bech32 : anyone();
  const amount = amountOf(world);
  const denom = random.pick([...world.denoms, ...world.tokens.map((token) => `erc20:${token}`)]);
  const hexText = (): string => (random.chance(0.9) ? someone(world) : random.pick(['', '0x', 'zz', anyone()]));
  const token = (): string =>
    random.chance(0.8) ? random.pick([...world.tokens, ...world.contracts.slice(-3), '0x']) : hexText();
  const validatorAddress = random.chance(0.9) ? random.pick(world.operators) : anyone();
  return random.weighted<() => Any>([
    [3, () => anyOf(MsgSendSchema, { fromAddress: sender, toAddress: anyone(), amount: [{ denom, amount }] })],
    [3, () => anyOf(MsgConvertCoinSchema, { coin: { denom, amount }, receiver: hexText(), sender })],
    [
      4,
      () =>
        anyOf(MsgConvertERC20Schema, {
          contractAddress: token(),
          amount,
          receiver: random.chance(0.7) ? player.bech32 : anyone(),
          sender: random.chance(0.95) ? player.address : hexText(),
        }),
    ],
    [
      2,
      () =>
        anyOf(MsgRegisterERC20Schema, {
          signer: sender,
          erc20addresses: Array.from({ length: random.below(3) }, token),
        }),
    ],
    [2, () => anyOf(MsgDelegateSchema, { delegatorAddress: sender, validatorAddress, amount: { denom, amount } })],
    [1, () => anyOf(MsgUndelegateSchema, { delegatorAddress: sender, validatorAddress, amount: { denom, amount } })],
    [1, () => anyOf(MsgWithdrawDelegatorRewardSchema, { delegatorAddress: sender, validatorAddress })],
    [1, () => anyOf(MsgSetWithdrawAddressSchema, { delegatorAddress: sender, withdrawAddress: anyone() })],
    [
      1,
      () =>
        anyOf(MsgCreateVestingAccountSchema, {
          fromAddress: sender,
          toAddress: named('cosmos', `0x${Buffer.from(random.bytes(20)).toString('hex')}`),
          amount: [{ denom: random.pick(world.denoms), amount }],
          endTime: integer(random, 32),
          delayed: random.chance(0.5),
        }),
    ],
  ])();
}

/** A signed Cosmos transaction; `player` has an account. */
export function someMessage(world: World, player: Player): Uint8Array {
  const { random } = world;
  const gasLimit = BigInt(
    random.weighted([
      [8, 600_000],
      [1, 90_000 + random.below(200_000)],
      [1, 2_000_000],
    ]),
  );
  const amount = (gasLimit * world.baseFee * 3n) / 2n / world.scale + 1n;
  return signTx(
    {
      chainId: world.chainId,
      accountNumber: player.number ?? 0n,
      sequence: BigInt(player.nonce),
      messages: Array.from({ length: random.chance(0.85) ? 1 : 2 }, () => message(world, player)),
      memo: '',
      fee: { amount: [{ denom: world.denoms[0] ?? '', amount }], gasLimit },
    },
    player.key,
  );
}
