import { equal } from '../../../src/core/bytes/bytes.js';
import type { EthereumDevApi, EthereumMining } from '../../../src/core/ethereum/api.js';
import type { Outcome } from '../../../src/core/node-api.js';
import { toHeight } from '../../../src/core/primitives.js';

/** State that commands of the fake may change. */
export interface FakeDev {
  /** Accounts whose keys the node holds. */
  readonly held: Uint8Array[];
  /** Whether the transaction to be dropped is pending. */
  isWaiting: boolean;
  readonly takesTransactions: boolean;
}

/** Commands of dev mode that only record their arguments. */
export function fakeDev(asked: unknown[], senderHash: Uint8Array, state: FakeDev): EthereumDevApi {
  const impersonated: Uint8Array[] = [];
  let mining: EthereumMining = { kind: 'instant' };
  const done = <Value>(value: Value): Promise<Outcome<Value>> => Promise.resolve({ ok: true, value });
  const noted =
    <Value>(name: string, value: Value) =>
    (...args: readonly unknown[]) => (asked.push([name, ...args]), done(value));
  return {
    chainBranches: undefined,
    mine: (...args) => (
      asked.push(['mine', ...args.filter((_, index) => index < 2 || args[2] !== undefined)]),
      done(toHeight(4n))
    ),
    increaseTime: (seconds) => (asked.push(['increaseTime', seconds]), done(seconds)),
    setNextBlockTimestamp: noted('setNextBlockTimestamp', undefined),
    setTime: (timestamp) => (asked.push(['setTime', timestamp]), done(timestamp)),
    setTimestampInterval: noted('setTimestampInterval', true),
    mining: () => mining,
    setMining: (next) => ((mining = next), done(undefined)),
    setAccount: noted('setAccount', undefined),
    setBalance: noted('setBalance', undefined),
    addBalance: noted('addBalance', undefined),
    setBlockFacts: noted('setBlockFacts', undefined),
    expireClient: noted('expireClient', undefined),
    packets: undefined,
    snapshot: () => done(1n),
    revert: (id) => done(id === 1n),
    revertEnded: () => Promise.resolve(),
    rollback: noted('rollback', undefined),
    rollbackTo: noted('rollbackTo', undefined),
    reorganize: noted('reorganize', undefined),
    reset: noted('reset', undefined),
    dropTransaction: () => done(state.isWaiting),
    dropAllTransactions: noted('dropAllTransactions', undefined),
    dropTransactionsOf: noted('dropTransactionsOf', undefined),
    setTokenBalance: noted('setTokenBalance', undefined),
    setTokenAllowance: noted('setTokenAllowance', undefined),
    dumpState: noted('dumpState', Uint8Array.of(1, 2)),
    loadState: noted('loadState', undefined),
    sendUnsigned: noted('sendUnsigned', senderHash),
    holdKey: (privateKey) => (asked.push(['holdKey', privateKey]), { ok: true, value: new Uint8Array(20).fill(7) }),
    startAccounts: () => [],
    releaseKey: (account) => {
      const at = state.held.findIndex((one) => equal(one, account));
      if (at >= 0) state.held.splice(at, 1);
      return at >= 0;
    },
    impersonation: {
      start: (address) => (
        asked.push(['impersonate', address]),
        impersonated.push(address),
        { ok: true, value: undefined }
      ),
      stop: (address) => {
        asked.push(['stopImpersonating', address]);
        const at = impersonated.findIndex((one) => equal(one, address));
        if (at >= 0) impersonated.splice(at, 1);
        return at >= 0;
      },
      setAutomatic: (isOn) => void asked.push(['setAutomatic', isOn]),
      has: (address) => impersonated.some((one) => equal(one, address)),
      addresses: () => impersonated,
    },
    logging: { isOn: true },
    givenContracts: {
      all: [],
      add: (contracts) => (asked.push(['addContracts', [...contracts.keys()]]), { ok: true, value: undefined }),
    },
    quotes: { gasPrice: undefined },
    facts: () => ({
      takesTransactions: state.takesTransactions,
      hardFork: 'osaka',
      instanceId: new Uint8Array(32),
      genesisTime: 5n,
      lastBlockWallTime: 6n,
      snapshots: new Map([[1n, toHeight(1n)]]),
    }),
  };
}
