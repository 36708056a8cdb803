/** Prices by which the mempool orders transactions: in wei, even if the coin has fewer decimals in bank. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { chainOfGenesis, readGenesis } from '../../../../src/core/app/chain-of-genesis.js';
import { createApplication } from '../../../../src/core/app/create-application.js';
import { evmd } from '../../../../src/core/app/presets.js';
import { openRecordedChain } from '../../../../src/cli/compare/recorded-chain.js';
import { account, chain as devChain } from '../../app/dev-chain.js';
import { crypto } from '../../app/support.js';
import { any } from '../../app/properties/people.js';
import { MsgSendSchema } from '../../../../src/core/proto/cosmos/bank/v1beta1/tx_pb.js';
import { signTx } from '../../../support/sign-tx.js';

test.each([
  ['aoak', 1n],
  ['uoak', 10n ** 12n],
])('a fee of 5 %s per gas has a fee cap of 5 times %s wei', (denom, unit) => {
  const folder = fileURLToPath(new URL(`../../../fixtures/chains/${denom}`, import.meta.url));
  const document = readGenesis(openRecordedChain(folder).genesis);
  const options = { document, version: evmd, evmChainId: 4321n, minGasPrice: 0n, crypto };
  const { chain } = chainOfGenesis(options);
  const { address: fromAddress, secret } = account(0);
  const message = any(MsgSendSchema, { fromAddress, toAddress: fromAddress, amount: [{ denom, amount: '1' }] });
  const fee = { amount: [{ denom, amount: 500_000n }], gasLimit: 100_000n };
  const signed = { messages: [message], memo: '', fee, chainId: chain.chainId, accountNumber: 0n, sequence: 0n };
  const application = createApplication({
    version: evmd,
    chain: { ...chain, bech32Prefix: devChain.bech32Prefix },
    crypto,
  });
  expect(application.describe(signTx(signed, secret))).toMatchObject({ feeCap: 5n * unit, tipCap: 5n * unit });
});
