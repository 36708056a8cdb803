import type { KeyFiles } from '../../core/keys/keyring.js';
import { createKeyring } from '../../core/keys/keyring.js';
import type { CliPorts, CommandContext } from './context.js';
import { CommandError, EXIT } from './exit-codes.js';
import type { Flags } from './flags.js';
import { createRpcClient } from './rpc-client.js';

/** The context of a command, made from its flags. Nothing is asked or opened before the command uses it. */
export function commandContext(ports: CliPorts, flags: Flags): CommandContext {
  const home = (): string => homeOf(ports, flags.text('home'));
  return {
    ports,
    rpc: createRpcClient(flags.text('node') ?? '', flags.is('offline')),
    output: flags.text('output') === 'json' ? 'json' : 'text',
    indent: !flags.is('no-indent'),
    home,
    keyring: async (prefix) => createKeyring(ports.keyCrypto, await keyFiles(ports, flags, home), prefix),
  };
}

/** The home directory that the daemon's configuration names, so that the daemon and its clients use one keyring. */
function homeOf(ports: CliPorts, flag: string | undefined): string {
  const resolved = ports.config.resolve('dev', flag === undefined ? new Map() : new Map([['home', flag]]));
  if (!resolved.ok) throw new CommandError(EXIT.config, `${resolved.problem.code}: ${resolved.problem.message}`);
  return resolved.options.home;
}

async function keyFiles(ports: CliPorts, flags: Flags, home: () => string): Promise<KeyFiles> {
  const backend = flags.text('keyring-backend') ?? 'test';
  if (backend === 'memory') return (await import('./keyring/memory-files.js')).memoryFiles();
  const directory = `${flags.text('keyring-dir') ?? home()}`;
  if (backend === 'test')
    return ports.keyring(flags.text('keyring-dir') === undefined ? `${directory}/keyring-test` : directory);
  const { openEncryptedFiles } = await import('./keyring/encrypted-files.js');
  return openEncryptedFiles(
    ports.keyring(flags.text('keyring-dir') === undefined ? `${directory}/keyring-file` : directory),
    ports,
  );
}
