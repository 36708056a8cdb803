/**
 * The catalogue of API methods that can be tried, from `rpc_discover`, `/openapi.json` and the index page of the
 * consensus RPC.
 */
import { ask } from './ethereum.js';
import { rest } from './faces.js';

export type FaceOfMethod = 'Ethereum' | 'REST' | 'Consensus';

export interface Parameter {
  readonly name: string;
  readonly isRequired: boolean;
  /** Short name of its type. */
  readonly type: string;
  readonly place: 'position' | 'path' | 'query' | 'header';
}

export interface Method {
  /** Unique among all faces: `eth_call`, `GET /cosmos/...`, `consensus block`. */
  readonly id: string;
  readonly face: FaceOfMethod;
  readonly group: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Path of a REST route, else the method name. */
  readonly target: string;
  /** The gRPC method of a REST route, such as `cosmos.bank.v1beta1.Query/Balance`; undefined for other faces. */
  readonly rpc?: string;
  /** False for routes other than GET, which the application does not call. */
  readonly canTry: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
}

interface OpenRpc {
  readonly methods: readonly {
    readonly name: string;
    readonly summary?: string;
    readonly params: readonly { readonly name: string; readonly required?: boolean; readonly schema: Schema }[];
  }[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
}

/** Reads the methods of all open faces; skips a face that does not answer. */
export async function readCatalogue(): Promise<readonly Method[]> {
  const [rpc, openApi, index] = await Promise.all([
    ask<OpenRpc>('rpc_discover').catch(() => undefined),
    rest<OpenApi>('/openapi.json').catch(() => undefined),
    fetch('/_page/comet/').then((answer) => (answer.ok ? answer.text() : '')),
  ]);
  return [
    ...(rpc === undefined ? [] : rpcMethods(rpc)),
    ...consensusMethods(index),
    ...(openApi === undefined ? [] : restMethods(openApi)),
  ];
}

/** Methods of an OpenRPC document, common ones first. */
export function rpcMethods({ methods }: OpenRpc): readonly Method[] {
  const ordered = methods.toSorted((a, b) => Number(b.name.startsWith('eth_')) - Number(a.name.startsWith('eth_')));
  return ordered.map(({ name, summary = '', params }) => ({
    id: name,
    face: 'Ethereum',
    group: name.split('_')[0] ?? '',
    summary,
    target: name,
    canTry: true,
    parameters: params.map((param) => ({
      name: param.name,
      isRequired: param.required === true,
      type: typeOf(param.schema),
      place: 'position',
    })),
  }));
}

/** Operations of an OpenAPI document. */
export function restMethods({ paths }: OpenApi): readonly Method[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, { summary = '', tags = [], parameters = [], operationId }]): Method => ({
      id: `${verb.toUpperCase()} ${path}`,
      face: 'REST',
      group: tags[0] ?? '',
      summary,
      target: path,
      ...(operationId !== undefined && { rpc: operationId.replace(/\.(\w+)$/, '/$1') }),
      canTry: verb === 'get',
      parameters: parameters.map((param) => ({
        name: param.name,
        isRequired: param.required === true,
        type: typeOf(param.schema),
        place: param.in === 'path' || param.in === 'header' ? param.in : 'query',
      })),
    })),
  );
}

/** Parses the methods from the index page of the consensus RPC, which has a link with parameters for each. */
export function consensusMethods(index: string): readonly Method[] {
  const found = new Map<string, Method>();
  for (const [, name = '', query = ''] of index.matchAll(/">\/\/[^/<]+\/([a-z_]+)\??([^<]*)<\/a>/g))
    found.set(name, {
      id: `consensus ${name}`,
      face: 'Consensus',
      group: 'CometBFT',
      summary: '',
      target: name,
      canTry: !/^(un)?subscribe|^broadcast/.test(name),
      parameters: query
        .split('&')
        .map((part) => part.split('=')[0] ?? '')
        .filter((part) => part !== '')
        .map((part) => ({ name: part, isRequired: false, type: 'text in quotes, or a number', place: 'query' })),
    });
  return [...found.values()];
}

function typeOf({ $ref, type, format, enum: values, anyOf, items }: Schema): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values !== undefined) return values.map(String).join(' | ');
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (type === 'array') return `list of ${items === undefined ? 'any' : typeOf(items)}`;
  return [type ?? 'any', format].filter((part) => part !== undefined).join(' ');
}

/** Methods whose id, summary or group contains all words of a text. */
export function searchMethods(methods: readonly Method[], text: string): readonly Method[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return methods.filter(({ id, summary, group }) => {
    const all = `${id} ${summary} ${group}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** Parses a typed-in value as JSON; else returns the text itself. */
function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Positional arguments: trailing empty ones are omitted, other empty ones are null. */
export function argumentsOf(texts: readonly string[]): readonly unknown[] {
  const last = texts.findLastIndex((text) => text.trim() !== '');
  return texts.slice(0, last + 1).map((text) => (text.trim() === '' ? null : valueOfText(text)));
}

/** Path and query of a request to a REST route. */
export function requestPath({ target, parameters }: Method, texts: readonly string[]): string {
  let path = target;
  const query: string[] = [];
  for (const [index, { name, place }] of parameters.entries()) {
    const text = texts[index]?.trim() ?? '';
    if (place === 'path')
      path = path.replace(
        new RegExp(`\\{${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(=[^}]*)?\\}`),
        encodeURIComponent(text),
      );
    else if (place === 'query' && text !== '') query.push(`${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  }
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}
