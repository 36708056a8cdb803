/**
 * Contracts that call precompiles during something else: tokens during their conversion, relays at every depth,
 * accounts with delegated code (EIP-7702). The effects of a frame stay only if it and each frame around it return.
 */
import { decodeErrorResult, encodeFunctionData, parseAbi, type Hex } from 'viem';
import { describe, expect, test } from 'vitest';
import { ensureAccount } from '../../../../../src/core/modules/auth/accounts.js';
import { getBalance } from '../../../../../src/core/modules/bank/balances.js';
import { sendAmount } from '../../../../../src/core/modules/bank/transfer.js';
import { codeHashKey, codeKey } from '../../../../../src/core/modules/evm/store.js';
import { getDelegation } from '../../../../../src/core/modules/staking/delegations.js';
import { fromHex } from '../../../../../src/core/bytes/hex.js';
import { FIXED_LIMITS } from '../../../../../src/core/limits/limits.js';
import { MsgDepositValidatorRewardsPoolSchema } from '../../../../../src/core/proto/cosmos/distribution/v1beta1/tx_pb.js';
import { MsgDelegateSchema } from '../../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { moduleAddress, parseAddress } from '../../../../../src/core/sdk/codec/address.js';
import { CacheStore } from '../../../../../src/core/state/overlay.js';
import { Liar } from '../../../../contracts/index.js';
import { program, programBefore, type Step } from '../../../precompiles/program.js';
import type { PropertyChain } from '../../../app/properties/chain.js';
import { achr, any, bytesOf, operator, person } from '../../../app/properties/people.js';
import { play } from '../../../app/properties/play.js';
import { crypto } from '../../../app/support.js';
import { ABI, DISTRIBUTION, STAKING, TOKENS } from './contract-calls.js';
import { install } from './installed.js';
import { begin, choose, hexOf, sent, toCoins, TOKEN, tokens, toTokens, ESCROW } from './lying-token.js';
import { bytesOfHex, contractCall, message, tried } from './world.js';

const LIAR: Hex = `0x${'71'.repeat(20)}`;
const COIN = bytesOfHex(TOKENS.get('achr') ?? '0x');
const OPERATOR = parseAddress('chronvaloper', operator(0)) ?? new Uint8Array();
const relay = (depth: number): Hex => `0x${'72'.repeat(19)}${(depth + 16).toString(16)}`;

/** Gives an account this code, and coins for its calls. */
function setCode(chain: PropertyChain, at: Hex, code: string): void {
  const state = new CacheStore(chain.state);
  const [address, bytes] = [bytesOfHex(at), fromHex(code)];
  const hash = crypto.keccak256(bytes);
  ensureAccount(chain.delivering(state), address);
  state.set('evm', codeKey(hash), bytes);
  state.set('evm', codeHashKey(address), hash);
  sendAmount(chain.delivering(state), bytesOf(person(5)), address, { denom: 'achr', amount: 1_000n });
  chain.state = state;
}

const staked = (chain: PropertyChain, by: string): bigint | undefined => {
  const address = by.startsWith('0x') ? bytesOfHex(by) : bytesOf(by);
  const shares = getDelegation(chain.context(), address, OPERATOR)?.shares;
  return shares === undefined ? undefined : shares / 10n ** 18n;
};
const delegate = (by: Hex, amount: bigint): Step => ({
  to: bytesOfHex(STAKING),
  data: encodeFunctionData({ abi: ABI, functionName: 'delegate', args: [by, operator(0), amount] }),
});
const give = (to: string, amount: bigint): Step => ({
  to: COIN,
  data: encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [hexOf(bytesOf(to)), amount] }),
});
const fund = (by: Hex, amount: bigint): Step => ({
  to: bytesOfHex(DISTRIBUTION),
  data: encodeFunctionData({ abi: ABI, functionName: 'fundCommunityPool', args: [by, [{ denom: 'achr', amount }]] }),
});

