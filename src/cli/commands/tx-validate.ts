import { printableLine } from '../../core/text/printable.js';
import { fromBinary } from '@bufbuild/protobuf';
import { encodeAddress } from '../../core/sdk/codec/address.js';
import { addressOfKey } from '../../core/sdk/signing/account-key.js';
import { isSignatureOf, type SigningAccount, type SigningContext } from '../../core/keys/tx-signing.js';
import { MultiSignatureSchema } from '../../core/proto/cosmos/crypto/multisig/v1beta1/multisig_pb.js';
import type { SignerInfo, Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CommandBody, CommandRow } from '../command-table.js';
import { command } from '../command-rows.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { nodePrefix } from '../names.js';
import { accountOf, chainIdOf, coinMetadataOf } from '../tx/account.js';
import { readTransaction } from '../tx/read.js';
import { bytesToSign, modesOf } from '../tx/sign.js';
import { accountKeyOf } from '../tx/signatures.js';
import { signersOf } from '../tx/signers.js';

/**
 * `tx validate-signatures FILE`: the required signers and the given signatures in order and, unless offline, whether
 * each signature is valid for its account at the sequence that it names: the account may have moved on, and the lines
 * of a batch follow each other.
 */
const validateSignatures: CommandBody = async (context, [file = ''], flags) => {
  const { ports, rpc } = context;
  const tx = await readTransaction(context, file);
  const prefix = await nodePrefix(context);
  const signers = signersOf(tx);
  const infos = tx.authInfo?.signerInfos ?? [];
  let valid = infos.length === signers.length && tx.signatures.length === signers.length;
  ports.stdout(
    `Signers:\n${signers.map((signer, index) => `  ${index}: ${printableLine(signer)}\n`).join('')}\nSignatures:\n`,
  );
  for (const [index, info] of infos.entries()) {
    const key = info.publicKey === undefined ? undefined : accountKeyOf(info.publicKey);
    const bytes = key === undefined ? undefined : addressOfKey(ports.keyCrypto, key);
    const address = bytes === undefined ? 'unknown' : encodeAddress(prefix, bytes);
    let verdict = address === signers[index] ? 'OK' : 'ERROR: signature does not match its respective signer';
    if (verdict === 'OK' && key !== undefined && !rpc.offline) {
      const { accountNumber } = await accountOf(context, address);
      const isTextual = modesOf(info.modeInfo).includes('textual');
      const shown = isTextual ? { coinMetadata: await coinMetadataOf(context) } : {};
      const at = { chainId: await chainIdOf(context, flags), accountNumber, sequence: info.sequence, ...shown };
      const signature = tx.signatures[index] ?? new Uint8Array(0);
      if (!isValid(tx, { address, key }, info, signature, at)) verdict = 'ERROR: signature invalid';
    }
    valid &&= verdict === 'OK';
    ports.stdout(`  ${index}: ${address}\t\t\t[${verdict}]\n`);
  }
  ports.stdout('\n');
  if (!valid) throw new CommandError(EXIT.other, 'signatures validation failed');
};

function isValid(
  tx: Tx,
  account: SigningAccount,
  info: SignerInfo,
  signature: Uint8Array,
  at: SigningContext,
): boolean {
  const { key } = account;
  if (key.kind !== 'multisig')
    return isSignatureOf(key, bytesToSign(tx, modesOf(info.modeInfo)[0] ?? 'direct', at, account), signature);
  if (info.modeInfo?.sum.case !== 'multi') return false;
  const { bitarray, modeInfos } = info.modeInfo.sum.value;
  const signed = key.keys.filter((_, index) => (((bitarray?.elems[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1);
  const parts = partsOf(signature);
  if (signed.length < key.threshold || signed.length !== parts.length) return false;
  return signed.every((member, index) =>
    isSignatureOf(
      member,
      bytesToSign(tx, modesOf(modeInfos[index])[0] ?? 'direct', at, account),
      parts[index] ?? new Uint8Array(0),
    ),
  );
}

function partsOf(signature: Uint8Array): readonly Uint8Array[] {
  try {
    return fromBinary(MultiSignatureSchema, signature).signatures;
  } catch {
    return [];
  }
}

export const commands: readonly CommandRow[] = [
  command(
    'tx validate-signatures <file>',
    'required signers, and whether their signatures are valid',
    ['tx', 'output', 'node', 'keyring'],
    validateSignatures,
  ),
];
