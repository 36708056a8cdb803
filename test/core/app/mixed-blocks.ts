/**
 * Random blocks: both kinds of transactions and edits of development chains, among few accounts that interact often.
 */
import fc from 'fast-check';
import { getContractAddress, type Hex } from 'viem';
import { encodeAddress, moduleAddress } from '../../../src/core/sdk/codec/address.js';
import { getSequence } from '../../../src/core/modules/dev/store.js';
import { setAccountTx } from '../../../src/core/modules/dev/set-account.js';
import { setBalanceTx } from '../../../src/core/modules/dev/set-balance.js';
import { MsgMultiSendSchema, MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { account, chain, type DevChain, signed } from './dev-chain.js';
import { bytesOf, GWEI, signer, wrap } from './ethereum-chain.js';
import { assemble, assembleInit, programs, type Ending, type Step } from './random-programs.js';
import { crypto, toHex } from './support.js';

/** Accounts 0 to 3 send; 2 to 4 also authorize; 5 signs nothing and owns other denoms from the first block on. */
const signers = Array.from({ length: 6 }, (_, index) => signer(index));
const signerOf = (index: number) => signers[index] ?? signer(index);
const numbered = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;

const people = signers.map(({ address }): Hex => address);
const contracts = Array.from({ length: 5 }, (_, index): Hex => `0x${'c0'.repeat(19)}0${index}`);
export const proposer: Hex = `0x${'b0'.repeat(20)}`;
const precompiles = [...Array.from({ length: 0x11 }, (_, index) => numbered(index + 1)), numbered(0x100)];
const feeCollector: Hex = `0x${toHex(moduleAddress(crypto, 'fee_collector'))}`;
const modules = ['dev', 'evm', 'gov', 'feemarket'].map((name): Hex => `0x${toHex(moduleAddress(crypto, name))}`);
/** Addresses of the first contracts of accounts 0 and 1, whose code no other account runs. */
const futures = [0, 1].flatMap((from) =>
  [0, 1, 2, 3].map((nonce) => getContractAddress({ from: signerOf(from).address, nonce: BigInt(nonce) })),
);

/** All addresses that the blocks use. */
export const everybody: readonly Hex[] = [
  ...people,
  ...contracts,
  ...precompiles,
  ...modules,
  ...futures,
  proposer,
  feeCollector,
  numbered(0),
];

const DENOMS = ['achr', 'foo', 'ibc/AB'] as const;
const payable = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...people) },
  { weight: 5, arbitrary: fc.constantFrom(...contracts) },
  { weight: 3, arbitrary: fc.constantFrom(...futures) },
  { weight: 1, arbitrary: fc.constantFrom(...precompiles) },
  { weight: 1, arbitrary: fc.constantFrom(...modules, proposer, numbered(0)) },
);
/** The fee collector receives only fees, so that its income equals the paid fees. */
const any = fc.oneof({ weight: 12, arbitrary: payable }, { weight: 1, arbitrary: fc.constant(feeCollector) });
const program = programs({
  payable,
  any,
  heir: fc.oneof(fc.constantFrom(...people), fc.constantFrom(...contracts, ...precompiles, ...modules, proposer)),
});
const sender = fc.nat(3);
/** Distance from the correct nonce; mostly 0. */
const offset = fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) });
const wei = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 3n) },
  { weight: 1, arbitrary: fc.constantFrom(10n ** 18n, 10n ** 22n) },
);
const gas = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(21_000n, 60_000n, 200_000n, 1_000_000n) },
  { weight: 1, arbitrary: fc.constantFrom(12_000_000n, 30_000_000n) },
);

