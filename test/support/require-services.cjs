/** Ends with 1 and says what is missing unless PostgreSQL and Redis answer at DATABASE_URL and REDIS_URL. */
const { Client } = require('pg');
const Redis = require('ioredis');

async function check(name, variable, connect) {
  const url = process.env[variable];
  if (!url) return `${name}: set ${variable}`;
  try {
    await connect(url);
    return null;
  } catch (error) {
    return `${name} does not answer at ${variable}: ${error.message}`;
  }
}

async function main() {
  const missing = [
    await check('PostgreSQL', 'DATABASE_URL', async (url) => {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
      await client.connect();
      await client.end();
    }),
    await check('Redis', 'REDIS_URL', async (url) => {
      const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 5000 });
      redis.on('error', () => undefined);
      await redis.connect();
      await redis.ping();
      redis.disconnect();
    }),
  ].filter(Boolean);
  if (missing.length === 0) return;
  process.stderr.write(`These tests need real services.\n${missing.join('\n')}\n`);
  process.exit(1);
}

void main();
