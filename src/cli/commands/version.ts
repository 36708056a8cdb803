import type { CommandBody } from '../command-table.js';
import { yamlOf } from '../output.js';

/**
 * `version [--long] [-o text|json]`: the version; with `--long` also the application's name and the versions of the
 * runtime.
 */
export const version: CommandBody = ({ ports }, _, flags) => {
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
