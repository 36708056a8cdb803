import type { CommandRow } from '../../src/cli/table/command-table.js';
import { reachedBy } from '../../src/cli/topics.js';

/** Every command of the table: a completion names all of them. */
export async function everyCommand(): Promise<readonly CommandRow[]> {
  const loaded = await Promise.all(reachedBy(['completion']).map((file) => file()));
  return loaded.flatMap(({ commands }) => commands);
}
