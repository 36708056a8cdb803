/** The served proto files, for reflection, REST routes and JSON. */
import { createRegistry, type DescFile, type DescService, type Registry } from '@bufbuild/protobuf';
import * as roots from './root-files.js';

export interface ServedFiles {
  /** Every message, enum, extension and service by full name. */
  readonly registry: Registry;
  /** Every file, each after its imports. */
  readonly files: readonly DescFile[];
  /** Every service of these files sorted by name, implemented or not. */
  readonly services: readonly DescService[];
}

let made: ServedFiles | undefined;

/**
 * Initialises the lazy descriptors file by file with pauses, because all at once would block the event loop for 30
 * ms.
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

/** Reads a file's lazy members, which initialises them; returns the number of methods. */
function lookInto({ name, services }: DescFile): number {
  return services.reduce((sum, { methods }) => sum + methods.length, name === '' ? 0 : 1);
}

/** The served files, computed once. */
export function servedFiles(): ServedFiles {
  if (made !== undefined) return made;
  const files = withImports();
  const services = files.flatMap((file) => file.services);
  services.sort((a, b) => (a.typeName < b.typeName ? -1 : 1));
  made = { registry: createRegistry(...files), files, services };
  return made;
}

/** The root files and all their imports. */
function withImports(): readonly DescFile[] {
  const all = new Map<string, DescFile>();
  const add = (file: DescFile): void => {
    if (all.has(file.name)) return;
    for (const imported of file.dependencies) add(imported);
    all.set(file.name, file);
  };
  // sort, because the order of a module's exports differs between bundlers
  for (const file of Object.values(roots).toSorted((a, b) => (a.name < b.name ? -1 : 1))) add(file);
  return [...all.values()];
}
