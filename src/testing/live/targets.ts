/** Targets that are running chains: addresses, nodes of this process, and a user's clients in front of a node. */
import type { Abilities } from '../commands.js';
import type { Interest } from '../model.js';
import { consensusProtocol } from '../protocol-consensus.js';
import { ethereumProtocol } from '../protocol-ethereum.js';
import type { Awaitable, Protocol, Target, Trial } from '../target.js';
import { chainActions, deployEmitters, LiveChain, type ChainAction, type Faces } from './chain.js';
import { consensusInterests, consensusKey, ethereumInterests, ethereumKey, type ChainFact } from './facts.js';
import { filtersOf } from './filters.js';
import { IndexerBehindProxies, type Indexer } from './indexer.js';
import type { NodeUnderTest } from './node-under-test.js';
import { openRpc, openWire } from './wire.js';

/** Milliseconds for an answer or a notification, by default. */
const PATIENCE_MS = 5_000;
/** Connections of a run at a time. */
const CLIENTS = 3;

/** The interface whose promises are tested. */
export type FaceName = 'ethereum' | 'consensus' | 'filters';

export type LiveTarget = Target<ChainFact, ChainAction>;

export interface WebSocketTargetOptions {
  /** Address of the face under test: `ws://127.0.0.1:8546`, or `ws://127.0.0.1:26657/websocket`. */
  readonly url: string;
  /** `ethereum` and `filters` speak Ethereum JSON-RPC, `consensus` the RPC of CometBFT. */
  readonly face: FaceName;
  /**
   * Ethereum websocket of the same chain, for actions on it. By default `url` when that is one. Without it, or without
   * an unlocked account there, the chain is only observed and must make blocks by itself.
   */
  readonly ethereum?: string;
  /** The server supports cursors, which are an extension of this node; by default true. */
  readonly cursors?: boolean;
  /** Milliseconds that an answer or a notification may take; by default 5,000. */
  readonly patienceMs?: number;
}

/** A target that is a running server, by its address. No other client may send it transactions during a run. */
export async function webSocketTarget(options: WebSocketTargetOptions): Promise<LiveTarget> {
  const { url, face, ethereum = face === 'consensus' ? undefined : url } = options;
  const backend: Backend = { urls: { ethereum, consensus: face === 'consensus' ? url : undefined } };
  return await liveTarget(backend, { ...options, source: `await webSocketTarget(${JSON.stringify(options)})` });
}

export interface NodeTargetOptions {
  readonly face: FaceName;
  readonly patienceMs?: number;
  /** True if the node continues its chain after `stop` and a new `start`: runs then restart it. */
  readonly restarts?: boolean;
}

/** A node of this process: `start` is called at once, and again for each restart. `stop` of the target stops it. */
export async function nodeTarget(start: () => Promise<NodeUnderTest>, options: NodeTargetOptions): Promise<LiveTarget> {
  const backend = await nodeBackend(start, options.face, options.restarts === true);
  return await liveTarget(backend, { ...options, source: `await nodeTarget(startNode, ${JSON.stringify(options)})` });
}

export interface IndexerTargetOptions {
  /** Name of the interest whose items the indexer must see, such as `logs` or `tm.event='Tx'`. */
  readonly interest: string;
  readonly patienceMs?: number;
}

/**
 * A client or indexer of a user. It is created for each run with addresses of proxies. While the chain changes, runs
 * cut its connections, and stop and start it.
 */
export async function indexerTarget(
  start: () => Promise<NodeUnderTest>,
  make: (endpoints: NodeUnderTest['endpoints']) => Awaitable<Indexer>,
  options: IndexerTargetOptions,
): Promise<LiveTarget> {
  const face = options.interest.startsWith('tm.') ? 'consensus' : 'ethereum';
  const backend = await nodeBackend(start, face, false);
  const target = await liveTarget(backend, {
    ...options,
    face,
    source: `await indexerTarget(startNode, makeIndexer, ${JSON.stringify(options)})`,
  });
  return {
    ...target,
    // No reverts: a disconnected indexer cannot learn which blocks a revert abandoned.
    actions: chainActions({ canSend: true, canRevert: false, canRestart: false }),
    abilities: { indexer: true },
    async begin() {
      const { push: _, filters: __, ...trial } = await target.begin();
      const indexer = await IndexerBehindProxies.begin(backend.node?.endpoints, make, options.interest);
      return {
        ...trial,
        indexer,
        async end() {
          await indexer.end();
          await trial.end();
        },
      };
    },
  };
}

