/** Messages of crisis (cosmos-sdk v0.53 `x/crisis/keeper/msg_server.go`). */
import { create } from '@bufbuild/protobuf';
import { CoinSchema } from '../../proto/cosmos/base/v1beta1/coin_pb.js';
import * as pb from '../../proto/cosmos/crisis/v1beta1/tx_pb.js';
import { emit } from '../../sdk/module/abci-event.js';
import { requireAddress } from '../../sdk/codec/address.js';
import { branch } from '../../sdk/module/branch.js';
import { message } from '../../sdk/module/module.js';
import { presentModules } from '../../sdk/module/app-version.js';
import { RecoveredPanic, type RegisteredError, SdkError, sdkErrors } from '../../sdk/module/sdk-error.js';
import { versionOf } from '../../sdk/module/message-router.js';
import { FEE_COLLECTOR } from '../auth/accounts.js';
import { requireGovernance } from '../authority.js';
import { sendToModule } from '../bank/module-accounts.js';
import { getConstantFee, isValidFee, setConstantFee } from './constant-fee.js';

/** Errors of crisis (cosmos-sdk v0.53 `x/crisis/types/errors.go`). */
const crisisErrors = {
  unknownInvariant: { codespace: 'crisis', code: 3, text: 'unknown invariant' },
} as const satisfies Record<string, RegisteredError>;

/** Checks one invariant for a fee. The transaction's gas limit bounds the work; a broken invariant panics. */
const verifyInvariant = message(
  pb.Msg,
  'verifyInvariant',
  (context, { sender, invariantModuleName: module, invariantRoute: route }) => {
    if (sender === '') throw new SdkError(sdkErrors.invalidAddress, 'empty address string is not allowed');
    const from = requireAddress(context.chain.bech32Prefix, sender, 'invalid sender address');
    const fee = getConstantFee(context);
    sendToModule(context, from, FEE_COLLECTOR, BigInt(fee.amount) === 0n ? [] : [fee]);
    const found = presentModules(versionOf(context))
      .flatMap(({ invariants = [] }) => invariants)
      .find(({ name }) => name === `${module}/${route}`);
    if (found === undefined) throw new SdkError(crisisErrors.unknownInvariant);
    const broken = found.check(branch(context).context);
    if (broken !== undefined) throw new RecoveredPanic(`${found.name}: ${broken}`);
    emit(context, 'invariant', () => [['route', route]]);
  },
);

const updateParams = message(pb.Msg, 'updateParams', (context, { authority, constantFee = create(CoinSchema) }) => {
  requireGovernance(context, authority);
  if (!isValidFee(constantFee)) throw new SdkError(sdkErrors.invalidCoins, 'invalid constant fee');
  setConstantFee(context, constantFee);
});

export const messages = [verifyInvariant, updateParams];
