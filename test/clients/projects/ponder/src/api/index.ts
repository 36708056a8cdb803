import { db } from 'ponder:api';
import { transfer } from 'ponder:schema';
import { Hono } from 'hono';

const app = new Hono();

app.get('/transfers', async (context) =>
  context.json((await db.select().from(transfer)).map(({ value, block }) => [value.toString(), block])),
);

export default app;
