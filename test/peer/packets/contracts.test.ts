/** Tokens of contracts over IBC, and callback contracts that packets name. */
import {
  bytesToHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  hexToBytes,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeWrapper } from '../../../src/core/ethereum/wrapper-codec.js';
import { isolatedAddress } from '../../../src/core/modules/callbacks/isolated-address.js';
import { denomOfPath, localDenom } from '../../../src/core/modules/transfer/denom.js';
import { type Packet } from '../../../src/core/proto/ibc/core/channel/v1/channel_pb.js';
import { MsgConvertERC20Schema, MsgRegisterERC20Schema } from '../../../src/core/proto/cosmos/evm/erc20/v1/tx_pb.js';
import { encodeAddress } from '../../../src/core/sdk/codec/address.js';
import { crypto } from '../../core/app/support.js';
import { Liar, Token } from '../../contracts/index.js';
import { program } from '../../core/precompiles/program.js';
import { hasGolden } from '../../support/golden.js';
import { anyOf } from '../../support/sign-tx.js';
import { EVMD } from '../evmd.js';
import { EVM_CHAIN_ID } from '../messages/genesis.js';
import { deploying } from '../evm/signer.js';
import { FAILURE, HERE, keyOf, PacketPair, sha256, SUCCESS } from './packet-pair.js';

/** A signed Ethereum transaction in its envelope. */
async function ethereum(
  account: PrivateKeyAccount,
  call: { readonly nonce: number; readonly data: Hex; readonly to?: Hex },
): Promise<Uint8Array> {
  const [gas, price] = [3_000_000n, 10n ** 11n];
  const raw = hexToBytes(
    await account.signTransaction({
      type: 'eip1559',
      chainId: Number(EVM_CHAIN_ID),
      gas,
      maxFeePerGas: price,
      maxPriorityFeePerGas: 0n,
      ...call,
    }),
  );
  return writeWrapper({ from: hexToBytes(account.address), raw, denom: 'atest', fee: gas * price, gasLimit: gas });
}

