import { describe, expect, it } from 'vitest';
import { decodeTx } from '../../../../src/core/sdk/codec/decode-tx.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { parsePublicKey, verifySignature } from '../../../../src/core/sdk/signing/public-key.js';
import { directSignBytes } from '../../../../src/core/sdk/signing/sign-doc.js';
import { hasGolden } from '../../../support/golden.js';
import { crypto, fromBase64, toHex } from '../../app/support.js';
import { txVectors } from '../../../support/tx-vectors.js';

type Modes = {
  readonly direct?: { readonly sign_bytes_hex: readonly string[]; readonly raw: string; readonly hash: string };
};

describe.skipIf(!hasGolden)('recorded transaction vectors, mode direct', () => {
  const vectors = txVectors<Modes>().filter(({ modes }) => modes.direct?.sign_bytes_hex.length === 1);

  it.each(vectors)('$name has the recorded sign bytes, hash and signature', ({ chain_id, account_number, modes }) => {
    const direct = modes.direct;
    if (direct === undefined) throw new Error('no direct mode');
    const raw = fromBase64(direct.raw);
    const tx = decodeTx(raw);
    const signBytes = directSignBytes(tx.bodyBytes, tx.authInfoBytes, chain_id, BigInt(account_number));
    expect(toHex(signBytes)).toBe(direct.sign_bytes_hex[0]);
    expect(toHex(crypto.sha256(raw)).toUpperCase()).toBe(direct.hash);
    const any = tx.authInfo.signerInfos[0]?.publicKey;
    const key = any === undefined ? undefined : parsePublicKey(evmd, any);
    const signature = tx.signatures[0];
    if (key === undefined || key.kind === 'multisig' || signature === undefined) throw new Error('no key');
    expect(verifySignature(crypto, key, signBytes, signature)).toBe(true);
    const changed = signature.slice();
    changed[5] = (changed[5] ?? 0) ^ 1;
    expect(verifySignature(crypto, key, signBytes, changed)).toBe(false);
  });
});
