/** Refusals of precompiles with the texts of evmd v0.6.0, and calls that end in its panics. */
import { create } from '@bufbuild/protobuf';
import { hexToBytes, type Hex, toHex } from 'viem';
import { describe, expect, it, test } from 'vitest';
import { setCommission } from '../../../../src/core/modules/distribution/records.js';
import { tally } from '../../../../src/core/modules/gov/tally.js';
import { votesOf } from '../../../../src/core/modules/gov/keys.js';
import { callRules } from '../../../../src/core/modules/evm/precompiles/call-rules.js';
import { EVMD_PRECOMPILES } from '../../../../src/core/peers/evmd/contracts.js';
import { type Context, withStore } from '../../../../src/core/sdk/module/context.js';
import { moduleAddress } from '../../../../src/core/sdk/codec/address.js';
import { accountKey } from '../../../../src/core/modules/auth/accounts.js';
import { prefixRange } from '../../../../src/core/bytes/key-order.js';
import { tokenContracts } from '../../../../src/core/precompiles/token/contract.js';
import { ProposalSchema } from '../../../../src/core/proto/cosmos/gov/v1/gov_pb.js';
import type { StateStore } from '../../../../src/core/state/state.js';
import { crypto } from '../../app/support.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { RecoveredPanic, SdkError } from '../../../../src/core/sdk/module/sdk-error.js';
import type { ContractCall } from '../../../../src/core/sdk/module/stateful-precompile.js';
import { CacheStore } from '../../../../src/core/state/overlay.js';
import type { EvmJournal } from '../../../../src/core/evm/precompile-call.js';
import { encodedCall } from '../../../peer/contracts/encode.js';
import { named, text, type Value } from '../../../peer/contracts/values.js';
import { NO_SLASHES, world } from '../../modules/evm/one-state/world.js';
import { bytesOf, operator, person } from '../../app/properties/people.js';

const chain = world(NO_SLASHES);
const caller = bytesOf(person(0));
const ME: Hex = toHex(caller);
const MORE = 'f'.repeat(40);
const journal = { log: () => undefined } as unknown as EvmJournal;

interface Asked {
  readonly from?: Uint8Array;
  readonly isDelegateCall?: boolean;
  readonly prepare?: (context: Context) => void;
}

/** The output of a call in hexadecimal, its refusal, or the panic in which it ends. */
function outcomeOf(to: number, input: Uint8Array, asks: Asked = {}): string {
  const { from = caller, isDelegateCall = false, prepare } = asks;
  const contract = EVMD_PRECOMPILES.static.find(({ address }) => Number(toHex(address)) === to);
  if (contract === undefined) throw new Error(`no contract ${to}`);
  const state = new CacheStore(chain.state);
  const context = chain.delivering(state);
  prepare?.(context);
  const gas = new GasMeter(10_000_000n);
  const store = callRules.of(context).meteredStore(state, gas);
  const call: ContractCall = {
    address: contract.address,
    caller: from,
    value: 0n,
    input,
    readOnly: isDelegateCall,
    isDelegateCall,
    journal,
  };
  try {
    return toHex(contract.run(withStore(context, store, [], gas), call));
  } catch (error) {
    if (error instanceof RecoveredPanic) return `panic: ${error.reason}`;
    if (!(error instanceof SdkError)) throw error;
    return error.message;
  }
}

const asked = (to: number, signature: string, ...values: readonly Value[]): string =>
  outcomeOf(to, encodedCall(signature, values, ME));

const PAGE = '(bytes,uint64,uint64,bool,bool)';
const begin: Value = ['0x00', 1n, 10n, false, false];

describe('a refused query of a precompile', () => {
  it('returns the gRPC status without the additions of ABCI', () => {
    expect(asked(0x805, 'getVote(uint64,address)', 1n, ME)).toBe(
      `rpc error: code = InvalidArgument desc = voter: ${person(0)} not found for proposal: 1`,
    );
    expect(asked(0x805, 'getProposal(uint64)', 9n)).toBe("rpc error: code = NotFound desc = proposal 9 doesn't exist");
  });

  it('returns the error of an argument that the precompile parses itself', () => {
    const redelegation = (source: string): string =>
      asked(0x800, 'redelegation(address,string,string)', ME, text(source), text(source));
    expect(redelegation('x')).toBe('decoding bech32 failed: invalid bech32 string length 1');
    expect(redelegation(' ')).toBe('empty address string is not allowed');
    expect(redelegation(named('chronvaloper', '0x'))).toBe('addresses cannot be empty: unknown address');
    expect(asked(0x806, 'getSigningInfo(address)', `0x${'00'.repeat(20)}`)).toBe('invalid consensus address');
  });
});

describe('a page', () => {
  it('takes a zero byte as a key, except for validators', () => {
    const both = 'rpc error: code = Internal desc = invalid request, either offset or key is expected, got both';
    expect(asked(0x805, `getVotes(uint64,${PAGE})`, 1n, begin)).toBe(both);
    expect(asked(0x800, `validators(string,${PAGE})`, text(''), begin)).toMatch(/^0x/);
  });
});

