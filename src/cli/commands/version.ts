import type { CommandBody, CommandRow } from '../table/command-table.js';
import { command } from '../table/command-rows.js';
import { yamlOf } from '../table/output.js';

/**
 * `version [--long] [-o text|json]`: prints the version; with `--long` also the application's name and the runtime's
 * versions.
 */
const version: CommandBody = ({ ports }, _, flags) => {
  if (!flags.is('long')) return ports.stdout(`${ports.version}\n`);
  const facts = {
    name: 'chronicle',
    server_name: 'chronicled',
    version: ports.version,
    runtime: `node ${process.versions.node}`,
    platform: `${process.platform}/${process.arch}`,
  };
  ports.stdout(flags.text('output') === 'text' ? yamlOf(facts) : `${JSON.stringify(facts)}\n`);
};

export const commands: readonly CommandRow[] = [
  command('version', 'print the version', [], version, {
    options: [
      { flag: '--long', doc: 'with the names of the application' },
      { flag: '-o, --output <format>', doc: 'output format of --long', choices: ['text', 'json'], default: 'json' },
    ],
  }),
];
