import { create, type DescMessage, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { chronicle } from '../../../../src/core/app/presets.js';
import { toTimestamp } from '../../../../src/core/comet/time.js';
import { exportGenesis } from '../../../../src/core/genesis/export-genesis.js';
import { stakeAuthorization } from '../../../../src/core/modules/authz/stake-authorization.js';
import { toTimeNs } from '../../../../src/core/primitives.js';
import { GenericAuthorizationSchema } from '../../../../src/core/proto/cosmos/authz/v1beta1/authz_pb.js';
import {
  QueryGranterGrantsRequestSchema,
  QueryGranterGrantsResponseSchema,
} from '../../../../src/core/proto/cosmos/authz/v1beta1/query_pb.js';
import {
  MsgExecSchema,
  MsgGrantSchema,
  MsgRevokeSchema,
} from '../../../../src/core/proto/cosmos/authz/v1beta1/tx_pb.js';
import { SendAuthorizationSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/authz_pb.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgEthereumTxSchema } from '../../../../src/core/proto/cosmos/evm/vm/v1/tx_pb.js';
import {
  AuthorizationType,
  StakeAuthorizationSchema,
} from '../../../../src/core/proto/cosmos/staking/v1beta1/authz_pb.js';
import { MsgDelegateSchema } from '../../../../src/core/proto/cosmos/staking/v1beta1/tx_pb.js';
import { packAny } from '../../../../src/core/sdk/codec/any.js';
import { coin } from '../../../../src/core/sdk/coins/coins.js';
import { GasMeter } from '../../../../src/core/sdk/module/gas.js';
import { account, chain, codes, DevChain, only, refusal, signed } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';

const [GRANTER, GRANTEE] = [0, 1] as const;
const SEND = '/cosmos.bank.v1beta1.MsgSend';
const pair = { granter: account(GRANTER).address, grantee: account(GRANTEE).address };
const any = <Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>) =>
  packAny(schema, create(schema, message) as MessageShape<Desc>);
const sends = (amount: bigint, to = 2, from: number = GRANTER) =>
  any(MsgSendSchema, {
    fromAddress: account(from).address,
    toAddress: account(to).address,
    amount: [coin('achr', amount)],
  });
const sendLimit = (limit: bigint, allowList: string[] = []) =>
  any(SendAuthorizationSchema, { spendLimit: [coin('achr', limit)], allowList });
const generic = (msg: string) => any(GenericAuthorizationSchema, { msg });

/** A chain on which account 0 and account 1 send transactions in order. */
class Scene extends DevChain {
  readonly #sequences = [0n, 0n];

  act<Desc extends DescMessage>(from: 0 | 1, schema: Desc, message: MessageInitShape<Desc>) {
    const sequence = this.#sequences[from] ?? 0n;
    const result = this.block(signed(from, sequence, schema, message, { gas: 1_000_000n }));
    if (only(result).events.length > 0) this.#sequences[from] = sequence + 1n;
    return result;
  }
  grant(authorization: ReturnType<typeof generic>, end?: bigint) {
    const expiration = end === undefined ? {} : { expiration: toTimestamp(toTimeNs(end)) };
    return this.act(GRANTER, MsgGrantSchema, { ...pair, grant: { authorization, ...expiration } });
  }
  exec(...msgs: ReturnType<typeof generic>[]) {
    return this.act(GRANTEE, MsgExecSchema, { grantee: pair.grantee, msgs });
  }
  get grants() {
    const path = '/cosmos.authz.v1beta1.Query/GranterGrants';
    const request = { granter: pair.granter };
    return this.query(path, QueryGranterGrantsRequestSchema, request, QueryGranterGrantsResponseSchema).grants;
  }
}

const FAILED = 'failed to execute message; message index: 0: ';