describe('numbers of Go', () => {
  it('wrap around for a status above an int32', () => {
    const proposals = (status: bigint): string =>
      asked(
        0x805,
        `getProposals(uint32,address,address,${PAGE})`,
        status,
        `0x${'00'.repeat(20)}`,
        `0x${'00'.repeat(20)}`,
        ['0x', 0n, 10n, true, false],
      );
    expect(proposals((1n << 32n) - 1n)).toBe(proposals(0n));
    expect(proposals(1n << 31n)).toBe(proposals(0n));
  });

  it('keep the lowest 64 bits of a height', () => {
    const cancel = (height: bigint): string =>
      asked(
        0x800,
        'cancelUnbondingDelegation(address,string,uint256,uint256)',
        ME,
        text(named('chronvaloper', ME)),
        5n,
        height,
      );
    expect(cancel((1n << 256n) - 1n)).toBe('invalid height: invalid request');
    expect(cancel((1n << 64n) + 7n)).toBe(cancel(7n));
  });
});

describe('coins for the rewards of a validator', () => {
  const deposit = (...coins: readonly Value[]): string =>
    asked(
      0x801,
      'depositValidatorRewardsPool(address,string,(string,uint256)[])',
      ME,
      text(named('chronvaloper', ME)),
      coins,
    );

  it('are shown when one has no denom; an invalid denom is shown alone', () => {
    expect(deposit([text('aoak'), 5n], ['0x', 1n])).toBe('invalid amount: [{aoak 5} { 1}]');
    expect(deposit([text('aoak'), 5n], [text('x'), 1n])).toBe('invalid amount: invalid denom: x');
  });
});

describe('an empty list', () => {
  it('of coins is not taken as absent', () => {
    const fund = asked(0x801, 'fundCommunityPool(address,(string,uint256)[])', ME, []);
    expect(fund).toBe(`0x${'1'.padStart(64, '0')}`);
  });

  it('of vote options is refused, and shown as such', () => {
    const vote = asked(0x805, 'voteWeighted(address,uint64,(uint8,string)[],string)', ME, 1n, [], text(''));
    expect(vote).toBe('[]: invalid request');
  });

  it('of withdrawn coins panics', () => {
    const input = encodedCall('withdrawValidatorCommission(string)', [text(operator(0))], ME);
    const withdrawn = outcomeOf(0x801, input, {
      // a tenth of the smallest coin
      prepare: (context) => setCommission(context, caller, [{ denom: 'achr', amount: 10n ** 17n }]),
    });
    expect(withdrawn).toBe('panic: runtime error: index out of range [0] with length 0');
  });
});

test('a weight that is no UTF-8 is shown with octal escapes', () => {
  const vote = asked(
    0x805,
    'voteWeighted(address,uint64,(uint8,string)[],string)',
    ME,
    1n,
    [[1n, '0x636fff80']],
    text(''),
  );
  expect(vote).toBe('option:VOTE_OPTION_YES weight:"co\\377\\200" : invalid vote option');
});

describe('a DELEGATECALL', () => {
  const NIL = 'panic: runtime error: invalid memory address or nil pointer dereference';

  it('with an empty input panics with a nil pointer', () => {
    for (const to of [0x800, 0x801, 0x802, 0x804, 0x805, 0x806]) {
      expect(outcomeOf(to, new Uint8Array(0), { isDelegateCall: true })).toBe(NIL);
      expect(outcomeOf(to, new Uint8Array(0))).toBe('execution reverted');
      expect(outcomeOf(to, hexToBytes(`0x${MORE.slice(0, 6)}`), { isDelegateCall: true })).toBe('execution reverted');
    }
  });

  it('of the token of a coin panics for every input', () => {
    const context = chain.delivering(new CacheStore(chain.state));
    const [, token] = tokenContracts(context);
    const supply = encodedCall('totalSupply()', [], ME);
    const call = { address: caller, caller, value: 0n, input: supply, readOnly: true, isDelegateCall: true, journal };
    expect(() => token?.run(context, call)).toThrow(RecoveredPanic);
    expect(token?.run(context, { ...call, isDelegateCall: false })).toHaveLength(32);
  });
});

test('a tally reads the account of the bonded pool, and reads the votes once', () => {
  const reads: string[] = [];
  const state = new CacheStore(chain.state);
  const context = chain.delivering(state);
  const votes = toHex(prefixRange(votesOf(7n)).start ?? new Uint8Array(0));
  const seen: StateStore = {
    get: (store, key) => {
      reads.push(`${store} ${toHex(key)}`);
      return state.get(store, key);
    },
    range: (store, range) => {
      if (store === 'gov' && toHex(range.start ?? new Uint8Array(0)) === votes) reads.push('votes');
      return state.range(store, range);
    },
    set: (store, key, value) => state.set(store, key, value),
    delete: (store, key) => state.delete(store, key),
  };
  tally({ ...context, store: seen }, create(ProposalSchema, { id: 7n }));
  expect(reads.filter((read) => read === 'votes')).toHaveLength(1);
  expect(reads).toContain(`acc ${toHex(accountKey(moduleAddress(crypto, 'bonded_tokens_pool')))}`);
});
