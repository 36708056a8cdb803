import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Any } from '@bufbuild/protobuf/wkt';
import type { Mining } from '../../src/core/chain/mining.js';
import type { DaemonOptions, ListenAddress } from '../../src/config/daemon-options.js';
import { DEV_BASE_DENOM, DEV_BECH32_PREFIX, DEV_CHAIN_ID } from '../../src/core/genesis/dev-chain.js';
import { devGenesis } from '../../src/core/genesis/dev-genesis.js';
import { DEV_MNEMONIC } from '../../src/core/keys/dev-mnemonic.js';
import type { Crypto } from '../../src/core/ports/crypto.js';
import type { KeyValueStore } from '../../src/core/ports/key-value-store.js';
import type { Clock } from '../../src/core/ports/time.js';
import { MsgSendSchema } from '../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { MsgSoftwareUpgradeSchema } from '../../src/core/proto/cosmos/upgrade/v1beta1/tx_pb.js';
import type { AppVersion } from '../../src/core/sdk/module/app-version.js';
import { createDevKeys, type DevKey } from '../../src/node/ethereum/dev-keys.js';
import { engineOnDemand } from '../../src/runtime/evm/engine-on-demand.js';
import type { PoolThread } from '../../src/runtime/pool/pool.js';
import { startInProcessPool } from '../support/in-process-pool.js';
import { createInProcessExecutor, type Executor } from '../../src/runtime/executor/executor.js';
import { stateValues } from '../../src/runtime/executor/state-values.js';
import { loadPreset } from '../../src/runtime/load-preset.js';
import { createSeededRandomness } from '../../src/runtime/host/deterministic.js';
import { createEd25519Signer } from '../../src/runtime/host/signer.js';
import type { NodeHost } from '../../src/node/compose/node-host.js';
import { composeNode, type RunningNode } from '../../src/node/node.js';
import { VirtualTime } from '../support/simulated-time.js';
import { temporaryFolder } from '../support/temporary.js';
import { crypto as hostCrypto } from '../core/app/support.js';
import { devAccounts } from '../support/accounts.js';
import { anyOf, signTx } from '../support/sign-tx.js';

/** A whole node in this process: virtual time, seeded randomness, a store of the test's, the in-process executor. */
const anywhere: ListenAddress = { host: '127.0.0.1', port: 0 };
export const accounts = devAccounts({ mnemonic: DEV_MNEMONIC, count: 3, bech32Prefix: DEV_BECH32_PREFIX });

export interface SimulatedNode {
  readonly node: RunningNode;
  readonly time: VirtualTime;
  readonly errors: readonly string[];
  /** Makes blocks until `height` is published; rejects when the node fails first. */
  mineTo(height: bigint): Promise<void>;
}

export interface Simulation {
  readonly store: KeyValueStore;
  readonly home?: string;
  /** Wraps each executor, to make it fail. */
  readonly wrap?: (executor: Executor) => Executor;
  /** Wraps each actor, to make it fail. */
  readonly wrapActor?: NodeHost['wrapActor'];
  readonly appVersion?: string;
  /** Power of a second validator whose key does not exist; without it a sole validator has power 10. */
  readonly absentPower?: bigint;
  readonly skip?: readonly bigint[];
  /** Wraps the store as it is opened; `onDamage` is the node's. */
  readonly openStore?: (store: KeyValueStore, onDamage: (error: unknown) => void) => KeyValueStore;
  readonly diskSpace?: NodeHost['diskSpace'];
  readonly onReplay?: NodeHost['onReplay'];
  /** Mining mode; by default blocks are made by command only. */
  readonly mining?: Mining;
  /** An external consensus engine makes the blocks, by calls of `node.engine`. */
  readonly engine?: boolean;
  /** The address of the engine's RPC. */
  readonly comet?: URL;
  /** Blocks from one snapshot for state sync to the next; by default none is taken. */
  readonly snapshots?: bigint;
  /** Pruning rule for earlier states; by default all are kept. */
  readonly pruning?: DaemonOptions['pruning'];
  readonly retained?: DaemonOptions['retained'];
  /** Blocks from one anchor of pruned records to the next. */
  readonly anchorBlocks?: number;
  /** Whether the genesis allows transactions without signatures; true by default. */
  readonly unsignedTransactions?: boolean;
  /** The genesis document of a new chain, and its rules, in place of the dev chain's. */
  readonly founded?: { readonly genesis: Uint8Array; readonly preset: string; readonly evmChainId: bigint };
  /** Height of the first block of a new chain of the dev genesis; 1 without it. */
  readonly initialHeight?: bigint;
  /** Facts of the chain that options name. */
  readonly named?: DaemonOptions['named'];
  /** Preset of a new chain of the dev genesis; `chronicle` without it. */
  readonly preset?: string;
  /** Wraps each thread of the pool, to see what it is asked. */
  readonly wrapPool?: (thread: PoolThread) => PoolThread;
  /** Milliseconds, for the deadlines of the pool; the virtual time when absent. */
  readonly poolElapsed?: () => number;
  /** Keys that the node signs with; none by default. */
  readonly devKeys?: readonly DevKey[];
  /** Replaces the crypto of the host. */
  readonly crypto?: Crypto;
  /** The clock of the machine; the virtual time when absent. */
  readonly clock?: Clock;
}

