import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../../src/core/comet/time.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { chronicle } from '../../../../src/core/app/presets.js';
import { feegrant } from '../../../../src/core/peers/evmd/feegrant.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import {
  AllowedMsgAllowanceSchema,
  BasicAllowanceSchema,
  PeriodicAllowanceSchema,
} from '../../../../src/core/proto/cosmos/feegrant/v1beta1/feegrant_pb.js';
import * as pb from '../../../../src/core/proto/cosmos/feegrant/v1beta1/tx_pb.js';
import { encodeAddress } from '../../../../src/core/sdk/codec/address.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { NIL_POINTER } from '../../../../src/core/sdk/module/sdk-error.js';
import { account, chain, codes, DevChain, only, refusal, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const SECOND = 1_000_000_000n;
const FAILED = 'failed to execute message; message index: 0: ';
const pair = { granter: account(0).address, grantee: account(1).address };
const NOT_ALLOWED = `${pair.granter} does not allow to pay fees for ${pair.grantee}: `;
const SEND = '/cosmos.bank.v1beta1.MsgSend';
const GAS = 300_000n;
/** Price of a unit of gas that the base fee of the dev chain never exceeds. */
const FEE = GAS * 2_000_000_000n;
const time = (ns: bigint) => toTimestamp(toTimeNs(ns));

const basic = (limit?: bigint, end?: bigint) =>
  packAny(
    BasicAllowanceSchema,
    create(BasicAllowanceSchema, {
      spendLimit: limit === undefined ? [] : [coin('achr', limit)],
      ...(end !== undefined && { expiration: time(end) }),
    }),
  );
const allowed = (types: string[], allowance = basic()) =>
  packAny(AllowedMsgAllowanceSchema, create(AllowedMsgAllowanceSchema, { allowance, allowedMessages: types }));
const periodic = (fields: MessageInitShape<typeof PeriodicAllowanceSchema>) =>
  packAny(PeriodicAllowanceSchema, create(PeriodicAllowanceSchema, fields));

class Scene extends DevChain {
  readonly #sequences = [0n, 0n];

  act<Desc extends DescMessage>(from: 0 | 1, schema: Desc, message: MessageInitShape<Desc>, change = {}) {
    const sequence = this.#sequences[from] ?? 0n;
    const result = this.block(signed(from, sequence, schema, message, change));
    if (only(result).events.length > 0) this.#sequences[from] = sequence + 1n;
    return result;
  }
  grant(allowance: ReturnType<typeof basic>) {
    return this.act(0, pb.MsgGrantAllowanceSchema, { ...pair, allowance });
  }
  /** The grantee sends one coin; the granter pays. */
  send(change = {}) {
    const message = { fromAddress: pair.grantee, toAddress: account(2).address, amount: [coin('achr', 1n)] };
    return this.act(1, MsgSendSchema, message, { granter: pair.granter, gas: GAS, fee: FEE, ...change });
  }
  get stored() {
    return [...this.state.range('feegrant', { reverse: false })];
  }
}

describe('an allowance', () => {
  it('charges the granter, and refuses a fee above its remaining limit', () => {
    const dev = new Scene();
    dev.grant(basic(2n * FEE));
    const events = only(dev.send()).events.map(({ type, attributes }) => `${type} ${attributes[0]?.value}`);
    expect(events.slice(0, 3)).toEqual([
      `use_feegrant ${pair.granter}`,
      `update_feegrant ${pair.granter}`,
      `coin_spent ${pair.granter}`,
    ]);
    expect(refusal(dev.send({ fee: 2n * FEE, gas: 2n * GAS }))).toBe(
      `feegrant 2: ${NOT_ALLOWED}basic allowance: fee limit exceeded`,
    );
  });

  it('without a limit pays until it is revoked', () => {
    const dev = new Scene();
    expect(refusal(dev.send())).toBe(`sdk 38: ${NOT_ALLOWED}fee-grant not found: not found`);
    dev.grant(basic());
    expect(codes(dev.send())).toEqual([0]);
    expect(codes(dev.act(0, pb.MsgRevokeAllowanceSchema, pair))).toEqual([0]);
    expect(refusal(dev.send())).toBe(`sdk 38: ${NOT_ALLOWED}fee-grant not found: not found`);
    expect(refusal(dev.act(0, pb.MsgRevokeAllowanceSchema, pair))).toBe(
      `sdk 38: ${FAILED}fee-grant not found: not found`,
    );
  });

  it('expires at its time, and leaves store and queue', () => {
    const dev = new Scene();
    dev.now = SECOND;
    dev.grant(basic(undefined, 2n * SECOND));
    dev.now = 2n * SECOND;
    expect(codes(dev.send())).toEqual([0]);
    expect(dev.stored.length).toBe(2);
    dev.now = 2n * SECOND + 1n;
    expect(refusal(dev.send())).toBe(`feegrant 3: ${NOT_ALLOWED}basic allowance: fee allowance expired`);
    expect(dev.stored).toEqual([]);
  });

  // evmd v0.6.0 charged 3,663 gas more than for a fee that is too high (`test/peer/messages`, seed 9409)
  it.each([
    ['basic', basic],
    [
      'periodic',
      (limit?: bigint, end?: bigint) =>
        periodic({
          basic: end === undefined ? {} : { expiration: time(end) },
          period: { seconds: 1n },
          periodSpendLimit: [coin('achr', limit ?? 10n ** 18n)],
        }),
    ],
  ])('(%s) is removed by a transaction after its expiration, which pays gas for the removal', (_, allowanceOf) => {
    const gasOf = (allowance: ReturnType<typeof basic>): bigint => {
      const dev = new Scene();
      dev.grant(allowance);
      dev.now = 9n * SECOND;
      const result = only(dev.send());
      expect(result.code).not.toBe(0);
      return result.gasUsed;
    };
    const ended = gasOf(allowanceOf(undefined, 2n * SECOND));
    expect(ended).toBeGreaterThan(gasOf(allowanceOf(1n)) + 2_000n + 1_000n);
  });

  it('revoked before its end leaves nothing in the queue', () => {
    const dev = new Scene();
    dev.grant(basic(undefined, 9n * SECOND));
    dev.act(0, pb.MsgRevokeAllowanceSchema, pair);
    expect(dev.stored).toEqual([]);
  });

  it('for message types pays for messages of those types only', () => {
    const dev = new Scene();
    dev.grant(allowed(['/cosmos.bank.v1beta1.MsgMultiSend']));
    expect(refusal(dev.send())).toBe(
      `feegrant 7: ${NOT_ALLOWED}message does not exist in allowed messages: message not allowed`,
    );
    dev.act(0, pb.MsgRevokeAllowanceSchema, pair);
    dev.grant(allowed([SEND]));
    expect(codes(dev.send())).toEqual([0]);
  });

  it('with periods has a limit for each period, and one in total', () => {
    const dev = new Scene();
    dev.now = SECOND;
    dev.grant(
      periodic({
        basic: { spendLimit: [coin('achr', 5n * FEE - 1n)] },
        period: { seconds: 10n },
        periodSpendLimit: [coin('achr', FEE + 1n)],
        periodCanSpend: [coin('achr', FEE + 1n)],
        periodReset: time(5n * SECOND),
      }),
    );
    const spend = () => refusal(dev.send());
    expect([spend(), spend()]).toEqual([' 0: ', `feegrant 2: ${NOT_ALLOWED}period limit: fee limit exceeded`]);
    dev.now = 5n * SECOND;
    expect([spend(), spend()]).toEqual([' 0: ', `feegrant 2: ${NOT_ALLOWED}period limit: fee limit exceeded`]);
    dev.now = 15n * SECOND;
    expect(spend()).toBe(' 0: ');
    dev.now = 40n * SECOND;
    expect(spend()).toBe(' 0: ');
    dev.now = 60n * SECOND;
    expect(spend()).toBe(`feegrant 2: ${NOT_ALLOWED}period limit: fee limit exceeded`);
  });

  it('with periods starts a period with its first use after several have passed', () => {
    const dev = new Scene();
    dev.now = SECOND;
    dev.grant(
      periodic({
        basic: {},
        period: { seconds: 10n },
        periodSpendLimit: [coin('achr', FEE + 1n)],
        periodCanSpend: [],
        periodReset: time(5n * SECOND),
      }),
    );
    const spendAt = (seconds: bigint) => {
      dev.now = seconds * SECOND;
      return codes(dev.send())[0];
    };
    // 37 is after 15, the end of the next period: the period that starts now ends at 47
    expect([4n, 37n, 46n, 47n, 56n].map(spendAt)).toEqual([2, 0, 2, 0, 2]);
    // at 67, the end of the period after the one that ended at 57, the next period starts at once
    expect([67n, 67n, 67n].map(spendAt)).toEqual([0, 0, 2]);
  });

  it('is exported and imported', () => {
    const dev = new Scene();
    dev.grant(allowed([SEND], basic(5n, 2_000_000_000n * SECOND)));
    const sections = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
    const again = new DevChain({}, 4, true, JSON.parse(JSON.stringify(sections)));
    expect([...again.state.range('feegrant', { reverse: false })]).toEqual(dev.stored);
  });

  // cosmossdk.io/x/feegrant v0.2.0: 75 by a message, 200 at the end of a block
  it('that has expired is deleted by MsgPruneAllowances, 75 at a time, besides the 200 of each block', () => {
    const allowances = Array.from({ length: 301 }, (_, index) => ({
      granter: pair.granter,
      grantee: encodeAddress(
        'chron',
        new Uint8Array(20)
          .fill(1)
          .with(0, index >> 8)
          .with(1, index & 0xff),
      ),
      allowance: {
        '@type': '/cosmos.feegrant.v1beta1.BasicAllowance',
        expiration: index === 300 ? '2100-01-01T00:00:00Z' : '2030-01-01T00:00:00Z',
      },
    }));
    const dev = new Scene({}, 4, true, { feegrant: { allowances } });
    /** Allowances in the store; each has a row in the queue of expirations too. */
    const left = () => dev.stored.length / 2;
    expect(left()).toBe(301);
    dev.now = BigInt(Date.UTC(2031, 0)) * 1_000_000n;
    const { code, events } = only(dev.act(1, pb.MsgPruneAllowancesSchema, { pruner: pair.grantee }));
    expect([code, left()]).toEqual([0, 301 - 75 - 200]);
    expect(events.find(({ type }) => type === 'prune_feegrant')?.attributes[0]).toMatchObject({ value: pair.grantee });
    expect(codes(dev.act(1, pb.MsgPruneAllowancesSchema, { pruner: pair.grantee }))).toEqual([0]);
    expect(left()).toBe(1);
  });
});

it('a genesis with an allowance of another type is refused', () => {
  const allowance = { '@type': '/cosmos.bank.v1beta1.SendAuthorization' };
  const section = { allowances: [{ ...pair, allowance }] };
  expect(() => new DevChain({}, 4, true, { feegrant: section })).toThrow(
    'app_state.feegrant.allowances[0]: no concrete type registered for type URL /cosmos.bank.v1beta1.SendAuthorization against interface *feegrant.FeeAllowanceI',
  );
});

describe('feegrant', () => {
  const other = [coin('other', 1n)];
  it.each([
    [`sdk 10: ${FAILED}send amount is invalid: 0achr: invalid coins`, basic(0n)],
    [`feegrant 4: ${FAILED}expiration time cannot be negative: invalid duration`, basic(1n, -SECOND)],
    [`sdk 18: ${FAILED}expiration is before current block time: invalid request`, basic(1n, 0n)],
    [`sdk 10: ${FAILED}spend limit must be positive: invalid coins`, periodic({})],
    [
      `sdk 10: ${FAILED}period spend limit has different currency than basic spend limit: invalid coins`,
      periodic({ basic: { spendLimit: [coin('achr', 1n)] }, periodSpendLimit: other }),
    ],
    [
      `feegrant 4: ${FAILED}negative clock step: invalid duration`,
      periodic({ period: { seconds: -1n }, periodSpendLimit: other }),
    ],
    [`feegrant 6: ${FAILED}allowed messages shouldn't be empty: allowed messages are empty`, allowed([])],
    [
      'sdk 2: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface *feegrant.FeeAllowanceI: tx parse error: tx parse error',
      packAny(MsgSendSchema, create(MsgSendSchema)),
    ],
  ])('refuses an allowance: %s', (expected, allowance) => {
    expect(refusal(new Scene().grant(allowance))).toBe(expected);
  });

  it('refuses an allowance to oneself, a second one, and an absent one', () => {
    const dev = new Scene();
    const self = { granter: pair.granter, grantee: pair.granter };
    expect(refusal(dev.act(0, pb.MsgGrantAllowanceSchema, { ...self, allowance: basic() }))).toBe(
      `sdk 7: ${FAILED}cannot self-grant fee authorization: invalid address`,
    );
    expect(refusal(dev.act(0, pb.MsgRevokeAllowanceSchema, self))).toBe(
      `sdk 7: ${FAILED}addresses must be different: invalid address`,
    );
    expect(refusal(dev.act(0, pb.MsgGrantAllowanceSchema, pair))).toBe(
      `feegrant 5: ${FAILED}failed to get allowance: no allowance`,
    );
    dev.grant(basic());
    expect(refusal(dev.grant(basic()))).toBe(`sdk 18: ${FAILED}fee allowance already exists: invalid request`);
  });

  it('panics in evmd on a grant without an allowance', () => {
    const version = { ...chronicle, rules: new Map([feegrant]) };
    expect(refusal(new Scene({ version }).act(0, pb.MsgGrantAllowanceSchema, pair))).toBe(
      `undefined 111222: recovered: ${NIL_POINTER}: panic`,
    );
  });
});
