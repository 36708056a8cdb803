import { equal } from '../../core/bytes/bytes.js';
import { bytesOfDigits } from '../../core/bytes/hex.js';
import { blockFromJson, isBlockJson } from '../../core/comet/json/block-json.js';
import { blockIdOf } from '../../core/comet/part-set.js';
import type { EngineNetwork, EngineQueries, EngineStatus } from '../../core/comet/engine-queries.js';
import type { DomainError, Outcome } from '../../core/errors.js';
import { asObject } from '../../core/text/json-object.js';
import type { ChainQueries } from '../../core/node-api.js';
import type { Crypto } from '../../core/ports/crypto.js';
import { EngineAddressUnknown } from './engine-rpc.js';

export interface EngineQueriesOptions {
  readonly crypto: Crypto;
  readonly chain: Pick<ChainQueries, 'block' | 'genesis'>;
  /** Posts a body of JSON-RPC to the engine and resolves with its answer; rejects when the engine cannot be reached. */
  readonly post: (body: string) => Promise<string>;
}

type Json = Readonly<Record<string, unknown>>;

/** Creates queries to the engine's RPC for facts that this node lacks: full blocks, sync status and peers. */
export function createEngineQueries({ crypto, chain, post }: EngineQueriesOptions): EngineQueries {
  const call = async (method: string, params: Json): Promise<Outcome<Json | undefined>> => {
    try {
      const answer: unknown = JSON.parse(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
      return { ok: true, value: asObject(asObject(answer)?.['result']) };
    } catch (error) {
      return unreachable(error instanceof EngineAddressUnknown ? error.message : 'its RPC does not answer');
    }
  };
  const status = async (): Promise<Outcome<EngineStatus>> => {
    const answer = await call('status', {});
    if (!answer.ok) return answer;
    const read = statusOf(answer.value);
    if (read === undefined) return OTHER_PROGRAM;
    return read.network === chain.genesis().chainId ? { ok: true, value: read.status } : OTHER_CHAIN;
  };
  return {
    async block(height) {
      const answer = await call('block', { height: `${height}` });
      if (!answer.ok) return answer;
      const block = answer.value?.['block'];
      if (!isBlockJson(block)) return { ok: false, error: { code: 'height-pruned', height, lowest: height + 1n } };
      const whole = blockFromJson(block);
      const { blockId, size } = blockIdOf(crypto, whole);
      const known = chain.block(height)?.blockId.hash;
      if (known === undefined || !equal(known, blockId.hash)) return OTHER_CHAIN;
      return { ok: true, value: { block: whole, blockId, size } };
    },
    status,
    async network() {
      // its answer names no chain
      const known = await status();
      if (!known.ok) return known;
      const answer = await call('net_info', {});
      if (!answer.ok) return answer;
      const network = networkOf(answer.value);
      return network === undefined ? OTHER_PROGRAM : { ok: true, value: network };
    },
  };
}

interface Refused {
  readonly ok: false;
  readonly error: DomainError;
}

function unreachable(reason: string): Refused {
  return { ok: false, error: { code: 'engine-unreachable', reason } };
}

const OTHER_CHAIN = unreachable('another chain answers at its address');
const OTHER_PROGRAM = unreachable("what answers at its address does not answer in CometBFT's form");

function statusOf(result: Json | undefined): { readonly network: string; readonly status: EngineStatus } | undefined {
  const node = asObject(result?.['node_info']);
  const sync = asObject(result?.['sync_info']);
  const protocol = asObject(node?.['protocol_version']);
  const other = asObject(node?.['other']);
  const network = textIn(node, 'network');
  const channels = textIn(node, 'channels');
  const catchingUp = sync?.['catching_up'];
  const versions = {
    p2p: numberIn(protocol, 'p2p'),
    block: numberIn(protocol, 'block'),
    app: numberIn(protocol, 'app'),
  };
  const status = {
    nodeId: textIn(node, 'id'),
    listenAddress: textIn(node, 'listen_addr'),
    version: textIn(node, 'version'),
    channels: channels === undefined ? undefined : bytesOfDigits(channels),
    moniker: textIn(node, 'moniker'),
    protocol: isWhole(versions) ? versions : undefined,
    txIndex: textIn(other, 'tx_index'),
    rpcAddress: textIn(other, 'rpc_address'),
    catchingUp: typeof catchingUp === 'boolean' ? catchingUp : undefined,
    earliestHeight: numberIn(sync, 'earliest_block_height'),
    latestHeight: numberIn(sync, 'latest_block_height'),
  };
  return network !== undefined && isWhole(status) ? { network, status } : undefined;
}

/** True if every member is present: missing members get no default. */
function isWhole<Members extends object>(
  members: Members,
): members is Members & { readonly [Name in keyof Members]: NonNullable<Members[Name]> } {
  return Object.values(members).every((member) => member !== undefined);
}

function networkOf(result: Json | undefined): EngineNetwork | undefined {
  const listening = result?.['listening'];
  const peers = numberIn(result, 'n_peers');
  return typeof listening !== 'boolean' || peers === undefined ? undefined : { listening, peers };
}

function textIn(object: Json | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Parses a decimal string of at most 64 bits, as CometBFT encodes integers. */
function numberIn(object: Json | undefined, name: string): bigint | undefined {
  const text = textIn(object, name);
  return text !== undefined && /^[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined;
}