const ethereum = fc.record({
  kind: fc.constant('ethereum' as const),
  from: sender,
  type: fc.constantFrom(0, 1, 2, 4),
  offset,
  gas,
  value: wei,
  to: fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: fc.constant(undefined) }),
  price: fc.oneof({ weight: 10, arbitrary: fc.bigInt(2n, 5n) }, { weight: 1, arbitrary: fc.constant(0n) }),
  tip: fc.bigInt(0n, 5n),
  init: program,
  ending: fc.constantFrom<Ending>('code', 'code', 'nothing', 'forbidden code', 'burn', 'revert'),
  runtime: program,
  touched: fc.array(any, { maxLength: 2 }),
  authorizations: fc.array(
    fc.record({
      authority: fc.integer({ min: 2, max: 4 }),
      to: fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: fc.constant(numbered(0)) }),
      chainId: fc.constantFrom(0, Number(chain.evmChainId), Number(chain.evmChainId), 1),
      offset,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const coins = fc.record({
  denom: fc.constantFrom(...DENOMS),
  amount: fc.oneof({ weight: 6, arbitrary: fc.bigInt(1n, 3n) }, { weight: 1, arbitrary: fc.constant(10n ** 22n) }),
});
const send = fc.record({
  kind: fc.constant('send' as const),
  from: sender,
  offset,
  multi: fc.boolean(),
  to: fc.array(payable, { minLength: 1, maxLength: 3 }),
  coins,
  gas: fc.oneof(
    { weight: 8, arbitrary: fc.constant(400_000n) },
    { weight: 1, arbitrary: fc.constantFrom(20_000n, 90_000n) },
  ),
  price: fc.oneof(
    { weight: 10, arbitrary: fc.constant(3n * GWEI) },
    { weight: 1, arbitrary: fc.constantFrom(0n, 10n ** 18n) },
  ),
});
const balance = fc.record({
  kind: fc.constant('balance' as const),
  of: payable,
  denom: fc.constantFrom(...DENOMS),
  amount: fc.constantFrom(0n, 1n, 7n, 10n ** 18n, 5n * 10n ** 21n),
});
const edit = fc.oneof(
  fc.record({ kind: fc.constant('nonce' as const), of: payable, nonce: fc.bigInt(1n, 6n) }),
  fc.record({
    kind: fc.constant('code' as const),
    of: fc.constantFrom(...contracts, ...futures, proposer, ...people.slice(5)),
    code: program,
  }),
  fc.record({
    kind: fc.constant('slot' as const),
    of: fc.constantFrom(...contracts, ...futures),
    slot: fc.nat(2),
    value: fc.nat(2),
  }),
);

const action = fc.oneof(
  { weight: 10, arbitrary: ethereum },
  { weight: 5, arbitrary: send },
  { weight: 2, arbitrary: balance },
  { weight: 1, arbitrary: edit },
);
export type Action = typeof action extends fc.Arbitrary<infer Kind> ? Kind : never;

/** A chain's contracts and its blocks. */
export const histories = fc.record({
  contracts: fc.array(program, { minLength: contracts.length, maxLength: contracts.length }),
  blocks: fc.array(fc.array(action, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
});

const word = (value: number): Uint8Array => new Uint8Array(32).fill(value, 31);
const named = (address: Hex): string => encodeAddress(chain.bech32Prefix, bytesOf(address.toLowerCase()));

/** Turns actions into the transactions of the next block; tracks nonces as if no transaction failed. */
export class BlockWriter {
  readonly #nonces = new Map<string, bigint>();
  #edits: bigint;

  constructor(private readonly dev: DevChain) {
    this.#edits = getSequence(dev.state);
  }

  async write(one: Action): Promise<Uint8Array> {
    switch (one.kind) {
      case 'ethereum':
        return await this.#ethereum(one);
      case 'send':
        return this.#send(one);
      case 'balance':
        return setBalanceTx({
          address: named(one.of),
          denom: one.denom,
          amount: one.amount.toString(),
          sequence: this.#nextEdit(),
        });
      case 'nonce':
        this.#nonces.set(one.of.toLowerCase(), one.nonce);
        return this.#edit(one.of, { nonce: one.nonce });
      case 'code':
        return this.edited(one.of, one.code);
      case 'slot':
        return this.#edit(one.of, { slots: [{ slot: word(one.slot), value: word(one.value) }] });
    }
  }

  /** Transactions of the first block: they install the contracts and give people other denoms. */
  beginning(codes: readonly (readonly Step[])[]): readonly Uint8Array[] {
    const coin = (address: Hex, denom: string, amount: string): Uint8Array =>
      setBalanceTx({ address: named(address), denom, amount, sequence: this.#nextEdit() });
    return [
      ...contracts.map((address, index) => this.edited(address, codes[index] ?? [])),
      ...people.flatMap((address) => [coin(address, 'foo', '20'), coin(address, 'ibc/AB', '9')]),
      ...futures.slice(0, 2).map((address) => coin(address, 'foo', '1')),
      ...futures.slice(1, 3).map((address) => coin(address, 'achr', '5')),
    ];
  }

  edited(address: Hex, code: readonly Step[]): Uint8Array {
    return this.#edit(address, { code: bytesOf(assemble(code)) });
  }

  #edit(address: Hex, edited: Parameters<typeof setAccountTx>[1]): Uint8Array {
    return setAccountTx({ address: named(address), sequence: this.#nextEdit() }, edited);
  }

  #nextEdit(): bigint {
    this.#edits += 1n;
    return this.#edits - 1n;
  }

  /** The correct nonce plus an offset; only an offset of 0 uses the nonce up. */
  #nonce(index: number, moved: number): bigint {
    const { address } = signerOf(index);
    const fits =
      this.#nonces.get(address.toLowerCase()) ??
      this.dev.app.ethereum?.account(this.dev.state, this.dev.at(), bytesOf(address.toLowerCase())).nonce ??
      0n;
    if (moved === 0) this.#nonces.set(address.toLowerCase(), fits + 1n);
    const nonce = fits + BigInt(moved);
    return nonce < 0n ? 0n : nonce;
  }

  async #ethereum(one: Extract<Action, { kind: 'ethereum' }>): Promise<Uint8Array> {
    const { from, type, value } = one;
    const to = one.to ?? (type === 4 ? signerOf(from).address : undefined);
    const data = one.to === undefined ? assembleInit(one.init, one.ending, one.runtime) : '0x';
    const common = {
      chainId: Number(chain.evmChainId),
      nonce: Number(this.#nonce(from, one.offset)),
      data,
      ...(to !== undefined && { to }),
      gas: data === '0x' || one.gas > 60_000n ? one.gas : 200_000n,
      value: to === feeCollector ? 0n : value,
    };
    const price = one.price * GWEI;
    const dynamic = {
      maxFeePerGas: price,
      maxPriorityFeePerGas: (one.tip * GWEI) / 4n < price ? (one.tip * GWEI) / 4n : price,
    };
    const accessList = one.touched.map((address) => ({ address, storageKeys: [`0x${'0'.repeat(64)}`] as const }));
    const sign = async (): Promise<Hex> => {
      const key = signerOf(from);
      if (type === 0) return await key.signTransaction({ ...common, type: 'legacy', gasPrice: price });
      if (type === 1) return await key.signTransaction({ ...common, type: 'eip2930', gasPrice: price, accessList });
      if (type === 2) return await key.signTransaction({ ...common, type: 'eip1559', ...dynamic, accessList });
      const authorizationList = await Promise.all(
        one.authorizations.map(
          async ({ authority, to: address, chainId, offset: moved }) =>
            await signerOf(authority).signAuthorization({
              address,
              chainId,
              nonce: Number(this.#nonce(authority, chainId === 1 ? 1 : moved)),
            }),
        ),
      );
      return await key.signTransaction({
        ...common,
        type: 'eip7702',
        ...dynamic,
        gas: common.gas + 80_000n,
        authorizationList,
      });
    };
    return wrap(bytesOf(await sign()), from);
  }

  #send({
    from,
    offset: moved,
    multi,
    to,
    coins: { denom, amount },
    gas: limit,
    price,
  }: Extract<Action, { kind: 'send' }>): Uint8Array {
    const sequence = this.#nonce(from, moved);
    const options = { gas: limit, fee: limit * price };
    const owner = account(from).address;
    const [first = proposer] = to;
    if (!multi)
      return signed(
        from,
        sequence,
        MsgSendSchema,
        { fromAddress: owner, toAddress: named(first), amount: [{ denom, amount: amount.toString() }] },
        options,
      );
    return signed(
      from,
      sequence,
      MsgMultiSendSchema,
      {
        inputs: [{ address: owner, coins: [{ denom, amount: (amount * BigInt(to.length)).toString() }] }],
        outputs: to.map((address) => ({ address: named(address), coins: [{ denom, amount: amount.toString() }] })),
      },
      options,
    );
  }
}
