/** Decodes EVM calls and logs in log events by the ABIs of their contracts. */
import { decodedText } from '../../core/abi/text.js';
import { failureText, methodText } from '../../core/activity/ethereum-line.js';
import { addressText, type Names } from '../../core/activity/names.js';
import { hexData } from '../../core/bytes/hex.js';
import { txsOfBlock } from '../../core/chain/decision.js';
import { EncodedResults } from '../../core/comet/encoded-results.js';
import { contentOf } from '../../core/ethereum/content.js';
import type { EthereumTransaction } from '../../core/ethereum/transaction.js';
import { type ExecutionResponse, readResponse } from '../../core/ethereum/wrapped-transaction.js';
import type { LogEvent } from '../../core/log-events.js';
import type { Crypto } from '../../core/ports/crypto.js';

/** Addresses of contracts that an event's transactions call or whose logs it has. */
export function contractsOf(event: LogEvent, crypto: Crypto): readonly Uint8Array[] {
  if (event.type === 'TxAdmitted') return calledBy([event.data.tx], crypto);
  if (event.type === 'BlockDecided') return calledBy(txsOfBlock(event.data.block), crypto);
  if (event.type !== 'BlockExecuted') return [];
  return responsesOf(event.data.results).flatMap(({ response }) => response.logs.map(({ address }) => address));
}

/** `Token@0x5FbD…0aa3.transfer(dev2, 5)`; undefined for a transaction without data, or that creates a contract. */
export function callText({ to, data }: EthereumTransaction, names: Names): string | undefined {
  const method = to === undefined ? undefined : methodText(data, names.contractAt(to), names);
  return to === undefined || method === undefined ? undefined : `${addressText(names, to)}.${method}`;
}

/** For each transaction of a block: the texts of its logs, and its EVM error. */
export function executionTexts(results: Uint8Array, names: Names): readonly object[] {
  return responsesOf(results).flatMap(({ tx, response: { logs, vmError, returned } }) => {
    if (logs.length === 0 && vmError === '') return [];
    const failure = { message: vmError, data: returned };
    return [
      {
        tx,
        logs: logs.map((log) => logText(log, names)),
        ...(vmError !== '' && { failure: failureText(failure, undefined, names) }),
      },
    ];
  });
}

function logText({ address, topics, data }: ExecutionResponse['logs'][number], names: Names): string {
  const event = names.interfaces.event(topics, data, names.contractAt(address));
  const text = event && decodedText(event, (one) => addressText(names, one), true);
  return `${addressText(names, address)} ${text ?? (topics[0] === undefined ? 'anonymous' : hexData(topics[0]))}`;
}

function calledBy(txs: readonly Uint8Array[], crypto: Crypto): readonly Uint8Array[] {
  return txs.flatMap((tx) => contentOf(crypto, tx)?.transaction.to ?? []);
}

/** EVM responses with the index of their transaction. */
function responsesOf(bytes: Uint8Array): readonly { readonly tx: number; readonly response: ExecutionResponse }[] {
  const results = new EncodedResults(bytes);
  return Array.from({ length: results.txCount }, (_, tx) => tx).flatMap((tx) => {
    const outcome = results.outcome(tx);
    const response = outcome?.code === 0 ? readResponse(outcome.data) : undefined;
    return response === undefined ? [] : [{ tx, response }];
  });
}