/** A pair whose token makes these calls in each of its functions, also in view functions. */
function reentering(steps: readonly Step[]): PropertyChain {
  const chain = begin(true);
  const state = new CacheStore(chain.state);
  install(chain, state, LIAR, Liar);
  chain.state = state;
  setCode(chain, TOKEN, programBefore(steps, bytesOfHex(LIAR)));
  return chain;
}

describe('a token that calls precompiles during its conversion', () => {
  test.each([
    ['to coins', toCoins, 150n],
    ['to tokens', toTokens, 50n],
  ])('makes each call once in a conversion %s, and none in view calls', (_, conversion, escrowed) => {
    const chain = reentering([delegate(TOKEN, 10n), fund(TOKEN, 5n), give(person(4), 7n)]);
    const before = getBalance(chain.context(), bytesOf(person(4)), 'achr');
    expect(sent(chain, [conversion])).toBe('ok');
    expect(tokens(chain, ESCROW)).toBe(escrowed);
    expect(staked(chain, TOKEN)).toBe(10n);
    expect(getBalance(chain.context(), bytesOf(person(4)), 'achr') - before).toBe(7n);
    expect(getBalance(chain.context(), bytesOfHex(TOKEN), 'achr')).toBe(1_100n - 22n);
    expect(chain.broken()).toEqual([]);
  });

  test.each([
    ['Fee', 'erc20 7: invalid token balance - expected: 150, actual: 149: post transfer balance invariant failed'],
    // The coin that it moves emits a Transfer event of its own.
    ['SilentWithoutEvent', 'erc20 8: Transfer event from unexpected address: unexpected event'],
    ['Refuses', 'evm 10: execution reverted: evm transaction execution failed'],
    ['Bomb', 'sdk 35: failed to execute transfer: internal logic error'],
  ] as const)('and is of kind %s leaves nothing of its calls', (way, refusal) => {
    const chain = reentering([delegate(TOKEN, 10n), fund(TOKEN, 5n), give(person(4), 7n)]);
    choose(chain, way);
    const already = staked(chain, TOKEN);
    expect(sent(chain, [toCoins])).toBe(refusal);
    expect(staked(chain, TOKEN)).toBe(already);
    expect(chain.broken()).toEqual([]);
  });

  test('makes no more calls than a transaction may', () => {
    const { precompileCalls } = FIXED_LIMITS;
    const chain = reentering(Array.from({ length: precompileCalls + 3 }, () => give(person(4), 1n)));
    const before = getBalance(chain.context(), bytesOf(person(4)), 'achr');
    // each call pays for all accounts that the EVM has changed so far
    expect(sent(chain, [toTokens], 6_000_000n)).toBe('ok');
    expect(getBalance(chain.context(), bytesOf(person(4)), 'achr') - before).toBe(BigInt(precompileCalls));
  });

  const DEPTH = 4;
  test.each(Array.from({ length: DEPTH + 1 }, (_, undone) => [undone]))(
    `through ${DEPTH} relays keeps the calls before the relay that reverts, number %i (${DEPTH}: none)`,
    (undone) => {
      const chain = reentering([{ to: bytesOfHex(relay(0)) }]);
      for (let depth = 0; depth < DEPTH; depth += 1) {
        const next = depth + 1 < DEPTH ? [{ to: bytesOfHex(relay(depth + 1)) }] : [];
        setCode(
          chain,
          relay(depth),
          program([delegate(relay(depth), BigInt(depth + 1)), ...next], depth === undone ? 'revert' : 'return'),
        );
      }
      expect(sent(chain, [toTokens])).toBe('ok');
      const depths = Array.from({ length: DEPTH }, (_, depth) => depth);
      expect(depths.map((depth) => staked(chain, relay(depth)))).toEqual(
        depths.map((depth) => (depth < undone ? BigInt(depth + 1) : undefined)),
      );
      expect(chain.broken()).toEqual([]);
    },
  );
});

