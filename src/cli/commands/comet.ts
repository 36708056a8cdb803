/** `comet ...`: the keys of a home, and versions (cosmos-sdk v0.53 `server/cmt_cmds.go`). */
import { base64 } from '@scure/base';
import { ed25519Address } from '../../core/comet/address.js';
import { ABCI_VERSION, BLOCK_PROTOCOL, COMET_VERSION, P2P_PROTOCOL } from '../../core/comet/versions.js';
import { DEV_BECH32_PREFIX } from '../../core/genesis/dev-chain.js';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command, HOME } from '../table/command-rows.js';
import { genesisPath, objectAt, prefixOf, readJson } from '../genesis-file.js';
import { consensusKeyOf, nodeIdOf } from '../home-keys.js';
import { yamlOf } from '../table/output.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';

const showNodeId: CommandBody = (context) => context.ports.stdout(`${nodeIdOf(context)}\n`);

const showValidator: CommandBody = (context) => {
  const key = { '@type': '/cosmos.crypto.ed25519.PubKey', key: base64.encode(consensusKeyOf(context)) };
  context.ports.stdout(`${JSON.stringify(key)}\n`);
};

/**
 * Prints the consensus address. The prefix comes from the flag, else from the home's genesis file, else from the dev
 * default.
 */
const showAddress: CommandBody = (context, _, flags) => {
  const address = ed25519Address(PURE_CRYPTO, consensusKeyOf(context));
  const path = genesisPath(context);
  const ofFile = (): string | undefined => {
    if (context.ports.files.read(path) === undefined) return undefined;
    const appState = objectAt(objectAt(readJson(context, path), path)['app_state'], 'app_state');
    return prefixOf(objectAt(appState['bank'], 'app_state.bank'));
  };
  const prefix = flags.text('bech32-prefix') ?? ofFile() ?? DEV_BECH32_PREFIX;
  context.ports.stdout(`${encodeAddress(`${prefix}valcons`, address)}\n`);
};

const cometVersion: CommandBody = ({ ports }) => {
  const versions = {
    ABCI: ABCI_VERSION,
    BlockProtocol: Number(BLOCK_PROTOCOL),
    CometBFT: COMET_VERSION,
    P2PProtocol: Number(P2P_PROTOCOL),
  };
  ports.stdout(`${yamlOf(versions)}\n`);
};

export const commands: readonly CommandRow[] = [
  command('comet show-node-id', 'the id of the node', [], showNodeId, { options: [HOME] }),
  command('comet show-validator', "the validator's public key", [], showValidator, { options: [HOME] }),
  command('comet show-address', "the validator's consensus address", [], showAddress, {
    options: [HOME, { flag: '--bech32-prefix <prefix>', doc: 'prefix of addresses, where the file has none' }],
  }),
  command('comet version', 'versions of the protocols that this program speaks', [], cometVersion),
];
