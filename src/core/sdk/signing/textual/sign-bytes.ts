import type { Registry } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { type Any, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, equal } from '../../../bytes/bytes.js';
import { be64 } from '../../../bytes/big-endian.js';
import { hex } from '../../../bytes/hex.js';
import { CoinSchema } from '../../../proto/cosmos/base/v1beta1/coin_pb.js';
import { type AuthInfo, SignerInfoSchema, type TxBody } from '../../../proto/cosmos/tx/v1beta1/tx_pb.js';
import type { CoinMetadata } from './coins.js';
import { integerText, NoTextualForm } from './numbers.js';
import { encodeScreens, screen, type Screen, titled } from './screen.js';
import { sentence, ValueScreens } from './values.js';

/** Transaction parts to show, with the bytes that the hash covers. */
export interface TextualTx {
  readonly body: TxBody;
  readonly authInfo: AuthInfo;
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
}

/** Signer and chain. */
export interface TextualSigner {
  readonly chainId: string;
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly address: string;
  readonly publicKey: Any;
  /** Types that an `Any` may contain. */
  readonly types: Registry;
  readonly coinMetadata: CoinMetadata;
}

/** Sign bytes of SIGN_MODE_TEXTUAL: the encoded screens. Throws NoTextualForm. */
export function textualSignBytes(tx: TextualTx, signer: TextualSigner): Uint8Array {
  return encodeScreens(transactionScreens(tx, signer));
}

/**
 * Screens of a transaction (cosmos-sdk v0.53 `x/tx/signing/textual/tx.go`, fields of `Envelope` in
 * `internal/textualpb/textual.proto`). Throws NoTextualForm.
 */
export function transactionScreens(tx: TextualTx, signer: TextualSigner): readonly Screen[] {
  const { body, authInfo } = tx;
  const { fee } = authInfo;
  if (fee === undefined) throw new NoTextualForm('no fee');
  const values = new ValueScreens(signer.types, signer.coinMetadata);
  const any = ({ typeUrl, value }: Any): readonly Screen[] => values.any(typeUrl, value);
  const anys = (name: string, list: readonly Any[]): readonly Screen[] =>
    list.length === 0 ? [] : values.list(name, 'Any', list.map(any));
  const others = authInfo.signerInfos.filter(
    ({ publicKey }) => publicKey === undefined || !equal(publicKey.value, signer.publicKey.value),
  );
  return [
    ...textField('chain_id', signer.chainId),
    ...integerField('account_number', signer.accountNumber),
    ...integerField('sequence', signer.sequence),
    ...expert(textField('address', signer.address)),
    ...expert(titled('Public key', any(signer.publicKey), 0)),
    ...countMessages(anys('message', body.messages), body.messages.length),
    ...textField('memo', body.memo),
    ...(fee.amount.length === 0
      ? []
      : titled('Fees', values.coins(fee.amount.map((coin) => reflect(CoinSchema, coin))), 0)),
    ...expert(textField('fee_payer', fee.payer)),
    ...expert(textField('fee_granter', fee.granter)),
    ...expert(integerField('gas_limit', fee.gasLimit)),
    ...expert(integerField('timeout_height', body.timeoutHeight)),
    ...expert(
      others.length === 0
        ? []
        : values.list(
            'other_signer',
            SignerInfoSchema.name,
            others.map((info) => values.message(reflect(SignerInfoSchema, info))),
          ),
    ),
    ...expert(anys('extension_options', body.extensionOptions)),
    ...expert(anys('non_critical_extension_options', body.nonCriticalExtensionOptions)),
    ...expert(textField('hash_of_raw_bytes', hashOf(tx))),
    ...expert(body.unordered ? textField('unordered', 'True') : []),
    ...expert(
      body.timeoutTimestamp === undefined
        ? []
        : titled('Timeout timestamp', values.message(reflect(TimestampSchema, body.timeoutTimestamp)), 0),
    ),
  ];
}

/** Replaces `Message: 2 Any` by `This transaction has 2 Messages`. */
function countMessages([first, ...screens]: readonly Screen[], count: number): readonly Screen[] {
  if (first === undefined) return [];
  return [screen(`This transaction has ${count} Message${count === 1 ? '' : 's'}`), ...screens];
}

const textField = (name: string, text: string): readonly Screen[] =>
  text === '' ? [] : titled(sentence(name), [screen(text)], 0);

const integerField = (name: string, value: bigint): readonly Screen[] =>
  value === 0n ? [] : textField(name, integerText(value.toString()));

const expert = (screens: readonly Screen[]): readonly Screen[] => screens.map((one) => ({ ...one, expert: true }));

/** Hash over body and auth info, each prefixed with its length in eight bytes. */
function hashOf({ bodyBytes, authInfoBytes }: TextualTx): string {
  return hex(
    sha256(concat(be64(BigInt(bodyBytes.length)), bodyBytes, be64(BigInt(authInfoBytes.length)), authInfoBytes)),
  );
}
