/** The proto files that the node serves: their services, messages and options, for reflection, REST routes and JSON. */
import { createRegistry, type DescFile, type DescService, type Registry } from '@bufbuild/protobuf';
import * as roots from './root-files.js';

export interface ServedFiles {
  /** Every message, enum, extension and service by full name. */
  readonly registry: Registry;
  /** Every file, after the files that it imports. */
  readonly files: readonly DescFile[];
  /** Every service of those files in order of names, implemented or not. */
  readonly services: readonly DescService[];
}

let made: ServedFiles | undefined;

/**
 * Makes the descriptors of the files one by one, so that the event loop turns between them: all at once they hold it
 * for 30 ms.
 */
export async function describeFiles(pause: () => Promise<void>): Promise<void> {
  const described = new Set<DescFile>();
  const describe = async (file: DescFile): Promise<void> => {
    if (described.has(file)) return;
    described.add(file);
    for (const imported of file.dependencies) await describe(imported);
    lookInto(file);
    await pause();
  };
  for (const file of Object.values(roots)) await describe(file);
}

/** Reads what makes the description of a file and of its methods; returns their number. */
function lookInto({ name, services }: DescFile): number {
  return services.reduce((sum, { methods }) => sum + methods.length, name === '' ? 0 : 1);
}

/** The files, computed once. */
export function servedFiles(): ServedFiles {
  if (made !== undefined) return made;
  const files = withImports();
  const services = files.flatMap((file) => file.services);
  services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  made = { registry: createRegistry(...files), files, services };
  return made;
}

/** The roots and all their imports, each once. */
function withImports(): readonly DescFile[] {
  const all = new Map<string, DescFile>();
  const add = (file: DescFile): void => {
    if (all.has(file.name)) return;
    for (const imported of file.dependencies) add(imported);
    all.set(file.name, file);
  };
  // the order of a module's exports differs between bundlers
  for (const file of Object.values(roots).toSorted((a, b) => (a.name < b.name ? -1 : 1))) add(file);
  return [...all.values()];
}