describe('a grant', () => {
  it('to send lowers its limit, and is removed when that is used up', () => {
    const dev = new Scene();
    expect(codes(dev.grant(sendLimit(10n)))).toEqual([0]);
    expect(codes(dev.exec(sends(4n), sends(1n)))).toEqual([0]);
    expect(refusal(dev.exec(sends(6n)))).toBe(
      `sdk 5: ${FAILED}requested amount is more than spend limit: insufficient funds`,
    );
    expect(codes(dev.exec(sends(5n)))).toEqual([0]);
    expect(dev.grants).toEqual([]);
    expect(refusal(dev.exec(sends(1n)))).toContain('authz 2: ');
  });

  it('to send limits the receivers, and allows no messages of other granters', () => {
    const dev = new Scene();
    dev.grant(sendLimit(10n, [account(2).address]));
    expect(refusal(dev.exec(sends(1n, 3)))).toBe(
      `sdk 4: ${FAILED}cannot send to ${account(3).address} address: unauthorized`,
    );
    expect(codes(dev.exec(sends(1n, 2)))).toEqual([0]);
    expect(codes(dev.exec(sends(1n, 2, GRANTEE)))).toEqual([0]);
    expect(refusal(dev.exec(sends(1n, 2, 3)))).toContain('authz 2: ');
  });

  it('of a message type lasts until it is revoked, with the events of the Go node', () => {
    const dev = new Scene();
    dev.grant(generic(SEND));
    const types = only(dev.exec(sends(1n), sends(2n))).events.flatMap(({ type, attributes }) =>
      attributes.some(({ key }) => key === 'authz_msg_index')
        ? [`${type} ${attributes.at(-2)?.value}${attributes.at(-1)?.key}`]
        : [],
    );
    expect(types).toEqual(
      [0, 1].flatMap((index) =>
        ['coin_spent', 'coin_received', 'transfer', 'message'].map((type) => `${type} ${index}msg_index`),
      ),
    );
    const revoked = dev.act(GRANTER, MsgRevokeSchema, { ...pair, msgTypeUrl: SEND });
    expect(
      only(revoked).events.find(({ type }) => type === 'cosmos.authz.v1beta1.EventRevoke')?.attributes,
    ).toMatchObject([
      { key: 'grantee', value: JSON.stringify(pair.grantee) },
      { key: 'granter', value: JSON.stringify(pair.granter) },
      { key: 'msg_type_url', value: JSON.stringify(SEND) },
      { key: 'msg_index' },
    ]);
    expect(refusal(dev.exec(sends(1n)))).toContain('authz 2: ');
    expect(refusal(dev.act(GRANTER, MsgRevokeSchema, { ...pair, msgTypeUrl: SEND }))).toContain('authz 2: ');
  });

  it('expires at its time, and a new grant with a later expiration moves it in the queue', () => {
    const dev = new Scene();
    dev.now = 100n;
    dev.grant(generic(SEND), 200n);
    dev.grant(generic(SEND), 300n);
    dev.now = 250n;
    expect(codes(dev.exec(sends(1n)))).toEqual([0]);
    dev.now = 300n;
    expect(codes(dev.exec(sends(1n)))).toEqual([0]);
    dev.now = 301n;
    expect(refusal(dev.exec(sends(1n)))).toContain('authz 2: ');
    expect(dev.grants).toEqual([]);
    expect([...dev.state.range('authz', { reverse: false })]).toEqual([]);
  });

  it('is exported and imported with its expiration', () => {
    const dev = new Scene();
    dev.now = 100n;
    dev.grant(sendLimit(10n), 10n ** 30n / 10n ** 11n);
    dev.grant(generic('/cosmos.bank.v1beta1.MsgMultiSend'));
    const sections = exportGenesis(dev.state, { version: chronicle, chain, crypto, at: dev.at() });
    const again = new DevChain({}, 4, true, JSON.parse(JSON.stringify(sections)));
    expect([...again.state.range('authz', { reverse: false })]).toEqual([
      ...dev.state.range('authz', { reverse: false }),
    ]);
  });
});

it('a genesis with an authorization of another type is refused', () => {
  const authorization = { '@type': '/cosmos.feegrant.v1beta1.BasicAllowance' };
  const section = { authorization: [{ ...pair, authorization }] };
  expect(() => new DevChain({}, 4, true, { authz: section })).toThrow(
    'app_state.authz.authorization[0]: no concrete type registered for type URL /cosmos.feegrant.v1beta1.BasicAllowance against interface *authz.Authorization',
  );
});

