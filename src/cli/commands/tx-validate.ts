import { create } from '@bufbuild/protobuf';
import { EMPTY } from '../../core/bytes/bytes.js';
import { auxPayer } from '../../core/modules/auth/ante/aux-payer.js';
import { signatureDataOf } from '../../core/modules/auth/ante/multisig.js';
import { signatureFaultOf } from '../../core/modules/auth/ante/sign-modes.js';
import { SignerInfoSchema, type Tx } from '../../core/proto/cosmos/tx/v1beta1/tx_pb.js';
import { encodeAddress, parseAddress } from '../../core/sdk/codec/address.js';
import { decodeTx } from '../../core/sdk/codec/decode-tx.js';
import { SdkError } from '../../core/sdk/module/sdk-error.js';
import type { SignedTx } from '../../core/sdk/module/tx.js';
import { type AccountKey, addressOfKey } from '../../core/sdk/signing/account-key.js';
import { typedDataRules } from '../../core/sdk/signing/eip712/typed-data-rules.js';
import type { SigningFacts } from '../../core/sdk/signing/signing-facts.js';
import { printableLine } from '../../core/text/printable.js';
import { answered } from '../client/app-query.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import type { CommandContext } from '../context.js';
import { evmConfigOf } from '../client/evm-config.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import type { Flags } from '../table/flags.js';
import { NAMED_TYPES } from '../../adapters/rest/json/named-types.js';
import { nodePrefix } from '../values/names.js';
import { accountOf, chainIdOf, coinMetadataOf } from '../tx/account.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import { readTransaction } from '../tx/read.js';
import { modesOf } from '../tx/sign.js';
import { accountKeyOf } from '../tx/signatures.js';
import { signersOf, signersOfMessage } from '../tx/signers.js';
import { encodeTransaction } from '../values/tx-json.js';

/**
 * `tx validate-signatures FILE`: prints required signers and signatures in order and, unless offline, verifies each
 * signature with the sequence that the transaction names. The account's current sequence is not used: it may be
 * higher, or lower for later lines of a batch.
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
  const checks = rpc.offline ? undefined : await checksOf(context, tx, signers, prefix, flags);
  for (const [index, info] of infos.entries()) {
    const key = info.publicKey === undefined ? undefined : accountKeyOf(info.publicKey);
    const bytes = key === undefined ? undefined : addressOfKey(ports.keyCrypto, key);
    const address = bytes === undefined ? 'unknown' : encodeAddress(prefix, bytes);
    let verdict = address === signers[index] ? 'OK' : 'ERROR: signature does not match its respective signer';
    if (verdict === 'OK' && key !== undefined && checks !== undefined) {
      const { accountNumber } = await accountOf(context, address);
      if (!isValid(checks, index, key, { address, accountNumber })) verdict = 'ERROR: signature invalid';
    }
    valid &&= verdict === 'OK';
    ports.stdout(`  ${index}: ${address}\t\t\t[${verdict}]\n`);
  }
  ports.stdout('\n');
  if (!valid) throw new CommandError(EXIT.failed, 'signatures validation failed');
};

/** A transaction with the facts that all its signature checks use. */
interface Checks {
  readonly tx: SignedTx;
  readonly facts: Omit<SigningFacts, 'accountNumber' | 'sequence' | 'address' | 'publicKey'>;
}

async function checksOf(
  context: CommandContext,
  file: Tx,
  signers: readonly string[],
  bech32Prefix: string,
  flags: Flags,
): Promise<Checks> {
  const decoded = decodeTx(encodeTransaction(file));
  const tx: SignedTx = {
    ...decoded,
    handlers: decoded.body.messages.map((any) => ({ signers: signersOfMessage(any) })),
    signers: signers.map((signer) => parseAddress(bech32Prefix, signer) ?? EMPTY),
  };
  const infos = decoded.authInfo.signerInfos;
  const isTextual = infos.some(({ modeInfo }) => modesOf(modeInfo).includes('textual'));
  const metadata = isTextual ? await coinMetadataOf(context) : undefined;
  const facts: Checks['facts'] = {
    chainId: await chainIdOf(context, flags),
    bech32Prefix,
    // a chain without an EVM has no typed data
    evmChainId: (await answered(evmConfigOf(context.rpc)))?.chainId ?? 0n,
    typedData: typedDataRules.ordinary,
    types: NAMED_TYPES,
    auxPayer: auxPayer(tx, NAMED_TYPES, bech32Prefix),
    coinMetadata: (denom) => metadata?.get(denom),
  };
  return { tx, facts };
}

/** Verifies a signature as the chain does, with the sequence that the transaction names. */
function isValid(
  { tx, facts }: Checks,
  index: number,
  key: AccountKey,
  account: Pick<SigningFacts, 'address' | 'accountNumber'>,
): boolean {
  const { publicKey, modeInfo, sequence } = tx.authInfo.signerInfos[index] ?? create(SignerInfoSchema);
  if (publicKey === undefined || modeInfo === undefined) return false;
  try {
    const data = signatureDataOf(modeInfo, tx.signatures[index] ?? EMPTY);
    return signatureFaultOf(PURE_CRYPTO, tx, key, data, { ...facts, ...account, publicKey, sequence }) === undefined;
  } catch (error) {
    if (error instanceof SdkError) return false;
    throw error;
  }
}

export const commands: readonly CommandRow[] = [
  send('validate-signatures <file>', 'required signers, and whether their signatures are valid', validateSignatures, {
    output: 'text',
  }),
];
