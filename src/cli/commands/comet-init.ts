/** `comet init`: writes a CometBFT home, with which CometBFT runs as the consensus engine of this node home. */
import { base64 } from '@scure/base';
import { upperHex } from '../../core/bytes/hex.js';
import { ed25519Address } from '../../core/comet/address.js';
import { cometGenesis } from '../../core/genesis/comet-genesis.js';
import { asObject } from '../../core/text/json-object.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command, HOME } from '../table/command-rows.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { genesisPath, objectAt, readJson } from '../genesis-file.js';
import { nodeIdOf } from '../home-keys.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';

/**
 * CometBFT v0.38 `privval/file.go`: initial state, nothing signed. An existing file is kept, because it records what
 * was signed.
 */
const NOTHING_SIGNED = '{\n  "height": "0",\n  "round": 0,\n  "step": 0\n}\n';

/** Writes CometBFT's genesis, keys and config.toml from the node home. Omitted options keep CometBFT's defaults. */
const cometInit: CommandBody = (context, _, flags) => {
  const { files, stdout } = context.ports;
  const folder = flags.text('comet-home') ?? `${context.home()}/comet`;
  const path = genesisPath(context);
  const genesis = cometGenesis(objectAt(readJson(context, path), path), (key) =>
    upperHex(ed25519Address(PURE_CRYPTO, base64.decode(key))),
  );
  if (genesis === undefined) throw new CommandError(EXIT.config, `${path} is no genesis file`);
  files.write(`${folder}/config/genesis.json`, `${JSON.stringify(genesis, undefined, 2)}\n`);
  const nodeId = nodeIdOf(context);
  for (const name of ['node_key.json', 'priv_validator_key.json']) {
    const source = `${context.home()}/config/${name}`;
    const json = objectAt(readJson(context, source), source);
    if (asObject(json['priv_key']) === undefined)
      throw new CommandError(EXIT.config, `${source} holds no key, as an earlier build wrote it: remove it, then init`);
    files.write(`${folder}/config/${name}`, `${JSON.stringify(json, undefined, 2)}\n`);
  }
  const state = `${folder}/data/priv_validator_state.json`;
  if (files.read(state) === undefined) files.write(state, NOTHING_SIGNED);
  files.write(`${folder}/config/config.toml`, configToml(flags.text.bind(flags), context.options().moniker));
  stdout(`${JSON.stringify({ comet_home: folder, node_id: nodeId })}\n`);
};

/** The `statesync` section, with which CometBFT starts from a snapshot of its peers; empty without RPC servers. */
function stateSync(
  flag: (name: string) => string | undefined,
  line: (key: string, value: string | undefined) => string,
): readonly string[] {
  const servers = flag('state-sync-rpc');
  if (servers === undefined) return [];
  const height = flag('trust-height') ?? '';
  const hash = flag('trust-hash') ?? '';
  if (!/^[1-9][0-9]{0,18}$/.test(height) || !/^[0-9A-Fa-f]{64}$/.test(hash))
    throw new CommandError(
      EXIT.usage,
      '--state-sync-rpc needs --trust-height and --trust-hash: a block that you trust',
    );
  return [
    '\n[statesync]\nenable = true\n',
    line('rpc_servers', servers),
    `trust_height = ${height}\n`,
    line('trust_hash', hash.toUpperCase()),
  ];
}

/** config.toml with the given settings only; CometBFT has defaults for all others. */
function configToml(flag: (name: string) => string | undefined, moniker: string): string {
  const line = (key: string, value: string | undefined): string =>
    value === undefined ? '' : `${key} = ${JSON.stringify(value)}\n`;
  return [
    line('proxy_app', flag('proxy-app')),
    line('moniker', moniker),
    '\n[rpc]\n',
    line('laddr', flag('rpc-laddr')),
    '\n[p2p]\n',
    line('laddr', flag('p2p-laddr')),
    line('persistent_peers', flag('persistent-peers')),
    // Peers of a local network often have private addresses.
    'addr_book_strict = false\n',
    '\n[consensus]\n',
    line('timeout_commit', flag('timeout-commit')),
    ...stateSync(flag, line),
  ].join('');
}

export const commands: readonly CommandRow[] = [
  command('comet init', 'write the folder of a CometBFT that drives this home (`chronicled abci`)', [], cometInit, {
    options: [
      HOME,
      { flag: '--comet-home <dir>', doc: 'folder of CometBFT (default: comet in the home)' },
      { flag: '--proxy-app <address>', doc: 'address of `chronicled abci`' },
      { flag: '--rpc-laddr <address>', doc: 'address of its RPC' },
      { flag: '--p2p-laddr <address>', doc: 'address for its peers' },
      { flag: '--persistent-peers <peers>', doc: 'peers as id@host:port, separated by commas' },
      { flag: '--timeout-commit <duration>', doc: 'pause between blocks, for example 1s' },
      {
        flag: '--state-sync-rpc <urls>',
        doc: 'begin with a snapshot of the peers; RPC of at least two machines, separated by commas',
      },
      { flag: '--trust-height <height>', doc: 'height of a block that is trusted, for --state-sync-rpc' },
      { flag: '--trust-hash <hash>', doc: 'hash of that block' },
    ],
  }),
];
