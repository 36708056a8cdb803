/** Values that a parameter of a method takes, as a person types them: hints of empty fields. */
const EXAMPLES: Readonly<Record<string, string>> = {
  Address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  Block: 'latest, or a height such as 12',
  BlockNumberOrTag: 'latest, or a height such as 12',
  Moment: 'a height such as 12',
  Data: '0x1234',
  Slot: '0x0',
  Transaction: '{"to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "data": "0x"}',
  SentTransaction: '{"from": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "to": "0x…", "value": "0x1"}',
  Filter: '{"fromBlock": "0x1", "address": "0x…"}',
  StateOverrides: '{"0x…": {"balance": "0x1"}}',
  BlockOverrides: '{"number": "0x10"}',
  TraceOptions: '{"tracer": "callTracer"}',
  boolean: 'true or false',
};

/** A hint for a parameter of this type; of several types the first that has one; undefined where none has. */
export function exampleOf(type: string): string | undefined {
  return type
    .split(' | ')
    .map((one) => (Object.hasOwn(EXAMPLES, one) ? EXAMPLES[one] : /^Quantity/.test(one) ? '0x1' : undefined))
    .find((one) => one !== undefined);
}
