import { base64 } from '@scure/base';
import { fromBinary } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { signBytesOf } from '../../src/core/keys/tx-signing.js';
import { KNOWN_TYPES } from '../../src/core/sdk/codec/known-types.js';
import { TxSchema } from '../../src/core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { hasGolden } from '../support/golden.js';
import { txVectors } from '../support/tx-vectors.js';

type Modes = { readonly amino?: { readonly sign_bytes_text: readonly string[]; readonly raw: string } };

describe.skipIf(!hasGolden)('amino sign bytes equal those that the Go node signed', () => {
  const all = txVectors<Modes>();
  const ours = all.filter(
    ({ unsigned, modes }) =>
      modes.amino !== undefined &&
      unsigned.body.messages.every((message) => KNOWN_TYPES.getMessage(message['@type'].slice(1)) !== undefined),
  );
  test.skip(`${all.length - ours.length} of ${all.length} vectors (reason: their modules do not exist yet)`);
  test('the recording has more than 30 vectors', () => expect(ours.length).toBeGreaterThan(30));

  test.each(ours)('$name', ({ chain_id: chainId, account_number: accountNumber, sequence, modes }) => {
    const tx = fromBinary(TxSchema, base64.decode(modes.amino?.raw ?? ''));
    const bytes = signBytesOf(tx, 'amino-json', {
      chainId,
      accountNumber: BigInt(accountNumber),
      sequence: BigInt(sequence),
    });
    expect(new TextDecoder().decode(bytes)).toBe(modes.amino?.sign_bytes_text[0]);
  });
});
