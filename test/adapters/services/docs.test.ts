/** The tables of services and routes in docs/interfaces are those of the table of services with every module. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getOption, hasOption, type DescMethod, type DescService } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { createServices, pathOf } from '../../../src/adapters/services/index.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { presets } from '../../../src/core/app/presets.js';
import { http } from '../../../src/core/proto/google/api/annotations_pb.js';
import { crypto } from '../../core/app/support.js';
import { smallNode } from '../grpc/support.js';

const chain = { chainId: 'docs-1', evmChainId: 1n, bech32Prefix: 'chron', baseDenom: 'achr', minGasPrice: 0n };
const queryPaths = new Set(
  Object.values(presets).flatMap((version) => [...createApplication({ version, chain, crypto }).queryPaths]),
);
const { services, methods } = createServices({
  api: smallNode({ paths: queryPaths }),
  facts: { application: { name: 'chronicled', version: '0' }, bech32Prefix: 'chron', minimumGasPrice: '' },
});
/** Services whose methods the application implements, without other names of the same ones. */
const ofModules = services
  .filter(({ typeName }) => !/^(ethermint|sdk)\./.test(typeName))
  .filter((service) => served(service).some((method) => queryPaths.has(pathOf(method))))
  .toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1));

function served(service: DescService): readonly DescMethod[] {
  return service.methods.filter((method) => methods.has(pathOf(method)));
}

function routeOf(method: DescMethod): readonly string[] {
  if (!hasOption(method, http)) return [];
  const { pattern } = getOption(method, http);
  return pattern.case === 'get' || pattern.case === 'post' ? [pattern.value] : [];
}

/** The part that all routes have, up to a slash. */
function baseOf(routes: readonly string[]): string {
  const [first = ''] = routes;
  const parts = first.split('/');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const base = parts.slice(0, length).join('/');
    if (routes.every((route) => route.startsWith(`${base}/`))) return base;
  }
  return '';
}

const read = (file: string): string =>
  readFileSync(join(import.meta.dirname, '../../../docs/interfaces', file), 'utf8');

/** The lines of a table below its head. */
function rowsBelow(document: string, head: string): readonly string[] {
  const lines = document.split('\n');
  const start = lines.indexOf(head) + 2;
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('|'));
  return start === 1 ? [] : lines.slice(start, end < 0 ? undefined : end);
}

test('docs/interfaces/grpc.md lists the queries of every module', () => {
  expect(rowsBelow(read('grpc.md'), '| service of a module | methods |')).toEqual(
    ofModules.map(
      (service) =>
        `| \`${service.typeName}\` | ${served(service)
          .map(({ name }) => name)
          .join(', ')} |`,
    ),
  );
});

test('docs/interfaces/rest.md lists the routes of every module', () => {
  expect(rowsBelow(read('rest.md'), '| below | routes |')).toEqual(
    ofModules.map((service) => {
      const routes = served(service).flatMap(routeOf);
      const base = baseOf(routes);
      return `| \`${base}\` | ${routes.map((route) => `\`${route.slice(base.length + 1)}\``).join(' ')} |`;
    }),
  );
});
