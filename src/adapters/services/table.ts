/**
 * The method table behind gRPC, gRPC-web, REST and `abci_query`. Module queries are passed to the application;
 * node-level services are implemented here.
 */
import { oneInTurn } from '../transport/index.js';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { DEFAULT_LIMITS, type Limits } from '../../core/limits/limits.js';
import type { NodeApi } from '../../core/node-api.js';
import type { Timers } from '../../core/ports/time.js';
import { toHeight, type Height } from '../../core/primitives.js';
import { aliasedPath } from './aliases.js';
import type { ChainFacts } from './chain-facts.js';
import { servedFiles, type ServedFiles } from './files.js';
import type { NodeMethod, ServiceAnswer, ServiceMethod } from './method.js';
import { cometMethods } from './comet/comet-methods.js';
import { nodeServiceMethods } from './node-service.js';
import { reflectionMethods } from './reflection/reflection-methods.js';
import { txMethods } from './tx/tx-methods.js';
import { malformed, refusal, refusalAtHead, refusalOf, refusalOfQuery, STATUS, type Refusal } from './status.js';

/** Maximum characters of an unknown name in an error. */
const SHOWN_NAME = 128;

export interface ServicesOptions {
  readonly api: NodeApi;
  readonly facts: ChainFacts;
  readonly timers: Pick<Timers, 'yield'>;
  readonly limits?: Limits;
}

export interface ServiceTable {
  /** Every served method, by path. */
  readonly methods: ReadonlyMap<string, ServiceMethod>;
  /** Services with at least one served method, by name. */
  readonly services: readonly DescService[];
  /** Descriptors of all served files, including types of `Any` values. */
  readonly files: ServedFiles;
  /** For long answers, which are made in turns of the event loop. */
  readonly timers: Pick<Timers, 'yield'>;
  /** Calls a method by path; an unknown path gives the gRPC error. */
  call(path: string, data: Uint8Array, height: bigint): Promise<ServiceAnswer>;
}

/** Creates the table for a node. A module query is served if a module of the chain implements it. */
export function createServices({ api, facts, limits = DEFAULT_LIMITS, ...options }: ServicesOptions): ServiceTable {
  const timers = { yield: oneInTurn(options.timers) };
  const files = servedFiles();
  const methods = new Map<string, ServiceMethod>();
  // reflection reads the table lazily, because it is incomplete here
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

  /** Resolves the height of a call, or returns the error. */
  function resolve(height: bigint): { readonly ok: true; readonly height: Height; readonly head: Height } | Refusal {
    const head = api.queries.chain.head().height;
    if (height < 0n) return refusalOf({ code: 'height-not-positive', height });
    if (height > head) return refusalOf({ code: 'height-in-future', height, head });
    return { ok: true, height: height === 0n ? head : toHeight(height), head };
  }

  function callNode(method: NodeMethod): ServiceMethod['call'] {
    return async (data, requested) => {
      const at = resolve(requested);
      if (!at.ok) return { ...at, height: undefined };
      const reply = await method.run(data, { api, facts, timers, limits, height: at.height });
      return { ...reply, height: method.timeless ? undefined : at.height };
    };
  }

  function callApp(path: string, desc: DescMethod): ServiceMethod['call'] {
    return async (data, requested) => {
      const at = resolve(requested);
      if (!at.ok) return { ...at, height: undefined };
      const ran = await api.queries.app.query(path, data, at.height);
      if (!ran.ok) return { ...refusalAtHead(ran.error, at.head), height: undefined };
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
    timers,
    call: (path, data, height) =>
      methods.get(path)?.call(data, height) ??
      Promise.resolve({ ...unknownMethod(path, serviceNames, SHOWN_NAME), height: undefined }),
  };
}

/** The path of a method: `/package.Service/Method`. */
export function pathOf(desc: DescMethod): string {
  return `/${desc.parent.typeName}/${desc.name}`;
}

/**
 * grpc-go's error for an unknown path. `services`: names of served services; `maximum`: maximum characters of a name.
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
