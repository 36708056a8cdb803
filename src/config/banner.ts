import { NO_VALIDATOR } from '../core/errors.js';
import type { Mining } from '../core/chain/mining.js';
import { hex } from '../core/bytes/hex.js';
import { DEV_MNEMONIC } from '../core/keys/dev-mnemonic.js';
import { endpointsOf, type Endpoints, type NodeFacts } from './ready-file.js';

export interface BannerFacts extends NodeFacts {
  readonly mining: Mining;
  /** The number of accounts with coins; undefined for an application without Ethereum's accounts. */
  readonly funded: number | undefined;
  /** Data directory; undefined when the node keeps no data. */
  readonly home: string | undefined;
  /** The node runs a copy of a chain from the block of this height on. */
  readonly branch?: bigint | undefined;
  /** The genesis file from which this start created the chain; undefined for the dev genesis. */
  readonly genesis: string | undefined;
  /**
   * Dev mode on a chain whose genesis accepts no unsigned transactions: commands that set accounts and blocks are
   * off.
   */
  readonly isWithoutCommands: boolean;
  /** The key of this node is in the validator set, so the node makes blocks. */
  readonly isValidator: boolean;
  /** Time from the start of the process until all faces answered, milliseconds. */
  readonly readyMs: number;
}

const ACCOUNTS_SHOWN = 3;
const PAGES = 'accounts, blocks, wallets';
const WITHOUT_COMMANDS =
  '  Commands  that set accounts and blocks are off: app_state.dev.enabled of the genesis is false';

/**
 * Lines for both outputs of the process when the node answers. `--quiet` leaves the banner out, but not the warning
 * about keys and dev commands that other machines can reach.
 */
export function announcement(facts: BannerFacts, isQuiet: boolean): Announcement {
  if (!isQuiet) return { stdout: bannerLines(facts), stderr: [] };
  const exposed = exposedLines(facts, 'the dev keys');
  return { stdout: [readyLine(facts.readyMs)], stderr: exposed.length > 1 ? exposed : [] };
}

