import { ponder } from 'ponder:registry';
import { transfer } from 'ponder:schema';

ponder.on('Token:Transfer', async ({ event, context }) => {
  await context.db.insert(transfer).values({ id: event.id, value: event.args.value, block: event.block.hash });
});
