import type { EvmAuthorization, EvmBlock, EvmFork, EvmTransaction } from '../../../src/core/evm/transaction.js';
import type { EvmEngine } from '../../../src/core/evm/engine.js';
import { recoverAuthority } from '../../../src/core/ethereum/transaction-sender.js';
import { trieRoot } from '../../../src/core/ethereum/ordered-trie.js';
import { encodeRlp, rlpNumber } from '../../../src/core/ethereum/rlp.js';
import { publicKeyCreate } from 'secp256k1';
import { MapState, asBigInt, crypto, fromHex, toHex, word } from './support.js';

/** The parts of an official state test (ethereum/tests, execution-spec-tests) that a run needs. */
export interface StateTest {
  readonly env: Readonly<Record<string, string>>;
  readonly pre: Readonly<
    Record<
      string,
      {
        readonly balance: string;
        readonly nonce: string;
        readonly code: string;
        readonly storage: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly transaction: {
    readonly data: readonly string[];
    readonly gasLimit: readonly string[];
    readonly value: readonly string[];
    readonly nonce: string;
    readonly to: string;
    readonly secretKey?: string;
    readonly sender?: string;
    readonly gasPrice?: string;
    readonly maxFeePerGas?: string;
    readonly maxPriorityFeePerGas?: string;
    readonly maxFeePerBlobGas?: string;
    readonly accessLists?: readonly (
      | readonly { readonly address: string; readonly storageKeys: readonly string[] }[]
      | null
    )[];
    readonly authorizationList?: readonly Readonly<Record<'chainId' | 'address' | 'nonce' | 'v' | 'r' | 's', string>>[];
  };
  readonly post: Readonly<Record<string, readonly Post[]>>;
}

interface Post {
  readonly hash: string;
  readonly logs: string;
  readonly expectException?: string;
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number };
}

const FORKS: Readonly<Record<string, EvmFork>> = {
  London: 'london',
  Paris: 'paris',
  Merge: 'paris',
  Shanghai: 'shanghai',
  Cancun: 'cancun',
  Prague: 'prague',
  Osaka: 'osaka',
};
const NOTHING = new Uint8Array(0);

export type Verdict = 'passed' | 'failed' | 'skipped';

const big = (text: string): bigint => (text === '' || text === '0x' ? 0n : BigInt(text.replace(/^0x:bigint /, '')));
const bytes = (text: string): Uint8Array => fromHex(text.length % 2 === 0 ? text : `0x0${text.slice(2)}`);
const isCreate = (to: string): boolean => to === '' || to === '0x';

/**
 * Runs every (fork, data, gas, value) of one test and yields verdicts. The engine has no forks before London and no
 * blobs.
 */
export function* runStateTest(
  test: StateTest,
  engine: EvmEngine,
): Generator<{ readonly fork: string; readonly index: number; readonly verdict: Verdict }> {
  for (const [name, posts] of Object.entries(test.post)) {
    const fork = FORKS[name];
    for (const [index, post] of posts.entries()) {
      const isBlob =
        test.transaction.maxFeePerBlobGas !== undefined || big(test.env['currentExcessBlobGas'] ?? '0x0') !== 0n;
      const verdict = fork === undefined || isBlob ? 'skipped' : runOne(test, fork, post, engine) ? 'passed' : 'failed';
      yield { fork: name, index, verdict };
    }
  }
}

function runOne(test: StateTest, fork: EvmFork, post: Post, engine: EvmEngine): boolean {
  const state = stateOf(test);
  engine.clear();
  engine.beginBlock(blockOf(test, fork));
  const outcome = engine.transact(state, transactionOf(test, post), { fees: 'engine' });
  if (outcome.kind === 'executed') state.apply(outcome.changes);
  const refused = outcome.kind === 'refused';
  if (refused !== (post.expectException !== undefined)) return false;
  if (`0x${toHex(stateRoot(state))}` !== post.hash) return false;
  const logs = outcome.kind === 'executed' ? outcome.result.logs : [];
  return (
    refused ||
    `0x${toHex(crypto.keccak256(encodeRlp(logs.map((log) => [log.address, log.topics, log.data]))))}` === post.logs
  );
}

