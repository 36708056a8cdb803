import type { DaemonOptions } from '../../config/daemon-options.js';
import type { KeyFiles } from '../../core/keys/keyring.js';
import { createKeyring } from '../../core/keys/keyring.js';
import type { CliPorts, CommandContext } from '../context.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from './flags.js';
import { createRpcClient } from '../client/rpc-client.js';

/** Creates the context of a command from its flags. Connections and files are opened on use. */
export function commandContext(ports: CliPorts, flags: Flags): CommandContext {
  // Resolve as `dev`: a client needs only the home, not the files that `start` reads.
  const home = (): string => daemonOptions(ports, flags, 'dev').home;
  return {
    ports,
    rpc: createRpcClient(flags.text('node') ?? '', flags.is('offline')),
    output: flags.text('output') === 'json' ? 'json' : 'text',
    indent: !flags.is('no-indent'),
    home,
    mnemonic: () => daemonOptions(ports, flags, 'dev').accounts.mnemonic,
    options: () => daemonOptions(ports, flags, 'start'),
    keyring: async (prefix) => createKeyring(ports.keyCrypto, await keyFiles(ports, flags, home), prefix),
  };
}

/** Flags of client commands that are also daemon options. */
const SHARED: readonly string[] = ['home', 'preset', 'evm-chain-id'];

/** Resolves options as the daemon does, so that daemon and clients use the same home and keyring. */
function daemonOptions(ports: CliPorts, flags: Flags, command: 'dev' | 'start'): DaemonOptions {
  const given = SHARED.flatMap((name): readonly (readonly [string, string])[] => {
    const value = flags.text(name);
    return value === undefined ? [] : [[name, value]];
  });
  const resolved = ports.config.resolve(command, new Map(given));
  if (!resolved.ok) throw new CommandError(EXIT.config, `${resolved.problem.code}: ${resolved.problem.message}`);
  return resolved.options;
}

async function keyFiles(ports: CliPorts, flags: Flags, home: () => string): Promise<KeyFiles> {
  const backend = flags.text('keyring-backend') ?? 'test';
  if (backend === 'memory') return (await import('../keyring/memory-files.js')).memoryFiles();
  const directory = `${flags.text('keyring-dir') ?? home()}`;
  if (backend === 'test')
    return ports.keyring(flags.text('keyring-dir') === undefined ? `${directory}/keyring-test` : directory);
  const { openEncryptedFiles } = await import('../keyring/encrypted-files.js');
  return openEncryptedFiles(
    ports.keyring(flags.text('keyring-dir') === undefined ? `${directory}/keyring-file` : directory),
    ports,
  );
}
