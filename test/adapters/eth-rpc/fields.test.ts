import { describe, expect, it } from 'vitest';
import { fieldsOf, address, quantity } from '../../../src/adapters/eth-rpc/params/fields.js';
import { transactionArguments } from '../../../src/adapters/eth-rpc/params/call-arguments.js';

const ACCOUNT = `0x${'ab'.repeat(20)}`;

describe('fields of a request object', () => {
  it('are decoded in the order of the table, whatever members the request has and in which order', () => {
    const members = [
      {},
      { to: ACCOUNT },
      { data: '0x', to: ACCOUNT, from: ACCOUNT },
      { authorizationList: [], value: '0x1', unknown: 1 },
    ].map((request) => {
      const decoded = transactionArguments.decode(request);
      expect(decoded.ok).toBe(true);
      return decoded.ok ? Object.keys(decoded.value) : [];
    });
    expect(new Set(members.map((names) => names.join())).size).toBe(1);
    expect(members[0]).toContain('maxFeePerBlobGas');
  });

  it('report the first invalid field of the table as the error', () => {
    const fields = fieldsOf('Sent', { to: address, value: quantity });
    expect(fields.read({ value: 'x', to: 1 })).toEqual({
      ok: false,
      message: 'json: cannot unmarshal non-string into Go struct field Sent.to of type common.Address',
    });
    expect(fields.read({ value: null })).toEqual({ ok: true, value: { to: undefined, value: undefined } });
    expect(Object.keys(fields.schemas)).toEqual(['to', 'value']);
  });
});
