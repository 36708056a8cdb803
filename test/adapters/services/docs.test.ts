/** `docs/generated/services.md` is made from the table of services with every module; `-u` writes it again. */
import { join } from 'node:path';
import { getOption, hasOption, type DescMethod, type DescService } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { createServices, pathOf } from '../../../src/adapters/services/index.js';
import { createApplication } from '../../../src/core/app/create-application.js';
import { presets } from '../../../src/core/app/presets.js';
import { http } from '../../../src/core/proto/google/api/annotations_pb.js';
import { crypto } from '../../core/app/support.js';
import { smallNode } from '../grpc/support.js';
import { createHostTimers } from '../../../src/runtime/host/time.js';

const chain = { chainId: 'docs-1', evmChainId: 1n, bech32Prefix: 'chron', baseDenom: 'achr', minGasPrice: 0n };
const queryPaths = new Set(
  Object.values(presets).flatMap((version) => [...createApplication({ version, chain, crypto }).queryPaths]),
);
const { services, methods } = createServices({
  api: smallNode({ paths: queryPaths }),
  timers: createHostTimers(),
  facts: {
    application: { name: 'chronicled', version: '0' },
    bech32Prefix: 'chron',
    minimumGasPrice: '',
    pruning: { keepRecent: 0n, interval: 0n },
  },
});
/** Services whose methods the application implements, without other names of the same services. */
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

/** The common prefix of all routes, up to a slash. */
function baseOf(routes: readonly string[]): string {
  const [first = ''] = routes;
  const parts = first.split('/');
  for (let length = parts.length - 1; length > 0; length -= 1) {
    const base = parts.slice(0, length).join('/');
    if (routes.every((route) => route.startsWith(`${base}/`))) return base;
  }
  return '';
}

const INTRODUCTION = `# Query services of the modules

gRPC methods and REST routes of every module, made from the table of services by \`test/adapters/services/docs.test.ts\`
(\`-u\` at the end writes the page again). A chain serves those of its modules. The pages [grpc.md](../interfaces/grpc.md)
and [rest.md](../interfaces/rest.md) describe everything else.
`;

test('docs/generated/services.md lists the services of every module', async () => {
  const methodRows = ofModules.map(
    (service) =>
      `| \`${service.typeName}\` | ${served(service)
        .map(({ name }) => name)
        .join(', ')} |`,
  );
  const routeRows = ofModules.map((service) => {
    const routes = served(service).flatMap(routeOf);
    const base = baseOf(routes);
    return `| \`${base}\` | ${routes.map((route) => `\`${route.slice(base.length + 1)}\``).join(' ')} |`;
  });
  const page = [
    INTRODUCTION,
    '## gRPC methods\n\n| service | methods |\n|---|---|',
    ...methodRows,
    '\n## REST routes\n\n| path below | routes |\n|---|---|',
    ...routeRows,
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../../docs/generated/services.md'));
});