const KEEP_ALL: DaemonOptions['pruning'] = { strategy: 'nothing', keepRecent: undefined, interval: 10n };

export async function simulate(simulation: Simulation): Promise<SimulatedNode> {
  const time = new VirtualTime();
  const errors: string[] = [];
  const { store, crypto = hostCrypto, wrap = (executor) => executor } = simulation;
  const version = await loadPreset(simulation.preset ?? 'chronicle');
  const host: NodeHost = {
    crypto,
    clock: simulation.clock ?? time,
    timers: {
      // A timer that is due at once needs no test that moves the clock.
      after(milliseconds, run) {
        if (milliseconds === 0) setImmediate(() => void time.advance(0));
        return time.after(milliseconds, run);
      },
      yield() {
        setImmediate(() => void time.advance(0));
        return time.yield();
      },
    },
    timerClock: time,
    randomness: createSeededRandomness('simulation'),
    onBlock: () => undefined,
    isTimeOfBlocks: false,
    openStore: (_, { onDamage }) => Promise.resolve(simulation.openStore?.(store, onDamage) ?? store),
    databaseExists: () => true,
    ...(simulation.diskSpace && { diskSpace: simulation.diskSpace }),
    onReplay: simulation.onReplay,
    createExecutor: (opened) => wrap(createInProcessExecutor(crypto, () => Promise.resolve(stateValues(opened)))),
    startRecoveryThread: undefined,
    async startPoolThread(options, _location, opened) {
      const elapsed = simulation.poolElapsed ?? ((): number => Number(time.now() / 1_000_000n));
      const evm = engineOnDemand(crypto);
      const thread = await startInProcessPool(options, { crypto, store: opened, evm, elapsed });
      return simulation.wrapPool?.(thread) ?? thread;
    },
    slowThreads: 1,
    ...(simulation.anchorBlocks !== undefined && { anchorBlocks: simulation.anchorBlocks }),
    ...(simulation.wrapActor && { wrapActor: simulation.wrapActor }),
    devKeys: createDevKeys(() => simulation.devKeys ?? [], crypto),
    signerOf: createEd25519Signer,
    log: { info: () => undefined, error: (message) => errors.push(message) },
    genesis: (validator) =>
      simulation.founded?.genesis ??
      new TextEncoder().encode(
        JSON.stringify({
          ...sectionsOf(
            version,
            devGenesis(crypto, {
              chainId: DEV_CHAIN_ID,
              time: time.now(),
              unsignedTransactions: simulation.unsignedTransactions ?? true,
              accounts: accounts.map(({ bech32 }) => bech32),
              validators: [
                { publicKey: validator.publicKey, power: 10n, name: 'v' },
                ...(simulation.absentPower === undefined
                  ? []
                  : [
                      {
                        publicKey: createEd25519Signer(new Uint8Array(32).fill(9)).publicKey,
                        power: simulation.absentPower,
                        name: 'absent',
                      },
                    ]),
              ],
            }),
          ),
          initial_height: `${simulation.initialHeight ?? 1n}`,
        }),
      ),
  };
  const home = simulation.home ?? temporaryFolder();
  mkdirSync(join(home, 'data'), { recursive: true });
  const node = await composeNode(optionsOf(home, simulation), host);
  return {
    node,
    time,
    errors,
    async mineTo(height) {
      let failure: unknown;
      void node.failed.then((reason) => {
        failure = reason;
      });
      for (let turns = 0; node.api.queries.chain.head().height < height; turns += 1) {
        if (failure !== undefined) throw failure instanceof Error ? failure : new Error('the node failed');
        if (turns > 100_000) throw new Error('no block after many turns');
        void node.consensus.mine();
        await time.advance(0);
      }
    },
  };
}

