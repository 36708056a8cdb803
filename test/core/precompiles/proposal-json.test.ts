/** The JSON of a proposal for the gov precompile: refusals as evmd v0.6.0 answered them. */
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { expect, it, test } from 'vitest';
import { utf8 } from '../../../src/core/bytes/bytes.js';
import { readProposal } from '../../../src/core/precompiles/gov/proposal-json.js';
import { MsgSendSchema } from '../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { CacheStore } from '../../../src/core/state/overlay.js';
import { NO_SLASHES, world } from '../modules/evm/one-state/world.js';

const chain = world(NO_SLASHES);
const context = chain.delivering(new CacheStore(chain.state));
const read = (json: string) => readProposal(context, utf8(json));
const STRUCT = String.raw`struct { Messages []json.RawMessage "json:\"messages\""; Metadata string "json:\"metadata\""; `;
const messages = (list: string): string => `{"messages":${list},"title":"t","summary":"s"}`;

test.each([
  ['{', 'invalid proposal JSON: unexpected end of JSON input'],
  ['1', `invalid proposal JSON: json: cannot unmarshal number into Go value of type ${STRUCT}`],
  ['[1]', `invalid proposal JSON: json: cannot unmarshal array into Go value of type ${STRUCT}`],
  ['{"title":{}}', 'invalid proposal JSON: json: cannot unmarshal object into Go struct field .title of type string'],
  [
    '{"metadata":1,"title":2}',
    'invalid proposal JSON: json: cannot unmarshal number into Go struct field .metadata of type string',
  ],
  [
    '{"expedited":"true"}',
    'invalid proposal JSON: json: cannot unmarshal string into Go struct field .expedited of type bool',
  ],
  [
    '{"messages":true}',
    'invalid proposal JSON: json: cannot unmarshal bool into Go struct field .messages of type []json.RawMessage',
  ],
  ['{"Messages":[1]}', 'message 0: json: cannot unmarshal number into Go value of type map[string]*json.RawMessage'],
  [messages('["x"]'), 'message 0: json: cannot unmarshal string into Go value of type map[string]*json.RawMessage'],
  [messages('[null]'), "message 0: Any JSON doesn't have '@type'"],
  [messages('[{"@type":""}]'), 'message 0: unable to resolve type URL '],
  [messages('[{"@type":"x"}]'), 'message 0: unable to resolve type URL x'],
  [
    messages('[{"@type":"cosmos.bank.v1beta1.MsgSend"}]'),
    'message 0: unable to resolve type URL cosmos.bank.v1beta1.MsgSend',
  ],
  [
    messages('[{"@type":"/cosmos.bank.v1beta1.MsgSend"},{"@type":"/cosmos.bank.v1beta1.MsgNone"}]'),
    'message 1: unable to resolve type URL /cosmos.bank.v1beta1.MsgNone',
  ],
  [
    messages('[{"@type":"/cosmos.auth.v1beta1.BaseAccount"}]'),
    'message 0: no concrete type registered for type URL /cosmos.auth.v1beta1.BaseAccount against interface *interface { ProtoMessage(); Reset(); String() string }',
  ],
  [
    messages('[{"@type":"/cosmos.gov.v1.MsgExecLegacyContent","content":{"@type":"/cosmos.bank.v1beta1.MsgSend"}}]'),
    'message 0: no concrete type registered for type URL /cosmos.bank.v1beta1.MsgSend against interface *v1beta1.Content',
  ],
])('readProposal refuses %s', (json, problem) => {
  expect(() => read(json)).toThrow(problem);
});

it('readProposal reads null as an empty proposal, and names in any case', () => {
  expect(read('null')).toEqual({ messages: [], metadata: '', title: '', summary: '', expedited: false });
  const found = read('{"TITLE":"t","Summary":"s","expedited":null,"metadata":null,"other":[{}]}');
  expect(found).toMatchObject({ title: 't', summary: 's', expedited: false });
});

it('readProposal prefers the JSON name of a field to its proto name', () => {
  const [message] = read(
    messages('[{"@type":"/cosmos.bank.v1beta1.MsgSend","from_address":"a","fromAddress":"b","to_address":"c"}]'),
  ).messages;
  expect(message && anyUnpack(message, MsgSendSchema)).toMatchObject({ fromAddress: 'b', toAddress: 'c' });
});

it('readProposal refuses JSON that is nested too deep', () => {
  expect(() => read(`{"a":${'['.repeat(9_999)}${']'.repeat(9_999)}}`)).not.toThrow(RangeError);
  expect(() => read('['.repeat(10_001))).toThrow("invalid character '[' exceeded max depth");
});
