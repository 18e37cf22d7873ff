/** SQL for the `ActingKey` of a key id; null if the id is null. */
export const actingKey = (keyId: string): string =>
  `CASE WHEN ${keyId} IS NOT NULL THEN
    json_build_object('keyId', ${keyId}, 'keyName', (SELECT name FROM api_keys WHERE id = ${keyId})) END`;
