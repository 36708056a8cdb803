/** The dev mode command that expires a client: it takes effect at once, and changes nothing else. */
import { describe, expect, test } from 'vitest';
import { expireClientTx } from '../../../../../src/core/modules/dev/expire-client.js';
import { clientStatus } from '../../../../../src/core/modules/ibc/client/clients.js';
import { MsgExpireClientSchema } from '../../../../../src/core/proto/chronicle/dev/v1/tx_pb.js';
import { chronicle } from '../../../../../src/core/app/presets.js';
import { encode } from '../../../../support/encode.js';
import { DevChain } from '../../../app/dev-chain.js';
import { later } from '../../../app/later-chain.js';
import { IbcChain } from './chain.js';
import { createClient, headerOf, updateClient } from './relay.js';

const FAILED = 'failed to execute message; message index: 0: ';
const ID = '07-tendermint-0';
const text = ({ codespace = '', code = 0, log = '' }) => `${codespace} ${code}: ${log}`;

function chains({ enabled = true, offset = 0n } = {}) {
  const options = { version: later, prefix: 'chron', denom: 'achr', sections: { dev: { enabled } } };
  const [here, there] = [new IbcChain('alpha-1', options), new IbcChain('beta-4', { offset })];
  there.block();
  here.block();
  const created = here.send([createClient(here, there, { maxClockDrift: { seconds: 10_000n } })]);
  expect(created.log).toBe('');
  const expire = (sequence: bigint, clientId = ID) => {
    const [result] = here.block([expireClientTx({ sequence, clientId })]);
    return text(result ?? {});
  };
  return { here, there, expire };
}

describe('the command that expires a client', () => {
  test('makes the client refuse further headers and a second command', () => {
    const { here, there, expire } = chains();
    there.block();
    here.block();
    expect(clientStatus(here.context(), ID)).toBe('Active');
    expect(expire(0n)).toBe(' 0: ');
    expect(clientStatus(here.context(), ID)).toBe('Expired');
    expect(text(here.send([updateClient(here, ID, headerOf(there, 1n))]))).toBe(
      `client 29: ${FAILED}cannot update client (${ID}) with status Expired: client state is not active`,
    );
    expect(expire(1n)).toBe(`client 29: ${FAILED}client (${ID}) status is Expired: client state is not active`);
    expect(expire(2n, '07-tendermint-7')).toBe(`client 4: ${FAILED}07-tendermint-7: light client not found`);
  });

  test('takes effect in the next block, even if the other chain is an hour ahead', () => {
    const { here, expire } = chains({ offset: 3_600_000_000_000n });
    expect(expire(0n)).toBe(' 0: ');
    expect(clientStatus(here.context(), ID)).toBe('Expired');
  });

  test('is refused where dev commands are not enabled', () => {
    const { here, expire } = chains({ enabled: false });
    const refused = 'development transactions are not enabled';
    expect(expire(0n)).toContain(refused);
    // the same when a message of another module executes it
    const context = here.context();
    const handler = context.router.find('/chronicle.dev.v1.MsgExpireClient');
    expect(() => handler.handle(context, encode(MsgExpireClientSchema, { clientId: ID }))).toThrow(refused);
  });
});

test('a chain without IBC does not know the command that expires a client', () => {
  const result = new DevChain({ version: chronicle }).block(expireClientTx({ sequence: 0n, clientId: ID }));
  expect(result).toMatchObject({
    kind: 'executed',
    results: { txResults: [{ code: 2, log: expect.stringContaining('/chronicle.dev.v1.MsgExpireClient') }] },
  });
});
