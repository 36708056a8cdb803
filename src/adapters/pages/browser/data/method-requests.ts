/** Code snippets that call a method with other clients. */
import { argumentsOf, type Method, requestPath } from './catalogue.js';

/** A request as text for another client. */
export interface Snippet {
  readonly client: string;
  readonly text: string;
}

/** Face addresses for a client on the user's machine; empty if closed. */
export interface Addresses {
  readonly ethereum: string;
  readonly consensus: string;
  readonly rest: string;
  /** Address of the gRPC server, such as `127.0.0.1:9090`. */
  readonly grpc: string;
}

/** Snippets for the method's face; `texts`: its arguments as typed. */
export function requestsOf(method: Method, texts: readonly string[], at: Addresses): readonly Snippet[] {
  switch (method.face) {
    case 'Ethereum':
      return ethereumRequests(method, argumentsOf(texts), at.ethereum);
    case 'Consensus':
      return consensusRequests(method, texts, at.consensus);
    case 'REST':
      return serviceRequests(method, texts, at);
  }
}

function ethereumRequests({ target }: Method, params: readonly unknown[], url: string): readonly Snippet[] {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: target, params });
  const words = [target, ...params.map((one) => quoted(JSON.stringify(one)))];
  return [
    { client: 'curl', text: `curl -s ${url} -H 'content-type: application/json' -d ${quoted(body)}` },
    { client: 'cast', text: `cast rpc ${words.join(' ')} --rpc-url ${url}` },
    {
      client: 'viem',
      text: `import { createPublicClient, http } from 'viem';
const client = createPublicClient({ transport: http('${url}') });
await client.request({ method: '${target}', params: ${JSON.stringify(params)} });`,
    },
  ];
}

function consensusRequests(method: Method, texts: readonly string[], url: string): readonly Snippet[] {
  const params = Object.fromEntries(given(method, texts).map(([name, text]) => [name, jsonOfUri(text)]));
  return [
    { client: 'curl', text: `curl -s ${quoted(`${url}/${requestPath(method, texts)}`)}` },
    {
      client: 'cosmjs',
      text: `import { HttpClient } from '@cosmjs/tendermint-rpc';
const client = new HttpClient('${url}');
await client.execute({ jsonrpc: '2.0', id: 1, method: '${method.target}', params: ${JSON.stringify(params)} });`,
    },
  ];
}

/** Converts a URI argument to CometBFT's JSON form, in which numbers are strings. */
function jsonOfUri(text: string): string | boolean {
  return text === 'true' || text === 'false' ? text === 'true' : text.replace(/^"(.*)"$/, '$1');
}

function serviceRequests(method: Method, texts: readonly string[], { rest, grpc }: Addresses): readonly Snippet[] {
  const request = (name: string): string => name.replace(/^pagination\./, '');
  const fields = given(method, texts);
  const pages = fields.filter(([name]) => name.startsWith('pagination.'));
  const plain = fields.filter(([name, , place]) => place !== 'header' && !name.startsWith('pagination.'));
  const message = {
    ...Object.fromEntries(plain.map(([name, text]) => [name, text])),
    ...(pages.length > 0 && { pagination: Object.fromEntries(pages.map(([name, text]) => [request(name), text])) }),
  };
  const height = fields.find(([, , place]) => place === 'header');
  const header = height === undefined ? '' : ` -H ${quoted(`${height[0]}: ${height[1]}`)}`;
  const verb = method.canTry ? '' : ` -X ${method.id.split(' ')[0] ?? ''}`;
  return [
    { client: 'curl', text: `curl -s${verb}${header} ${quoted(rest + requestPath(method, texts))}` },
    ...(grpc === '' || method.rpc === undefined
      ? []
      : [
          {
            client: 'gRPC',
            text: `grpcurl -plaintext${header} -d ${quoted(JSON.stringify(message))} ${grpc} ${method.rpc}`,
          },
        ]),
  ];
}

/** Parameters with a value: name, text, place. */
function given({ parameters }: Method, texts: readonly string[]) {
  return parameters
    .map(({ name, place }, index) => [name, texts[index]?.trim() ?? '', place] as const)
    .filter(([, text]) => text !== '');
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
