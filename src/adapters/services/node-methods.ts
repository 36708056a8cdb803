/** The services that answer from facts of the node instead of a module's store. */
import { cometMethods } from './comet/comet-methods.js';
import type { ServedFiles } from './files.js';
import type { NodeMethod, ServiceMethod } from './method.js';
import { nodeServiceMethods } from './node-service.js';
import { reflectionMethods } from './reflection/reflection-methods.js';
import { txMethods } from './tx/tx-methods.js';

/** `served` is called when a method runs, because the table is complete only then. */
export function nodeMethods(
  files: ServedFiles,
  served: () => ReadonlyMap<string, ServiceMethod>,
): readonly NodeMethod[] {
  return [...txMethods(files), ...cometMethods, ...nodeServiceMethods, ...reflectionMethods(files, served)];
}