export interface Announcement {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** Lines of the banner. Only the last one matches `^Ready in \d+ ms`. */
export function bannerLines(facts: BannerFacts): readonly string[] {
  const continued = facts.height > 0n ? `block ${facts.height} (continued, log position ${facts.position})` : 'block 0';
  return [
    `chronicled ${facts.version}   chain ${facts.chainId}   EVM chain id ${facts.evmChainId}   ${continued}`,
    ...accountLines(facts),
    '',
    ...faceLines(endpointsOf(facts.bound), facts.accounts !== undefined),
    ...commandLines(endpointsOf(facts.bound)),
    ...secondLines(facts),
    '',
    productionLine(facts),
    ...exposedLines(facts),
    ...(facts.genesis === undefined ? [] : [`  Genesis   ${facts.genesis}`]),
    ...(facts.isWithoutCommands ? [WITHOUT_COMMANDS] : []),
    `  Data      ${dataText(facts)}`,
    readyLine(facts.readyMs),
  ];
}

function dataText({ home, branch }: BannerFacts): string {
  if (branch !== undefined) return `a branch from block ${branch} in a temporary folder: nothing is kept`;
  if (home === undefined) return 'a temporary folder (--ephemeral): nothing is kept';
  return `${home}  (continues next time; fresh start: --ephemeral or chronicled reset)`;
}

/** The line that scripts wait for; it is printed with `--quiet` too. */
function readyLine(readyMs: number): string {
  return `Ready in ${Math.round(readyMs)} ms - Ctrl+C to stop`;
}

function accountLines({ accounts = [], mnemonic, funded }: BannerFacts): readonly string[] {
  const [first] = accounts;
  if (first === undefined) return [];
  const count = accounts.length;
  const rest = count - ACCOUNTS_SHOWN;
  const isKnown = mnemonic === DEV_MNEMONIC;
  return [
    '',
    `  Accounts (${fundedText(count, funded)}, keys ${isKnown ? 'that everybody knows: never use them on a real network' : 'of --mnemonic'})`,
    ...accounts.slice(0, ACCOUNTS_SHOWN).map(({ index, hex: address, bech32 }) => `  ${index}  ${address}  ${bech32}`),
    ...(rest > 0 ? [`     ... ${rest} more${isKnown ? ': chronicled keys list --dev' : ''}`] : []),
    `  key 0     0x${hex(first.privateKey)}`,
    ...(mnemonic === undefined ? [] : [`  mnemonic  ${mnemonic}   (m/44'/60'/0'/0/i)`]),
  ];
}

function fundedText(count: number, funded: number | undefined): string {
  if (funded === undefined) return `${count}`;
  return funded === count ? `${count} funded` : `${funded} of ${count} funded`;
}

/** Lines of the open faces; a closed face has no line. */
function faceLines(endpoints: Endpoints, hasFaucet: boolean): readonly string[] {
  const { comet, eth_http, eth_ws, grpc, rest, rest_alias, metrics } = endpoints;
  const ethereum = [eth_http, eth_ws].filter((url) => url !== undefined);
  return [
    ...(eth_http === undefined
      ? []
      : [`  Open      ${eth_http} in a browser: ${hasFaucet ? `${PAGES}, faucet` : PAGES}`]),
    ...(ethereum.length === 0 ? [] : [`  Ethereum  ${ethereum.join('   ')}`]),
    ...(comet === undefined ? [] : [`  CometBFT  ${comet}   ${comet.replace(/^http/, 'ws')}/websocket`]),
    ...(grpc === undefined ? [] : [`  gRPC      ${grpc} (plaintext, reflection on)`]),
    ...(rest === undefined ? [] : [`  REST      ${[rest, rest_alias].filter((url) => url !== undefined).join('   ')}`]),
    ...(metrics === undefined ? [] : [`  Metrics   ${metrics}/metrics   ${metrics}/health`]),
  ];
}

/** Addresses that the commands use by default. */
const STANDARD = { node: 'http://127.0.0.1:26657', ethNode: 'http://127.0.0.1:8545' };

/** The variables that commands in another terminal need to find this node, unless it has the default addresses. */
function commandLines({ comet: node, eth_http: ethNode }: Endpoints): readonly string[] {
  if (node === undefined) return [];
  if (node === STANDARD.node && (ethNode === undefined || ethNode === STANDARD.ethNode)) return [];
  const port = Number(new URL(node).port);
  if (node === `http://127.0.0.1:${port}` && ethNode === `http://127.0.0.1:${port + 1}`)
    return [`  Commands  --port-base ${port}   (or CHRONICLED_PORT_BASE)`];
  return ethNode === undefined
    ? [`  Commands  --node ${node}   (or CHRONICLED_NODE)`]
    : [`  Commands  --node ${node} --eth-node ${ethNode}   (or CHRONICLED_NODE, CHRONICLED_ETH_NODE)`];
}

/** The second chain of `dev --ibc`: its faces, and the channel between the two. */
function secondLines({ ibc }: BannerFacts): readonly string[] {
  if (ibc === undefined) return [];
  const { chainId, evmChainId, bound, channels } = ibc;
  return [
    '',
    `  Second chain ${chainId}   EVM chain id ${evmChainId}   the same accounts`,
    ...faceLines(endpointsOf(bound), true),
    ...commandLines(endpointsOf(bound)),
    channels === undefined
      ? '  IBC       the channel is not open yet: the relayer goes on'
      : `  IBC       transfer/${channels.here} here   transfer/${channels.there} there`,
  ];
}

/** Warnings about faces that other machines can reach; none if all listen on loopback. `keys`: name of the dev keys. */
function exposedLines(facts: BannerFacts, keys = 'the keys above'): readonly string[] {
  const { bound, ibc, accounts, isWithoutCommands } = facts;
  const exposed = [
    ...Object.entries(bound).map(([face, address]) => ({ face, chain: '', ...address })),
    ...Object.entries(ibc?.bound ?? {}).map(([face, address]) => ({ face, chain: `${ibc?.chainId} `, ...address })),
  ].filter(({ host }) => !/^(127\.|::1$)/.test(host));
  if (exposed.length === 0) return [];
  const listed = exposed.map(
    ({ chain, face, host, port }) => `${chain}${face} ${host.includes(':') ? `[${host}]` : host}:${port}`,
  );
  const isEthereumOpen = accounts !== undefined && exposed.some(({ face }) => /^eth_(http|ws)$/.test(face));
  const open = isWithoutCommands ? `sign with ${keys}` : `sign with ${keys} and change the chain by dev commands`;
  return [
    `  Network   reachable from other machines: ${listed.join('   ')}`,
    ...(isEthereumOpen ? [`  WARNING   whoever reaches the Ethereum ports can ${open}`] : []),
  ];
}

function productionLine({ engine, isValidator, mining }: BannerFacts): string {
  if (engine !== undefined) return `  Engine    ${engine}   (cometbft start --proxy_app ${engine})`;
  return `  Mining    ${isValidator ? miningText(mining) : NO_VALIDATOR.message}`;
}

function emptyText(empty: Extract<Mining, { readonly kind: 'interval' }>['empty']): string {
  if (empty === undefined) return '';
  return empty.afterMs === undefined
    ? ', none without transactions'
    : `, after ${empty.afterMs / 1000} s without transactions`;
}

function miningText(mining: Mining): string {
  switch (mining.kind) {
    case 'instant':
      return mining.heartbeatMs === undefined
        ? 'instant (a block for each transaction)'
        : `instant (a block at once for transactions, else every ${mining.heartbeatMs / 1000} s)`;
    case 'interval':
      return `interval (every ${mining.intervalMs / 1000} s${emptyText(mining.empty)})`;
    case 'manual':
      return 'manual (blocks on request only)';
  }
}
