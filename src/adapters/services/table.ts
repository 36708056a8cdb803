/**
 * The one table of gRPC methods behind gRPC, gRPC-web, REST and `abci_query`: module queries are passed to the
 * application, node-level services are implemented here.
 */
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { aliasedPath } from './aliases.js';
import type { ChainFacts } from './chain-facts.js';
import { servedFiles, type ServedFiles } from './files.js';
import type { NodeMethod, ServiceAnswer, ServiceMethod } from './method.js';
import { cometMethods } from './comet/comet-methods.js';
import { nodeServiceMethods } from './node-service.js';
import { reflectionMethods } from './reflection/reflection-methods.js';
import { txMethods } from './tx/tx-methods.js';
import { malformed, refusal, refusalOf, refusalOfQuery, STATUS, type Refusal } from './status.js';

/** Characters of an unknown name that an error repeats. */
const SHOWN_NAME = 128;

export interface ServicesOptions {
  readonly api: NodeApi;
  readonly facts: ChainFacts;
  readonly limits?: Limits;
}

export interface ServiceTable {
  /** Every method that is served, by path. */
  readonly methods: ReadonlyMap<string, ServiceMethod>;
  /** Services with at least one served method, by name. */
  readonly services: readonly DescService[];
  /** Descriptors of all served files, and the types that `Any` values in answers may have. */
  readonly files: ServedFiles;
  /** Calls the method of a path; an unknown path is refused as in gRPC. */
  call(path: string, data: Uint8Array, height: bigint): Promise<ServiceAnswer>;
}

/** Binds the services to a node. A module query is served when a module of the chain implements it. */
export function createServices({ api, facts, limits = DEFAULT_LIMITS }: ServicesOptions): ServiceTable {
  const files = servedFiles();
  const methods = new Map<string, ServiceMethod>();
  // reflection reads the table when a method runs: it is complete only then
  const nodeMethods = [
    ...txMethods(files),
    ...cometMethods,
    ...nodeServiceMethods,
    ...reflectionMethods(files, () => methods),
  ];
  const atNode = new Map(nodeMethods.map((method) => [pathOf(method.desc), method]));
  for (const service of files.services) {
    for (const desc of service.methods) {
      const path = pathOf(desc);
      const canonical = aliasedPath(path);
      const nodeMethod = atNode.get(canonical);
      if (nodeMethod !== undefined) methods.set(path, { path, desc, nodeLevel: true, call: callNode(nodeMethod) });
      else if (api.queries.app.paths.has(canonical))
        methods.set(path, { path, desc, nodeLevel: false, call: callApp(canonical, desc) });
    }
  }
  const services = files.services.filter((service) => service.methods.some((desc) => methods.has(pathOf(desc))));
  const serviceNames = new Set(services.map(({ typeName }) => typeName));

  /** The height of a call, or the refusal of a wrong height. */
  function resolve(height: bigint): { readonly ok: true; readonly height: Height } | Refusal {
    const head = api.queries.chain.head().height;
    if (height < 0n) return refusalOf({ code: 'height-not-positive', height });
    if (height > head) return refusalOf({ code: 'height-in-future', height, head });
    return { ok: true, height: height === 0n ? head : toHeight(height) };
  }

  function callNode(method: NodeMethod): ServiceMethod['call'] {
    return async (data, requested) => {
      const at = resolve(requested);
      if (!at.ok) return { ...at, height: undefined };
      const reply = await method.run(data, { api, facts, limits, height: at.height });
      return { ...reply, height: method.timeless ? undefined : at.height };
    };
  }

  function callApp(path: string, desc: DescMethod): ServiceMethod['call'] {
    return async (data, requested) => {
      const at = resolve(requested);
      if (!at.ok) return { ...at, height: undefined };
      const ran = await api.queries.app.query(path, data, at.height);
      if (!ran.ok) return { ...refusalOf(ran.error), height: undefined };
      if (ran.value.ok) return { ok: true, value: ran.value.value, height: at.height };
      const refused = refusalOfQuery(ran.value);
      const undecodable = refused.message === `cannot decode ${desc.input.typeName}`;
      return { ...(undecodable ? malformed(desc.input.typeName) : refused), height: at.height };
    };
  }

  return {
    methods,
    services,
    files,
    call: (path, data, height) =>
      methods.get(path)?.call(data, height) ??
      Promise.resolve({ ...unknownMethod(path, serviceNames, SHOWN_NAME), height: undefined }),
  };
}

/** `/package.Service/Method` of a method. */
export function pathOf(desc: DescMethod): string {
  return `/${desc.parent.typeName}/${desc.name}`;
}

/**
 * grpc-go's error for a path without a method. `services`: names of those that have methods; `maximum`: characters of a
 * name that are shown.
 */
export function unknownMethod(path: string, services: ReadonlySet<string>, maximum: number): Refusal {
  const slash = path.lastIndexOf('/');
  const service = path.slice(1, slash);
  return refusal(
    STATUS.unimplemented,
    slash <= 0 || !path.startsWith('/')
      ? `malformed method name: ${JSON.stringify(path.slice(0, maximum))}`
      : services.has(service)
        ? `unknown method ${path.slice(slash + 1, slash + 1 + maximum)} for service ${service}`
        : `unknown service ${service.slice(0, maximum)}`,
  );
}
