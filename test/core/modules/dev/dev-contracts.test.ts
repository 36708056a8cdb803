/** Precompiles on a dev chain: staking, bank, the ERC-20 token of the coin, and addresses without one. */
import { create } from '@bufbuild/protobuf';
import {
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  hexToBytes,
  parseAbi,
  parseEther,
  type Hex,
} from 'viem';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EthereumCallResult } from '../../../../src/core/ethereum/api.js';
import { hasAccount } from '../../../../src/core/modules/auth/accounts.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import * as evmQuery from '../../../../src/core/proto/cosmos/evm/vm/v1/query_pb.js';
import { MsgEthereumTxResponseSchema, MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import * as erc20 from '../../../../src/core/proto/cosmos/evm/erc20/v1/query_pb.js';
import * as staking from '../../../../src/core/proto/cosmos/staking/v1beta1/query_pb.js';
import { encodeAddress, moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { hexOf, program, push, type Step } from '../../precompiles/program.js';
import { account, brokenInvariants, codes, contextOf, DevChain, only, refusal, signed } from '../../app/dev-chain.js';
import { addressOf, ethereumChain, evm, rawOf, signer, tx } from '../../app/ethereum-chain.js';
import { responseOf } from '../../app/recorded-evm.js';
import { crypto, fromHex } from '../../app/support.js';

const contract = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
const STAKING = contract(0x800);
const TOKEN: Hex = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const OPERATOR = encodeAddress('chronvaloper', addressOf(0));
const OUTER = fromHex('a1'.repeat(20));
const INNER = fromHex('b2'.repeat(20));
const ABI = parseAbi([
  'struct Coin { string denom; uint256 amount; }',
  'function delegate(address delegator, string validator, uint256 amount) returns (bool)',
  'function delegation(address delegator, string validator) view returns (uint256 shares, Coin balance)',
  'function fundCommunityPool(address depositor, Coin[] amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function name() view returns (string)',
  'event Delegate(address indexed delegator, address indexed validator, uint256 amount, uint256 shares)',
]);
const delegate = (delegator: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: ABI, functionName: 'delegate', args: [delegator, OPERATOR, amount] });
const delegation = (delegator: Hex): Hex =>
  encodeFunctionData({ abi: ABI, functionName: 'delegation', args: [delegator, OPERATOR] });
const step = (to: Hex, data: Hex, kind: Step['kind'] = 'call'): Step => ({ to: fromHex(to.slice(2)), data, kind });

describe('precompiles of a dev chain', () => {
  let dev: DevChain;
  beforeEach(() => {
    dev = ethereumChain();
  });

  const stakedBy = (address: Uint8Array): bigint => {
    const request = { delegatorAddr: encodeAddress('chron', address) };
    const { delegationResponses } = dev.query(
      '/cosmos.staking.v1beta1.Query/DelegatorDelegations',
      staking.QueryDelegatorDelegationsRequestSchema,
      request,
      staking.QueryDelegatorDelegationsResponseSchema,
    );
    return delegationResponses.reduce((sum, { balance }) => sum + BigInt(balance?.amount ?? 0), 0n);
  };
  /** A call over the state with code at two addresses, which own ten coins each. */
  const call = (to: Uint8Array | Hex, data: Hex = '0x', outer = '', inner = '', value = 0n): EthereumCallResult => {
    const at = { ...dev.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
    const edits = [
      { address: OUTER, balance: parseEther('10'), code: fromHex(outer) },
      { address: INNER, balance: parseEther('10'), code: fromHex(inner) },
    ];
    const target = typeof to === 'string' ? fromHex(to.slice(2)) : to;
    const request = { from: addressOf(1), to: target, data: hexToBytes(data), value };
    const result = dev.app.ethereum?.call(dev.state, at, request, edits, {});
    if (result === undefined) throw new Error('no EVM');
    return result;
  };
  const output = (result: EthereumCallResult): Hex => {
    if (result.kind !== 'success') throw new Error(JSON.stringify(result, (_, one) => String(one)));
    return hexOf(result.output);
  };

  it('a delegation through the staking precompile is stored, and emits its event', async () => {
    const delegator = signer(1).address;
    const result = dev.block(await tx(1, { nonce: 0, to: STAKING, data: delegate(delegator, 5n), gas: 400_000n }));
    expect(codes(result)).toEqual([0]);
    expect(stakedBy(addressOf(1))).toBe(5n);
    const [log] = responseOf(only(result).data).logs;
    expect(
      decodeEventLog({ abi: ABI, topics: log?.topics as [Hex, ...Hex[]], data: hexOf(log?.data ?? new Uint8Array()) }),
    ).toMatchObject({ eventName: 'Delegate', args: { delegator, amount: 5n, shares: 5n * 10n ** 18n } });
    const data = output(call(STAKING, delegation(delegator)));
    expect(decodeFunctionResult({ abi: ABI, functionName: 'delegation', data })).toEqual([
      5n * 10n ** 18n,
      { denom: 'achr', amount: 5n },
    ]);
    expect(brokenInvariants(dev)).toEqual([]);
  });

  it('TraceTx and TraceBlock trace a call of a precompile', async () => {
    dev.block();
    const data = delegate(signer(1).address, 5n);
    const raw = await rawOf(1, { nonce: 0, to: STAKING, data, gas: 400_000n });
    const msg = create(MsgEthereumTxSchema, { from: addressOf(1), raw });
    const traceConfig = { tracer: 'callTracer' };
    const path = '/cosmos.evm.vm.v1.Query';
    const traced = dev.query(
      `${path}/TraceTx`,
      evmQuery.QueryTraceTxRequestSchema,
      { msg, traceConfig },
      evmQuery.QueryTraceTxResponseSchema,
    );
    const all = dev.query(
      `${path}/TraceBlock`,
      evmQuery.QueryTraceBlockRequestSchema,
      { txs: [msg], traceConfig },
      evmQuery.QueryTraceBlockResponseSchema,
    );
    const frame = { to: STAKING, output: `0x${'1'.padStart(64, '0')}` };
    expect(JSON.parse(Buffer.from(traced.data).toString())).toMatchObject(frame);
    expect(JSON.parse(Buffer.from(all.data).toString())).toMatchObject([{ result: frame }]);
    expect(stakedBy(addressOf(1))).toBe(0n);
  });

  it('a frame that reverts undoes its delegation, and a frame that returns keeps it', () => {
    const inner = (end: 'return' | 'revert'): bigint => {
      const delegating = program([step(STAKING, delegate(hexOf(INNER), 5n))], end);
      const asking = program([{ to: INNER }, step(STAKING, delegation(hexOf(INNER)), 'static')], 'return');
      const data = output(call(OUTER, '0x', asking, delegating));
      return decodeFunctionResult({ abi: ABI, functionName: 'delegation', data })[1].amount;
    };
    expect([inner('return'), inner('revert')]).toEqual([5n, 0n]);
  });

  it('the EVM sees the coins that a precompile moved, also those of module accounts', async () => {
    const pool = moduleAddress(crypto, 'distribution');
    const balance = (of: Uint8Array): string => `${push(BigInt(hexOf(of)))}315f5260205ff3`;
    const fund = encodeFunctionData({
      abi: ABI,
      functionName: 'fundCommunityPool',
      args: [hexOf(OUTER), [{ denom: 'achr', amount: 7n }]],
    });
    const pays = (of: Uint8Array): bigint =>
      BigInt(
        output(call(OUTER, '0x', `${program([step(contract(0x801), fund)], 'return').slice(0, -14)}${balance(of)}`)),
      );
    const before = BigInt(output(call(OUTER, '0x', balance(pool))));
    expect(pays(OUTER)).toBe(parseEther('10') - 7n);
    expect(pays(pool)).toBe(before + 7n);
  });

  it('the ERC-20 token of the coin shows and transfers balances', async () => {
    const to = signer(2).address;
    const balanceOf = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [to] });
    const before = BigInt(output(call(TOKEN, balanceOf)));
    const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [to, 3n] });
    expect(codes(dev.block(await tx(1, { nonce: 0, to: TOKEN, data, gas: 100_000n })))).toEqual([0]);
    expect(BigInt(output(call(TOKEN, balanceOf)))).toBe(before + 3n);
    const { tokenPairs } = dev.query(
      '/cosmos.evm.erc20.v1.Query/TokenPairs',
      erc20.QueryTokenPairsRequestSchema,
      {},
      erc20.QueryTokenPairsResponseSchema,
    );
    expect(tokenPairs).toMatchObject([{ denom: 'achr', enabled: true }]);
  });

  it.each([
    ['staking', STAKING],
    ['bech32', contract(0x400)],
  ])('the %s precompile refuses value, and none is lost', async (_, to) => {
    const value = 3n;
    expect(call(to, delegate(signer(1).address, 1n), '', '', value)).toMatchObject({ kind: 'revert' });
    const result = dev.block(await tx(1, { nonce: 0, to, value, gas: 400_000n }));
    expect(responseOf(only(result).data).vmError).toBe('execution reverted');
    expect(brokenInvariants(dev)).toEqual([]);
    expect(call(OUTER, '0x', `${push(BigInt(to))}315f5260205ff3`)).toMatchObject({ output: new Uint8Array(32) });
  });

  it('value sent to the ERC-20 token of the coin is returned', () => {
    const outer = program([{ to: fromHex(TOKEN.slice(2)), value: 5n }], 'return');
    const balance = `${push(BigInt(hexOf(OUTER)))}315f5260205ff3`;
    expect(BigInt(output(call(OUTER, '0x', `${outer.slice(0, -14)}${balance}`)))).toBe(parseEther('10'));
  });

  it('query EthCall returns the logs of a call', () => {
    const data = encodeFunctionData({ abi: parseAbi(['function approve(address, uint256)']), args: [TOKEN, 7n] });
    const args = Buffer.from(JSON.stringify({ from: hexOf(addressOf(1)), to: TOKEN, data }));
    const { logs } = dev.query(
      '/cosmos.evm.vm.v1.Query/EthCall',
      evmQuery.EthCallRequestSchema,
      { args, gasCap: 1_000_000n },
      MsgEthereumTxResponseSchema,
    );
    expect(logs).toHaveLength(1);
    expect(logs[0]).toMatchObject({
      address: getAddress(TOKEN),
      data: fromHex('7'.padStart(64, '0')),
      blockNumber: BigInt(dev.at().height),
      txHash: `0x${'0'.repeat(64)}`,
    });
    expect(logs[0]?.topics).toHaveLength(3);
  });

  it('token pairs are read from the state once, not for each call', () => {
    call(TOKEN);
    const ranges: string[] = [];
    const watched = { get: dev.state.get.bind(dev.state), range: dev.state.range.bind(dev.state) };
    dev.state = {
      ...watched,
      range: (store, range) => {
        ranges.push(store);
        return watched.range(store, range);
      },
    };
    expect(call(TOKEN, encodeFunctionData({ abi: ABI, functionName: 'name' }))).toMatchObject({ kind: 'success' });
    expect(ranges).toEqual([]);
  });

  it('a call creates no account for the precompile', async () => {
    const data = delegate(signer(1).address, 5n);
    dev.block(await tx(1, { nonce: 0, to: STAKING, data, gas: 400_000n }));
    expect(hasAccount(contextOf(dev), fromHex(STAKING.slice(2)))).toBe(false);
  });

  it('users cannot send coins to a precompile', () => {
    const toAddress = encodeAddress('chron', fromHex(STAKING.slice(2)));
    const send = signed(1, 0n, MsgSendSchema, {
      fromAddress: account(1).address,
      toAddress,
      amount: [{ denom: 'achr', amount: '1' }],
    });
    expect(refusal(dev.block(send))).toBe(
      `sdk 4: failed to execute message; message index: 0: ${toAddress} is not allowed to receive funds: unauthorized`,
    );
  });

  it('an address without a precompile returns nothing, and P-256 costs what its EIP says', () => {
    for (const number of [0x803, 0x807])
      expect(call(contract(number))).toMatchObject({ kind: 'success', output: new Uint8Array(0) });
    const [p256] = [0x100].map((number) => call(contract(number), `0x${'00'.repeat(160)}`));
    // EIP-7951: 6,900 gas, and nothing for a signature that is not valid
    expect(p256).toMatchObject({ kind: 'success', output: new Uint8Array(0), gasUsed: 21_000n + 640n + 6_900n });
  });

  it('a precompile that the genesis does not name is not active', () => {
    const { evm: section } = dev.genesis.appState as { readonly evm: { readonly params: object } };
    const none = { ...section, params: { ...section.params, active_static_precompiles: [contract(0x803)] } };
    dev = new DevChain({ evm }, 4, true, { evm: none });
    expect(call(STAKING, delegation(signer(1).address))).toMatchObject({ kind: 'success', output: new Uint8Array(0) });
    expect(call(contract(0x803))).toMatchObject({ kind: 'success' });
  });
});