describe('an account with delegated code (EIP-7702)', () => {
  const owner = hexOf(bytesOf(person(2)));
  const call = (chain: PropertyChain, from: string, to: Hex) =>
    tried(chain, chain.state, contractCall(bytesOf(from), { to, data: '0x' }));
  const delegated = (chain: PropertyChain, code: string): void => {
    setCode(chain, relay(0), code);
    setCode(chain, owner, `ef0100${relay(0).slice(2)}`);
  };

  test('calls a precompile as itself, whoever calls it', () => {
    const chain = begin(false);
    delegated(chain, program([delegate(owner, 10n)], 'return'));
    const before = staked(chain, person(2)) ?? 0n;
    const state = new CacheStore(chain.state);
    contractCall(bytesOf(person(1)), { to: owner, data: '0x' })(chain.delivering(state));
    chain.state = state;
    expect(staked(chain, person(2))).toBe(before + 10n);
    expect(staked(chain, relay(0))).toBeUndefined();
  });

  test.each([
    ['another account', program([delegate(hexOf(bytesOf(person(1))), 10n)], 'return')],
    ['the account of the code', program([delegate(relay(0), 10n)], 'return')],
    ['itself in a frame that reverts', program([delegate(owner, 10n)], 'revert')],
  ])('cannot delegate for %s', (_, code) => {
    const chain = begin(false);
    delegated(chain, code);
    const { changes } = call(chain, person(1), owner);
    const touched = [...changes.keys()].filter((place) => !/^(acc|evm) /.test(place));
    expect(touched).toEqual([]);
  });

  test('does nothing when the code is that of a precompile', () => {
    const chain = begin(false);
    setCode(chain, owner, `ef0100${STAKING.slice(2)}`);
    const { data = '0x' } = delegate(owner, 10n);
    const { refusal, changes } = tried(chain, chain.state, contractCall(bytesOf(person(2)), { to: owner, data }));
    expect(refusal).toBeUndefined();
    expect([...changes.keys()].filter((place) => !/^(acc|evm) /.test(place))).toEqual([]);
  });
});

test('a failing hook refuses the message and the precompile call with one error, and undoes both', () => {
  const chain = begin(false);
  const by = person(2);
  const one = any(MsgDelegateSchema, { delegatorAddress: by, validatorAddress: operator(0), amount: achr(10n ** 18n) });
  const rewards = any(MsgDepositValidatorRewardsPoolSchema, {
    depositor: person(3),
    validatorAddress: operator(0),
    amount: [achr(10n ** 20n)],
  });
  const before = new CacheStore(chain.state);
  for (const each of [one, rewards]) message(each)(chain.delivering(before));
  chain.state = before;
  play(chain, { seconds: 1n, absent: 0, offences: [], txs: [] }, new Map());
  // The hook of distribution pays rewards before a delegation grows; its account has lost its coins.
  const distribution = moduleAddress(crypto, 'distribution');
  const amount = getBalance(chain.context(), distribution, 'achr');
  const state = new CacheStore(chain.state);
  sendAmount(chain.delivering(state), distribution, bytesOf(person(5)), { denom: 'achr', amount });
  const refused = tried(chain, state, message(one));
  expect(refused.refusal).toMatch(/^spendable balance 0achr is smaller than \d+achr: insufficient funds$/);
  const { to, data = '0x' } = delegate(hexOf(bytesOf(by)), 10n ** 18n);
  const called = tried(chain, state, contractCall(bytesOf(by), { to: hexOf(to), data }));
  expect(called.refusal).toBe('execution reverted: evm transaction execution failed');
  const at = { ...chain.at(), hash: new Uint8Array(32), proposer: new Uint8Array(20) };
  const asked = chain.app.ethereum?.call(state, at, { from: bytesOf(by), to, data: bytesOfHex(data) }, [], {});
  if (asked?.kind !== 'revert') throw new Error(asked?.kind);
  const { args } = decodeErrorResult({ data: hexOf(asked.output), abi: parseAbi(['error Error(string)']) });
  expect(args).toEqual([refused.refusal]);
});
