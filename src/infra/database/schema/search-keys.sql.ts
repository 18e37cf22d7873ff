/** Body of a function of an account and a `given` text: the keys of the text that the SQL expression returns. It calls no function of the service, which the building of an index would not find. */
export const keysOf = (folded: string): string => `DECLARE
  folded text := ${folded};
  part text;
  keys integer[] := '{}';
BEGIN
  FOR n IN 1 .. length(folded) - 2 LOOP
    part := substr(folded, n, 3);
    IF octet_length(part) = 3 THEN
      keys := keys || hashtext(account || part);
    END IF;
  END LOOP;
  RETURN keys;
END `;

/** Keys for an index that finds texts by a part. */
export const SEARCH_KEYS = `
-- Keys of all sequences of three ASCII characters in a text of an account, without regard to case. A part of the text has a subset of
-- them; databases fold the case of other characters differently, so those have no keys. The two that some fold to ASCII, İ and the
-- Kelvin sign, have the keys of i and k.
CREATE FUNCTION search_keys(account uuid, given text) RETURNS integer[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 10000 AS $$
${keysOf(`lower(translate(given, U&'\\0130\\212A', 'ik') COLLATE "C")`)}$$;
`;
