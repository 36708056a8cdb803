import { printableJson } from '../../core/text/printable.js';
import { decodeTransaction as decodeEthereum } from '../../core/ethereum/transaction-codec.js';
import { bytesOfDigits, hexData } from '../../core/bytes/hex.js';
import { recoverSender, transactionHash } from '../../core/ethereum/transaction-sender.js';
import { isEncodableFee } from '../../core/ethereum/wrapper-codec.js';
import { statedFee, wrapEthereumTransaction } from '../../core/modules/evm/ethereum-message.js';
import type { CommandBody, CommandRow } from '../table/command-table.js';
import { send } from '../table/command-rows.js';
import { evmConfigOf } from '../client/evm-config.js';
import { EXIT } from '../../config/exit-codes.js';
import { CommandError } from '../command-error.js';
import { broadcast } from '../tx/broadcast.js';
import { PURE_CRYPTO } from '../tx/pure-crypto.js';
import { confirm } from '../tx/send.js';
import { decodeTransaction, transactionJson } from '../values/tx-json.js';

/**
 * `tx evm raw HEX`: sends a signed Ethereum transaction, wrapped in a consensus transaction without its own signature
 * and fee.
 */
const evmRaw: CommandBody = async (context, [text = ''], flags) => {
  const raw = bytesOfDigits(text.replace(/^0x/i, ''));
  const decoded = raw === undefined || raw.length === 0 ? undefined : decodeEthereum(raw);
  if (raw === undefined || decoded === undefined)
    throw new CommandError(EXIT.usage, `${JSON.stringify(text.slice(0, 20))} is not hexadecimal`);
  if (!decoded.ok) throw new CommandError(EXIT.usage, decoded.message);
  const config = await evmConfigOf(context.rpc);
  const recovered = recoverSender(PURE_CRYPTO, decoded.transaction, config?.chainId ?? 0n);
  if (!recovered.ok) throw new CommandError(EXIT.usage, recovered.message);
  const fee = statedFee(decoded.transaction);
  if (!isEncodableFee(fee)) throw new CommandError(EXIT.usage, `a fee of ${fee} has more than 256 bits`);
  const bytes = wrapEthereumTransaction(raw, decoded.transaction, recovered.sender, config?.denom ?? '');
  const tx = decodeTransaction(bytes);
  if (flags.is('generate-only')) return context.ports.stdout(`${printableJson(transactionJson(tx))}\n`);
  if (!flags.is('yes')) await confirm(context, tx);
  context.ports.stderr(`ethereum hash: ${hexData(transactionHash(PURE_CRYPTO, decoded.transaction))}\n`);
  await broadcast(context, bytes, flags.text('broadcast-mode') ?? 'sync');
};

export const commands: readonly CommandRow[] = [send('evm raw <hex>', 'send a signed Ethereum transaction', evmRaw)];