/** The document with the sections of the modules that a version has. */
function sectionsOf({ initOrder }: Pick<AppVersion, 'initOrder'>, document: ReturnType<typeof devGenesis>): object {
  const sections = Object.entries(document.app_state).filter(([name]) => initOrder.includes(name));
  return { ...document, app_state: Object.fromEntries(sections) };
}

const DEV_GAS_PRICE = 2_000_000_000n;

/** A signed MsgSend between dev accounts with the dev gas price. */
export function send(
  from: number,
  to: number,
  amount: bigint,
  sequence: bigint,
  accountNumber = BigInt(from),
): Uint8Array {
  const message = {
    fromAddress: addressOf(from),
    toAddress: addressOf(to),
    amount: [{ denom: DEV_BASE_DENOM, amount: `${amount}` }],
  };
  return signed(from, anyOf(MsgSendSchema, message), sequence, accountNumber);
}

/** An upgrade plan of the authority, which is the first dev account. */
export function plan(name: string, height: bigint, sequence: bigint): Uint8Array {
  return signed(0, anyOf(MsgSoftwareUpgradeSchema, { authority: addressOf(0), plan: { name, height } }), sequence);
}

/** A message with the signature of a dev account and the dev gas price. */
export function signed(
  from: number,
  message: Any,
  sequence: bigint,
  accountNumber = BigInt(from),
  gasLimit = 200_000n,
): Uint8Array {
  const sender = accounts[from];
  if (sender === undefined) throw new Error('no such account');
  return signTx(
    {
      messages: [message],
      memo: '',
      fee: { amount: [{ denom: DEV_BASE_DENOM, amount: gasLimit * DEV_GAS_PRICE }], gasLimit },
      chainId: DEV_CHAIN_ID,
      accountNumber,
      sequence,
    },
    sender.privateKey,
  );
}

function addressOf(account: number): string {
  const bech32 = accounts[account]?.bech32;
  if (bech32 === undefined) throw new Error('no such account');
  return bech32;
}

function optionsOf(
  home: string,
  { appVersion, skip = [], mining = { kind: 'manual' }, engine = false, comet, snapshots = 0n, ...chain }: Simulation,
): DaemonOptions {
  const { founded, preset = founded?.preset ?? 'chronicle', pruning = KEEP_ALL, named = [] } = chain;
  return {
    mode: engine ? 'start' : 'dev',
    home,
    engine: engine ? { address: 'tcp://127.0.0.1:0', comet, retainBlocks: 2n } : undefined,
    snapshots: { interval: snapshots, keepRecent: 2 },
    listen: {
      comet: anywhere,
      eth_http: anywhere,
      eth_ws: anywhere,
      grpc: anywhere,
      rest: anywhere,
      rest_alias: anywhere,
      metrics: anywhere,
    },
    allowedHosts: [],
    corsAllowedOrigins: [],
    httpServer: 'uws',
    readyFile: undefined,
    moniker: 'simulated',
    chainId: DEV_CHAIN_ID,
    evmChainId: founded?.evmChainId,
    bech32Prefix: DEV_BECH32_PREFIX,
    baseDenom: DEV_BASE_DENOM,
    minGasPrice: 0n,
    invariantPeriod: 0n,
    skipInvariants: false,
    named,
    genesisFile: undefined,
    mining,
    timeouts: {},
    ephemeral: false,
    branch: undefined,
    ibc: false,
    deterministic: true,
    accounts: { mnemonic: DEV_MNEMONIC, count: 3, balance: 0n },
    logSync: 'block',
    pruning,
    retained: chain.retained ?? { blocks: undefined, seconds: undefined },
    appVersion,
    unsafeSkipUpgrades: skip,
    jsonRpc: {
      enabled: true,
      namespaces: undefined,
      webSocketAlias: undefined,
      allowUnprotectedTxs: false,
      txFeeCap: 0n,
    },
    exitOnHalt: false,
    exitWithParent: undefined,
    preset,
    logLevel: 'silent',
    logFormat: 'plain',
    quiet: true,
    abi: [],
    instamine: 'eager',
  };
}