describe('authz', () => {
  it.each([
    [
      'sdk 2: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface *authz.Authorization: tx parse error: tx parse error',
      sends(1n),
    ],
    [`undefined 1: ${FAILED}msg type cannot be empty`, generic('')],
    [`sdk 29: ${FAILED}/nothing.like.this doesn't exist.: invalid type`, generic('/nothing.like.this')],
    [`sdk 10: ${FAILED}spend limit cannot be nil: invalid coins`, any(SendAuthorizationSchema, {})],
    [`sdk 10: ${FAILED}spend limit must be positive: invalid coins`, sendLimit(0n)],
    [`sdk 10: ${FAILED}spend limit must be positive: invalid coins`, sendLimit(-1n)],
    [`bank 8: ${FAILED}duplicate entry`, sendLimit(1n, ['a', 'a'])],
    [
      `authz 12: ${FAILED}negative coin amount: -1achr: max tokens should be positive`,
      any(StakeAuthorizationSchema, { maxTokens: coin('achr', -1n), authorizationType: AuthorizationType.DELEGATE }),
    ],
    [
      'sdk 4: found disabled msg type: /cosmos.evm.vm.v1.MsgEthereumTx: unauthorized',
      generic('/cosmos.evm.vm.v1.MsgEthereumTx'),
    ],
    [
      'sdk 4: found disabled msg type: /ethermint.evm.v1.MsgEthereumTx: unauthorized',
      generic('/ethermint.evm.v1.MsgEthereumTx'),
    ],
  ])('refuses a grant: %s', (expected, authorization) => {
    expect(refusal(new Scene().grant(authorization))).toBe(expected);
  });

  it('refuses a grant to oneself, and one that has expired', () => {
    const dev = new Scene();
    const grant = { authorization: generic(SEND) };
    expect(refusal(dev.act(GRANTER, MsgGrantSchema, { ...pair, grantee: pair.granter, grant }))).toBe(
      `authz 7: ${FAILED}grantee and granter should be different`,
    );
    dev.now = 5n;
    expect(refusal(dev.grant(generic(SEND), 5n))).toBe(
      `authz 3: ${FAILED}expiration must be after the current block time (1970-01-01T00:00:00Z), got 1970-01-01T00:00:00Z: expiration time of authorization should be more than current time`,
    );
  });

  it('refuses to execute no message, unknown or Ethereum messages, and messages nested too deep', () => {
    const dev = new Scene();
    expect(refusal(dev.exec())).toBe(`sdk 18: ${FAILED}messages cannot be empty: invalid request`);
    expect(refusal(dev.exec(generic(SEND)))).toContain('sdk 2: ');
    expect(refusal(dev.exec(any(MsgEthereumTxSchema, { from: crypto.sha256(Uint8Array.of(1)).slice(12) })))).toBe(
      'sdk 4: found disabled msg type: /cosmos.evm.vm.v1.MsgEthereumTx: unauthorized',
    );
    const nested = (levels: number): ReturnType<typeof generic> =>
      levels === 0 ? sends(1n, 2, GRANTEE) : any(MsgExecSchema, { grantee: pair.grantee, msgs: [nested(levels - 1)] });
    expect(codes(dev.exec(nested(4)))).toEqual([0]);
    expect(refusal(dev.exec(nested(5)))).toBe(
      'sdk 4: found more nested msgs than permitted; got: 7, expected: <7: unauthorized',
    );
    expect(codes(dev.exec(...Array.from({ length: 8 }, () => nested(1))))).toEqual([0]);
  });

  it('undoes all messages when one fails, and shows that message as Go does', () => {
    const dev = new Scene();
    dev.grant(sendLimit(10n));
    expect(refusal(dev.exec(sends(4n), sends(10n ** 30n, 2, GRANTEE)))).toContain(
      `failed to execute message; message from_address:"${pair.grantee}" to_address:"${account(2).address}" amount:<denom:"achr" amount:"1000000000000000000000000000000" > : spendable balance`,
    );
    expect(codes(dev.exec(sends(10n)))).toEqual([0]);
  });
});

describe('a StakeAuthorization', () => {
  const delegate = (validatorAddress: string, amount: bigint) =>
    any(MsgDelegateSchema, { delegatorAddress: 'd', validatorAddress, amount: coin('achr', amount) });
  const context = { gas: new GasMeter(undefined) };
  const dev = new DevChain();
  const of = (authorization: MessageInitShape<typeof StakeAuthorizationSchema>) => {
    const kind = stakeAuthorization(
      create(StakeAuthorizationSchema, { authorizationType: AuthorizationType.DELEGATE, ...authorization }),
    );
    return (validator: string, amount: bigint) =>
      kind.accept(Object.assign(Object.create(dev), context), delegate(validator, amount));
  };
  it('limits the validators, by an allow list or a deny list, and the amount', () => {
    const allows = of({
      validators: { case: 'allowList', value: { address: ['a', 'b'] } },
      maxTokens: coin('achr', 5n),
    });
    expect(allows('b', 5n)).toEqual({ kind: 'used up' });
    expect(allows('a', 4n).kind).toBe('changed');
    expect(() => allows('c', 1n)).toThrow('cannot delegate/undelegate to c validator: unauthorized');
    expect(() => allows('a', 6n)).toThrow('negative coin amount: -1achr');
    const denies = of({ validators: { case: 'denyList', value: { address: ['a'] } } });
    expect(denies('b', 10n ** 30n).kind).toBe('changed');
    expect(() => denies('a', 1n)).toThrow('cannot delegate/undelegate to a validator: unauthorized');
  });
});