/** The current addresses of the faces of a chain. */
interface Backend {
  urls: { readonly ethereum: string | undefined; readonly consensus: string | undefined };
  node?: NodeUnderTest;
  restart?(): Promise<void>;
}

async function nodeBackend(start: () => Promise<NodeUnderTest>, face: FaceName, restarts: boolean): Promise<Backend> {
  const urlsOf = ({ endpoints }: NodeUnderTest): Backend['urls'] => ({
    ethereum: endpoints.ethWs,
    consensus: face === 'consensus' ? endpoints.cometWs : undefined,
  });
  const node = await start();
  const backend: Backend = { urls: urlsOf(node), node };
  if (restarts)
    backend.restart = async () => {
      await backend.node?.stop();
      backend.node = await start();
      backend.urls = urlsOf(backend.node);
    };
  return backend;
}

async function facesOf({ urls: { ethereum, consensus } }: Backend, patienceMs: number): Promise<Faces> {
  return {
    ethereum: ethereum === undefined ? undefined : await openRpc(ethereum, patienceMs),
    consensus: consensus === undefined ? undefined : await openRpc(consensus, patienceMs),
  };
}

interface LiveOptions {
  readonly face: FaceName;
  readonly source: string;
  readonly cursors?: boolean;
  readonly patienceMs?: number;
}

async function liveTarget(
  backend: Backend,
  { face, source, cursors = true, patienceMs = PATIENCE_MS }: LiveOptions,
): Promise<LiveTarget> {
  let faces = await facesOf(backend, patienceMs);
  const closeFaces = (): void => {
    faces.ethereum?.close();
    faces.consensus?.close();
  };
  const contracts = faces.ethereum === undefined ? undefined : await deployEmitters(faces.ethereum);
  const emitters = contracts?.emitters;
  const chain = new LiveChain(faces, patienceMs, contracts);
  const ofEthereum = ethereumInterests(emitters ?? ['0x', '0x']);
  const interests: readonly Interest<ChainFact>[] = face === 'consensus' ? consensusInterests(emitters) : ofEthereum;
  const protocol: Protocol<ChainFact> = {
    ...(face === 'consensus' ? consensusProtocol(consensusKey) : ethereumProtocol(ofEthereum, ethereumKey)),
    asksForCursors: cursors,
  };
  const powers = {
    canSend: emitters !== undefined,
    canRevert: emitters !== undefined && backend.node !== undefined,
    canRestart: backend.restart !== undefined,
  };
  const abilities: Abilities =
    face === 'filters' ? { filters: { time: [], busy: false } } : { clients: CLIENTS, cursors, stalls: true };
  const urlOf = (): string => (face === 'consensus' ? backend.urls.consensus : backend.urls.ethereum) ?? '';
  let restarts = 0;
  const restart = async (): Promise<void> => {
    restarts += 1;
    closeFaces();
    await backend.restart?.();
    faces = await facesOf(backend, patienceMs);
    chain.reconnect(faces);
  };
  return {
    source,
    interests,
    actions: chainActions(powers),
    abilities,
    async begin(): Promise<Trial<ChainFact, ChainAction>> {
      await chain.begin();
      const { ethereum } = faces;
      return {
        patienceMs,
        history: () => chain.history(),
        perform: (action) => (action.do === 'restart' ? restart() : chain.perform(action)),
        settle: () => undefined,
        ...(face === 'filters' && ethereum !== undefined
          ? { filters: filtersOf(() => faces.ethereum ?? ethereum, ofEthereum) }
          : {
              push: {
                protocol,
                connect(listener) {
                  const life = restarts;
                  return openWire(urlOf(), listener, patienceMs, () => (life === restarts ? 'server' : 'restart'));
                },
              },
            }),
        end: () => undefined,
      };
    },
    async stop() {
      closeFaces();
      await backend.node?.stop();
    },
  };
}
