/** Routes that query the application (CometBFT v0.38 `rpc/core/abci.go`). */
import { toBase64, toBase64OrNull } from '../../../core/bytes/base64.js';
import { failed, result } from '../answers.js';
import { type Method, method } from '../method.js';
import { bool, hexBytes, int64, string } from '../params.js';

/**
 * True for gRPC paths. An empty response value is the empty string for them, and null for store queries
 * (`test/adapters/comet-rpc/recorded.test.ts`).
 */
function isServicePath(path: string): boolean {
  return /^\/[A-Za-z_]\w*\.[\w.]*\/\w+$/.test(path);
}

export const abciMethods: readonly Method[] = [
  method('abci_info', {}, 'never', (_values, { api, application }) => {
    const { appVersion } = api.queries.status();
    const head = api.queries.chain.head();
    return result({
      response: {
        ...(application.name !== '' && { data: application.name }),
        ...(application.version !== '' && { version: application.version }),
        ...(appVersion !== 0n && { app_version: String(appVersion) }),
        ...(head.height > 0n && {
          last_block_height: String(head.height),
          last_block_app_hash: toBase64(head.appHash),
        }),
      },
    });
  }),
  method(
    'abci_query',
    { path: string, data: hexBytes, height: int64, prove: bool },
    'never',
    async ({ path, data, height = 0n, prove }, { api }) => {
      const queried = await api.queries.abciQuery({ path, data, height, prove });
      if (!queried.ok) return failed(queried.error);
      const { value } = queried;
      return result({
        response: {
          code: value.code,
          log: value.log,
          info: value.info,
          index: String(value.index),
          key: toBase64OrNull(value.key),
          value: value.code === 0 && isServicePath(path) ? toBase64(value.value) : toBase64OrNull(value.value),
          proofOps:
            value.proofOps === undefined
              ? null
              : {
                  ops: value.proofOps.map((op) => ({
                    type: op.type,
                    key: toBase64OrNull(op.key),
                    data: toBase64OrNull(op.data),
                  })),
                },
          height: String(value.height),
          codespace: value.codespace,
        },
      });
    },
  ),
];
