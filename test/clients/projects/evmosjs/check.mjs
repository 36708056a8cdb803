/** evmosjs of 2022 and a wallet's signer against a node's REST: typed data whose signature is in an option. */
import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import eip712 from '@metamask/eth-sig-util';
import provider from '@tharsis/provider';
import evmos from '@tharsis/transactions';

const [, , rest] = process.argv;
const secret = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
const curve = createECDH('secp256k1');
curve.setPrivateKey(secret);

async function ask(path, body) {
  const options = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } };
  return (await fetch(`${rest}${path}`, options)).json();
}

const own = await ask('/ethermint/evm/v1/cosmos_account/0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
const { validators } = await ask(provider.generateEndpointGetValidators());
const [{ operator_address: validatorAddress }] = validators;
const accountAddress = own.cosmos_address;

/** Makes, signs and sends a transaction; answers what the node says of it. */
async function send(create, params, chainId = 271828) {
  const { account } = await ask(provider.generateEndpointAccount(accountAddress));
  const chain = { chainId, cosmosChainId: 'chronicle_271828-1' };
  const sender = {
    accountAddress,
    accountNumber: Number(account.account_number),
    sequence: Number(account.sequence),
    pubkey: curve.getPublicKey('base64', 'compressed'),
  };
  const fee = { amount: '600000000000000', denom: 'achr', gas: '300000' };
  const { eipToSign, legacyAmino } = create(chain, sender, fee, 'a memo', params);
  const signature = eip712.signTypedData({ privateKey: secret, data: eipToSign, version: 'V4' });
  const extension = evmos.signatureToWeb3Extension(chain, sender, signature);
  const raw = evmos.createTxRawEIP712(legacyAmino.body, legacyAmino.authInfo, extension);
  const body = provider.generatePostBodyBroadcast(raw);
  const { tx_response: checked } = await ask(provider.generateEndpointBroadcast(), body);
  return checked.code === 0 ? executed(checked.txhash) : checked;
}

/** The result of a transaction in its block. */
async function executed(hash) {
  for (let tries = 0; tries < 1_000; tries++) {
    const { tx_response: result } = await ask(`/cosmos/tx/v1beta1/txs/${hash}`);
    if (result !== undefined) return result;
  }
  throw new Error(`no block holds ${hash}`);
}

const sent = await send(evmos.createMessageSend, { destinationAddress: accountAddress, amount: '5', denom: 'achr' });
assert.equal(sent.code, 0, sent.raw_log);
const bonded = await send(evmos.createTxMsgDelegate, { validatorAddress, amount: '1000', denom: 'achr' });
assert.equal(bonded.code, 0, bonded.raw_log);
const refused = await send(
  evmos.createMessageSend,
  { destinationAddress: accountAddress, amount: '5', denom: 'achr' },
  9001,
);
assert.equal(refused.code, 4);
assert.match(refused.raw_log, /invalid chain-id/);

const { tx } = await ask(`/cosmos/tx/v1beta1/txs/${bonded.txhash}`);
const [option] = tx.body.extension_options;
assert.equal(option['@type'], '/ethermint.types.v1.ExtensionOptionsWeb3Tx');
assert.equal(option.fee_payer, accountAddress);
console.log('evmosjs: all as expected');