function stateOf(test: StateTest): MapState {
  const state = new MapState();
  for (const [address, account] of Object.entries(test.pre)) {
    const at = fromHex(address);
    state.putCode(at, fromHex(account.code)).fund(at, big(account.balance), big(account.nonce));
    for (const [slot, value] of Object.entries(account.storage)) state.putSlot(at, word(big(slot)), word(big(value)));
  }
  return state;
}

function blockOf({ env }: StateTest, fork: EvmFork): EvmBlock {
  const random = env['currentRandom'] ?? '0x0';
  return {
    fork,
    chainId: 1n,
    number: big(env['currentNumber'] ?? '0x1'),
    coinbase: fromHex(env['currentCoinbase'] ?? ''),
    timestamp: big(env['currentTimestamp'] ?? '0x0'),
    gasLimit: BigInt.asUintN(64, big(env['currentGasLimit'] ?? '0x0')),
    baseFee: big(env['currentBaseFee'] ?? '0x0a'),
    prevRandao: word(big(fork === 'london' ? (env['currentDifficulty'] ?? '0x0') : random)),
    ...(fork === 'osaka' ? { txGasCap: 1n << 24n } : {}),
  };
}

function transactionOf({ transaction: from }: StateTest, { indexes }: Post): EvmTransaction {
  const accessList = from.accessLists?.[indexes.data] ?? undefined;
  const isDynamic = from.maxFeePerGas !== undefined;
  return {
    type: from.authorizationList !== undefined ? 4 : isDynamic ? 2 : accessList === undefined ? 0 : 1,
    from: senderOf(from),
    to: isCreate(from.to) ? undefined : fromHex(from.to),
    nonce: big(from.nonce),
    gasLimit: big(from.gasLimit[indexes.gas] ?? '0x0'),
    maxFeePerGas: big(from.maxFeePerGas ?? from.gasPrice ?? '0x0'),
    maxPriorityFeePerGas: isDynamic ? big(from.maxPriorityFeePerGas ?? '0x0') : undefined,
    value: big(from.value[indexes.value] ?? '0x0'),
    data: bytes(from.data[indexes.data] ?? '0x'),
    accessList: (accessList ?? []).map(({ address, storageKeys }) => ({
      address: fromHex(address),
      storageKeys: storageKeys.map((key) => word(big(key))),
    })),
    authorizations: (from.authorizationList ?? []).map(authorizationOf),
  };
}

function authorizationOf(
  signed: Readonly<Record<'chainId' | 'address' | 'nonce' | 'v' | 'r' | 's', string>>,
): EvmAuthorization {
  const authorization = { chainId: big(signed.chainId), address: fromHex(signed.address), nonce: big(signed.nonce) };
  const signature = { yParity: Number(big(signed.v)), r: big(signed.r), s: big(signed.s) };
  return { ...authorization, authority: recoverAuthority(crypto, { ...authorization, ...signature }) };
}

function senderOf({ sender, secretKey }: StateTest['transaction']): Uint8Array {
  if (sender !== undefined) return fromHex(sender);
  return crypto.keccak256(publicKeyCreate(fromHex(secretKey ?? ''), false).slice(1)).slice(12);
}

/** Root of the secure trie over all accounts (yellow paper 4.1). */
export function stateRoot(state: MapState): Uint8Array {
  const accounts = [...state.accounts].map(([address, { nonce, balance, codeHash }]) => {
    const slots = [...(state.slots.get(address) ?? [])].map(([slot, value]) => ({
      key: crypto.keccak256(fromHex(slot)),
      value: encodeRlp(rlpNumber(asBigInt(value))),
    }));
    const fields = [
      rlpNumber(nonce),
      rlpNumber(balance),
      slots.length === 0 ? crypto.keccak256(encodeRlp(NOTHING)) : trieRoot(crypto, slots),
      codeHash,
    ];
    return { key: crypto.keccak256(fromHex(address)), value: encodeRlp(fields) };
  });
  return trieRoot(crypto, accounts);
}
