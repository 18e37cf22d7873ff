/** An `ActingKey` of the id of a key; null where that is null. */
export const actingKey = (keyId: string): string =>
  `CASE WHEN ${keyId} IS NOT NULL THEN
    json_build_object('keyId', ${keyId}, 'keyName', (SELECT name FROM api_keys WHERE id = ${keyId})) END`;
