/** Fields of a request from the arguments of its command: their order, and their forms by the descriptor. */
import type { DescMessage } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { argumentNames, readArguments } from '../../src/cli/values/argument-fields.js';
import { QueryGrantsRequestSchema } from '../../src/core/proto/cosmos/authz/v1beta1/query_pb.js';
import { QueryValidatorSlashesRequestSchema } from '../../src/core/proto/cosmos/distribution/v1beta1/query_pb.js';
import { QueryEvidenceRequestSchema } from '../../src/core/proto/cosmos/evidence/v1beta1/query_pb.js';

async function fieldsOf(schema: DescMessage, line: string, ...typed: readonly string[]) {
  const text = (index: number): string => typed[index] ?? '';
  return readArguments(schema, argumentNames(line), {
    text,
    address: async (index) => `account ${text(index)}`,
    operator: async (index) => `operator ${text(index)}`,
  });
}

test('arguments fill the fields of a request in order, as accounts, operators, numbers and texts', async () => {
  const slashes = 'distribution slashes <validator> <start-height> <end-height>';
  expect(await fieldsOf(QueryValidatorSlashesRequestSchema, slashes, 'a', '1', '2')).toEqual({
    validatorAddress: 'operator a',
    startingHeight: 1n,
    endingHeight: 2n,
  });
  const grants = 'authz grants <granter> <grantee> [msg-type-url]';
  expect(await fieldsOf(QueryGrantsRequestSchema, grants, 'a', 'b')).toEqual({
    granter: 'account a',
    grantee: 'account b',
    msgTypeUrl: '',
  });
});

test('arguments skip a deprecated field', async () => {
  expect(await fieldsOf(QueryEvidenceRequestSchema, 'evidence evidence <hash>', '00')).toEqual({ hash: '00' });
});

test('an argument that is no number is refused with its name', async () => {
  const slashes = 'distribution slashes <validator> <start-height> <end-height>';
  await expect(fieldsOf(QueryValidatorSlashesRequestSchema, slashes, 'a', '1', 'b')).rejects.toThrow(
    'end-height: "b" is not a whole number',
  );
});
