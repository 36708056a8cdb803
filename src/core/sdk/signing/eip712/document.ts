import { getOption, type JsonObject, type JsonValue, type Registry } from '@bufbuild/protobuf';
import { name as amino_name } from '../../../proto/amino/amino_pb.js';
import { SignMode } from '../../../proto/cosmos/tx/signing/v1beta1/signing_pb.js';
import { NoAminoForm } from '../../codec/amino-json.js';
import { aminoSignDoc } from '../sign-amino.js';
import type { SigningFacts } from '../signing-facts.js';
import type { SignedTx } from '../../module/tx.js';
import { typeNameOf } from '../../codec/any.js';

/**
 * Amino names that cosmos/evm v0.6 registers for its messages and key (`x/erc20/types/codec.go`,
 * `x/vm/types/codec.go`, `x/feemarket/types/codec.go`, `crypto/codec/amino.go`) and that differ from the protobuf
 * options. Its typed data uses these names.
 */
const REGISTERED_NAMES: Readonly<Record<string, string | undefined>> = {
  '/cosmos.evm.erc20.v1.MsgConvertCoin': 'cosmos/evm/MsgConvertCoin',
  '/cosmos.evm.erc20.v1.MsgUpdateParams': 'cosmos/evm/erc20/MsgUpdateParams',
  '/cosmos.evm.erc20.v1.MsgRegisterERC20': 'cosmos/evm/erc20/MsgRegisterERC20',
  '/cosmos.evm.erc20.v1.MsgToggleConversion': 'cosmos/evm/erc20/MsgToggleConversion',
  '/cosmos.evm.vm.v1.MsgUpdateParams': 'os/evm/MsgUpdateParams',
  '/cosmos.evm.vm.v1.MsgRegisterPreinstalls': undefined,
  '/cosmos.evm.feemarket.v1.MsgUpdateParams': 'os/feemarket/MsgUpdateParams',
  '/cosmos.evm.crypto.v1.ethsecp256k1.PubKey': 'os/PubKeyEthSecp256k1',
};

/** Names for signatures in an extension option, whose wallets use those of cosmos-sdk v0.45. */
const NAMES_OF_OPTION: typeof REGISTERED_NAMES = {
  ...REGISTERED_NAMES,
  '/cosmos.distribution.v1beta1.MsgWithdrawValidatorCommission': 'cosmos-sdk/MsgWithdrawValidatorCommission',
};

/**
 * Amino document of a transaction for typed data (cosmos/evm v0.6 `ethereum/eip712/encoding.go`). Undefined when the
 * transaction cannot be signed this way: other sign modes, no messages, messages of several signers, extension
 * options, or unordered. In direct mode the document omits the timeout and unknown fields: transactions with them are
 * accepted only if the application's rules allow it.
 */
export function typedDocument(tx: SignedTx, mode: SignMode, facts: SigningFacts): JsonObject | undefined {
  return documentBy(tx, () =>
    mode === SignMode.DIRECT ? directDocument(tx, facts, REGISTERED_NAMES) : aminoDocument(tx, facts, mode),
  );
}

/**
 * Amino document of a transaction whose signature is in its only extension option: like in direct mode, without the
 * option (ethermint v0.22 `app/ante/eip712.go`).
 */
export function documentWithoutOption(tx: SignedTx, facts: SigningFacts): JsonObject | undefined {
  const body = { ...tx.body, extensionOptions: [] };
  return documentBy(tx, () => directDocument({ ...tx, body }, facts, NAMES_OF_OPTION));
}

function documentBy(tx: SignedTx, make: () => JsonObject | undefined): JsonObject | undefined {
  if (!hasOneSigner(tx) || tx.body.unordered) return undefined;
  try {
    const document = make();
    return document && shown(document);
  } catch (error) {
    if (error instanceof NoAminoForm) return undefined;
    throw error;
  }
}

/** Typed data is made from JSON, in which bytes that are not UTF-8 become U+FFFD. */
function shown(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(shownValue) : shown(value);
}

const hasOneSigner = ({ handlers, signers }: SignedTx): boolean =>
  signers.length === 1 && handlers.every((message) => message.signers.length === 1);

function directDocument(tx: SignedTx, facts: SigningFacts, renamed: typeof REGISTERED_NAMES): JsonObject | undefined {
  const { body, authInfo } = tx;
  const [info, ...others] = authInfo.signerInfos;
  const { fee } = authInfo;
  if (info === undefined || others.length > 0 || fee === undefined || body.timeoutHeight !== 0n) return undefined;
  if (body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0) return undefined;
  if (!facts.typedData.isShown(tx)) return undefined;
  facts.typedData.requireParts(body.messages, facts.types, true);
  const { timeoutTimestamp: _, ...shownBody } = body;
  return aminoSignDoc(
    shownBody,
    { fee: { ...fee, payer: '', granter: '' } },
    { chainId: facts.chainId, accountNumber: facts.accountNumber, sequence: info.sequence },
    { names: 'amino', registry: facts.types, renamed, goTags: true },
  );
}

/** False for a message whose amino name the application does not register. */
function isRegistered(typeUrl: string, types: Registry): boolean {
  const schema = types.getMessage(typeNameOf({ typeUrl }));
  return schema !== undefined && getOption(schema, amino_name) !== '' && !Object.hasOwn(REGISTERED_NAMES, typeUrl);
}

/** Messages must be readable under the registered names; the content of their `Any` fields is not read. */
function aminoDocument(
  { body, authInfo, unknownFields }: SignedTx,
  facts: SigningFacts,
  mode: SignMode,
): JsonObject | undefined {
  if (mode !== SignMode.LEGACY_AMINO_JSON || unknownFields) return undefined;
  if (body.extensionOptions.length > 0 || body.nonCriticalExtensionOptions.length > 0) return undefined;
  if (body.messages.some(({ typeUrl }) => !isRegistered(typeUrl, facts.types))) return undefined;
  return aminoSignDoc(body, authInfo, facts, { names: 'amino', registry: facts.types });
}
