'use strict';

/** Runs s3rver with an empty bucket: `node bucket-server-process.cjs <folder> <bucket>`. Prints its port. */
const { createHash, randomUUID } = require('node:crypto');
const { mkdir, rename, writeFile } = require('node:fs/promises');
const { dirname } = require('node:path');
const { buffer } = require('node:stream/consumers');
const S3rver = require('s3rver');

const [directory, name] = process.argv.slice(2);
const server = new S3rver({ directory, address: '127.0.0.1', port: 0, silent: true, configureBuckets: [{ name }] });

// s3rver writes into the stored file, so that two concurrent uploads are mixed. S3 replaces a file at once.
server.store.putObject = async function ({ bucket, key, content, metadata }) {
  const file = this.getResourcePath(bucket, key, 'object');
  const unfinished = `${file}._${randomUUID()}`;
  const body = Buffer.isBuffer(content) ? content : await buffer(content);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(unfinished, body);
  await rename(unfinished, file);
  const md5 = createHash('md5').update(body).digest('hex');
  await this.putMetadata(bucket, key, metadata, md5);
  return { size: body.length, md5 };
};

void server.run().then(({ port }) => console.log(port));
