const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without losing digits of integers: one that a double cannot represent (template ids in webhooks have up to 17 digits)
 * becomes a string of its digits. Throws SyntaxError like JSON.parse.
 */
export function parseJsonKeepingIntegers(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return parsed;
  // The text is valid JSON, so digits outside strings are always a number.
  const quoted = text.replace(STRING_OR_NUMBER, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}
