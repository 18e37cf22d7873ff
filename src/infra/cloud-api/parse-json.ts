const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without losing integers: one that a double cannot hold (template ids in webhooks have up to 17 digits)
 * becomes a string of its digits. Throws SyntaxError where JSON.parse would.
 */
export function parseJsonKeepingIntegers(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return parsed;
  // The text is known to be JSON here, so outside of strings a run of digits can only be a number.
  const quoted = text.replace(STRING_OR_NUMBER, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}
