import { createEthereumRpc, ETHEREUM_BODY_TOO_LARGE, type EthereumRpc } from '../../../src/adapters/eth-rpc/index.js';
import { createEthereumSubscriptions } from '../../../src/adapters/eth-rpc/subscriptions/index.js';
import { createPump, createPushEngine, type Delivery } from '../../../src/adapters/push/index.js';
import { createServer, type Server } from '../../../src/adapters/transport/index.js';
import { readGenesis } from '../../../src/core/app/chain-of-genesis.js';
import { blockFacts } from '../../../src/core/chain/block-facts.js';
import { DEFAULT_LIMITS } from '../../../src/core/limits/limits.js';
import type { Timers } from '../../../src/core/ports/time.js';
import { toHeight } from '../../../src/core/primitives.js';
import { openRecordedChain, type RecordedBlock } from '../../../src/cli/compare/recorded-chain.js';
import { createHostCrypto } from '../../../src/runtime/host/crypto.js';
import { createSeededRandomness } from '../../../src/runtime/host/deterministic.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';
import { goldenPath } from '../../support/golden.js';
import { block, started } from '../abci/engine-node.js';
import { type EngineRpcStandIn, engineNetwork, engineRpcWith, engineStatus } from '../abci/engine-rpc-stand-in.js';
import { reopenable } from '../../support/reopenable.js';

/** Namespaces that the recorded node served (`--json-rpc.api`). */
const NAMESPACES = ['eth', 'txpool', 'personal', 'net', 'debug', 'web3'];
/** Turns of the event loop, and milliseconds of virtual time, in which the node does what a request caused. */
const TURNS = 20;

export interface Request {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

export interface Response {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Golden chain-a in a node that executes its blocks one by one, and the Ethereum face over that node. */
export class RecordedPlay {
  readonly #simulated: Awaited<ReturnType<typeof started>>;
  readonly #blocks: AsyncGenerator<RecordedBlock>;
  readonly #server: Server;
  readonly #engine: EngineRpcStandIn;
  readonly #defects: readonly unknown[];
  #next: RecordedBlock | undefined;

  private constructor(
    simulated: Awaited<ReturnType<typeof started>>,
    blocks: AsyncGenerator<RecordedBlock>,
    readonly rpc: EthereumRpc,
    server: Server,
    engine: EngineRpcStandIn,
    /** Address of the face, without a path. */
    readonly url: string,
    defects: readonly unknown[],
  ) {
    this.#simulated = simulated;
    this.#blocks = blocks;
    this.#server = server;
    this.#engine = engine;
    this.#defects = defects;
  }

  /** A node of the recorded genesis, before its first block. */
  static async begin(): Promise<RecordedPlay> {
    const crypto = await createHostCrypto();
    const recording = openRecordedChain(goldenPath('chain-a'));
    const founded = { genesis: recording.genesis, preset: 'evmd', evmChainId: 262_144n };
    const { chainId } = readGenesis(recording.genesis);
    const engine = await engineRpcWith({ status: engineStatus(chainId, false), net_info: engineNetwork(0) });
    const simulated = await started(reopenable(), { founded, crypto, comet: engine.url });
    const { node, time } = simulated;
    if (node.ethereum === undefined) throw new Error('the preset has an EVM');
    const limits = DEFAULT_LIMITS;
    const defects: unknown[] = [];
    const onDefect = (error: unknown): void => void defects.push(error);
    const timers: Timers = {
      after: (milliseconds, run) => time.after(milliseconds, run),
      yield() {
        setImmediate(() => void time.advance(0));
        return time.yield();
      },
    };
    const pump = createPump<Delivery>({ limits, timers, clock: time });
    const push = createPushEngine({ subscriptions: node.subscriptions, pump, timers, limits, onDefect });
    const rpc = createEthereumRpc(node.ethereum.api, {
      crypto,
      limits,
      timers,
      clientVersion: 'chronicled',
      namespaces: NAMESPACES,
      subscriptions: createEthereumSubscriptions(push, createSeededRandomness('recorded subscriptions')),
      onDefect,
    });
    const server = await createServer({
      http: rpc.http,
      inspect: rpc.inspect,
      webSocket: rpc.webSocket,
      limits: { bodyBytes: limits.httpBodyBytes, messageBytes: limits.httpBodyBytes, webSockets: 1 },
      timers: createHostTimers(),
      tooLarge: ETHEREUM_BODY_TOO_LARGE,
      onDefect,
    });
    const listening = await server.listen('127.0.0.1', 0);
    if (!listening.ok) throw new Error(listening.code);
    const url = `127.0.0.1:${listening.port}`;
    return new RecordedPlay(simulated, recording.blocks(), rpc, server, engine, url, defects);
  }

  get height(): bigint {
    return this.#simulated.node.api.queries.chain.head().height;
  }

  /** Executes the recorded blocks up to a height. */
  async to(height: bigint): Promise<void> {
    const { engine, node } = this.#simulated;
    const { chain } = node.api.queries;
    while (this.height < height) {
      const next = this.height + 1n;
      const { block: recorded, blockId } = await this.#upcoming();
      const lastValidators = next === 1n ? undefined : chain.validators(toHeight(next - 1n));
      const facts = { ...blockFacts(recorded, lastValidators), hash: blockId.hash, txs: recorded.data?.txs ?? [] };
      await engine.finalizeBlock(facts);
      await engine.commit();
      this.#next = undefined;
    }
    await this.settle();
  }

  /** Brings the first `count` transactions of the next recorded block to the mempool, as the engine does. */
  async hearOf(count: number): Promise<void> {
    const { block: recorded } = await this.#upcoming();
    for (const tx of recorded.data?.txs.slice(0, count) ?? []) await this.#simulated.engine.checkTx(tx, 'new');
    await this.settle();
  }

  /** Makes a block that was not recorded of the transactions that wait here. */
  async mine(): Promise<void> {
    const { engine, node } = this.#simulated;
    const txs = node.mempool.view.reap({ bytes: DEFAULT_LIMITS.txBytes, gas: -1n }).map(({ tx }) => tx);
    await engine.finalizeBlock(block(this.#simulated, this.height + 1n, txs));
    await engine.commit();
    await this.settle();
  }

  async ask({ method = 'POST', path = '/', headers = JSON_TYPE, body }: Request): Promise<Response> {
    const response = await fetch(`http://${this.url}${path}`, {
      method,
      headers: { ...headers },
      ...(body !== null && body !== undefined && { body: new TextEncoder().encode(body) }),
    });
    const type = response.headers.get('content-type') ?? undefined;
    return { status: response.status, type, body: await response.text() };
  }

  /** Until everything is done that follows from the last request or block. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.#simulated.time.advance(1);
    }
  }

  /** Stops the node; the errors of handlers that threw. */
  async end(): Promise<readonly unknown[]> {
    this.rpc.endSessions('end of test');
    await this.#server.close(false);
    await this.#simulated.node.stop();
    await this.#engine.close();
    return this.#defects;
  }

  async #upcoming(): Promise<RecordedBlock> {
    if (this.#next === undefined) {
      const { value, done } = await this.#blocks.next();
      if (done === true) throw new Error('the recording has no further block');
      this.#next = value;
    }
    return this.#next;
  }
}

const JSON_TYPE: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