describe.skipIf(EVMD === undefined || !hasGolden)('packets and contracts', () => {
  let chain: PacketPair;
  beforeAll(async () => {
    chain = await PacketPair.start();
  });
  afterAll(() => chain.pair.stop());

  test('tokens of contracts, and contracts named in packets, have the results of evmd', async () => {
    const {
      pair,
      there,
      signer,
      other,
      executed,
      advance,
      updated,
      timed,
      sent,
      received,
      transferred,
      answered,
      dataOf,
    } = chain;
    const account = privateKeyToAccount(keyOf('mykey'));
    const isolated = encodeAddress('cosmos', isolatedAddress(crypto, HERE.channelId, 'counter1x'));
    const voucher = localDenom(sha256, denomOfPath('transfer/channel-0/ucall'));
    const codes = [
      // writes the beginning of its input, its caller, and the length of its input
      '5f355f55336001553660025500',
      '5f5ffd',
      // writes sixty slots
      '603c5b808055600190038060025700',
    ];
    const made: Hex[] = [];
    const deployed = async (data: Hex): Promise<Uint8Array> => {
      const nonce = Number(chain.sequence);
      chain.sequence += 1n;
      made.push(getContractAddress({ from: account.address, nonce: BigInt(nonce) }));
      return ethereum(account, { nonce, data });
    };
    const takes = (amount: bigint): string => {
      const owner = bytesToHex(isolatedAddress(crypto, HERE.channelId, 'counter1x'));
      const contract = getContractAddress({ from: account.address, nonce: chain.sequence });
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [owner, contract, amount] });
      return program([{ to: hexToBytes(`0x${voucher.slice(-40).toLowerCase()}`), data }], 'return');
    };
    const txs = [
      await deployed(encodeDeployData({ ...Token, args: ['Coin', 'COIN', 1_000n] })),
      await deployed(Liar.bytecode),
    ];
    for (const code of codes) txs.push(await deployed(deploying(code)));
    txs.push(await deployed(deploying(takes(20n))), await deployed(deploying(takes(5n))));
    const block = await pair.block(txs);
    expect(block.difference).toBeUndefined();
    const [token, liar, ...contracts] = made.map((address) => getAddress(address));
    if (token === undefined || liar === undefined) throw new Error('two tokens');

    const pairs = await executed(
      [anyOf(MsgRegisterERC20Schema, { signer, erc20addresses: [token] })],
      [anyOf(MsgRegisterERC20Schema, { signer, erc20addresses: [liar] })],
    );
    expect(pairs.codes[0]).toBe(' 0');
    const denom = `erc20:${token}`;
    const conversion = { contractAddress: token, amount: '130', receiver: signer, sender: account.address };
    expect((await executed([anyOf(MsgConvertERC20Schema, conversion)])).codes).toEqual([' 0']);
    const out = [await transferred(denom, '30'), await transferred(denom, '40'), await transferred(denom, '50')];
    const answers = out.map((packet, index) => answered(packet, index === 1 ? FAILURE : SUCCESS));
    advance();
    const ended = await executed([updated()], ...answers.map((message) => [message()]));
    expect(ended.codes).toEqual(ended.codes.map(() => ' 0'));

    const call = (address: string | undefined, more: object = {}): string =>
      JSON.stringify({ dest_callback: { address, gas_limit: '400000', ...more } });
    const packets = [
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '12' }),
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '3', receiver: other }),
      dataOf({ denom: `transfer/channel-5/${denom}`, amount: '1000' }),
      ...contracts.map((address) => dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(address) })),
      ...contracts.map((address) =>
        dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(address, { calldata: '0102' }) }),
      ),
      dataOf({ denom: 'ucall', amount: '20', memo: call(contracts[0], { calldata: '0102' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(account.address, { calldata: '0102' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { calldata: 'zz' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { gas_limit: '1000' }) }),
      dataOf({ denom: 'ucall', amount: '20', receiver: isolated, memo: call(contracts[0], { gas_limit: 'x' }) }),
      dataOf({
        denom: `transfer/channel-5/${denom}`,
        amount: '5',
        receiver: isolated,
        memo: call(contracts[0], { calldata: '0102' }),
      }),
    ].map((data) => sent(data));
    advance();
    const came = await executed([updated()], ...packets.map((packet) => [received(packet)]));
    expect(came.codes).toEqual(came.codes.map(() => ' 0'));
    await pair.block([]);

    const source = (address: string | undefined): string =>
      JSON.stringify({ src_callback: { address, gas_limit: '400000' } });
    const calls: Packet[] = [];
    for (const address of contracts.slice(0, 3)) calls.push(await transferred('atest', '6', source(address)));
    calls.push(await transferred(denom, '2', source(contracts[0])));
    const heard = calls.map((packet, index) => answered(packet, index % 2 === 0 ? SUCCESS : FAILURE));
    advance();
    await executed([updated()], ...heard.map((message) => [message()]));

    const late: Packet[] = [];
    for (const [address, gas_limit] of [
      [contracts[0], '70000'],
      [contracts[0], '400000'],
      [contracts[1], '400000'],
      [contracts[2], '1000000'],
      // the token of the EVM's own coin, which takes what it does not know for a deposit
      ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', '200000'],
    ])
      late.push(await transferred('atest', '6', JSON.stringify({ src_callback: { address, gas_limit } }), 30n));
    for (let block = 0; block < 20; block += 1) there.block();
    advance();
    await pair.block([], { seconds: 120 });
    const { theirs } = await executed([updated()], ...late.map((packet) => [timed(packet)]));
    const results = theirs.txResults.flatMap(({ events }) =>
      events
        .filter(({ type }) => type === 'ibc_src_callback')
        .map(({ attributes }) => attributes.find(({ key }) => key === 'callback_result')?.value),
    );
    // the gas of a callback counts twice after a timeout
    expect(results).toEqual(['failure', 'success', 'failure', 'failure', 'success']);
  });
});
