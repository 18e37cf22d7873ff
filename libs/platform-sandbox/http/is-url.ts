/** Not `URL.canParse`: in Node.js 20 it rejects `https://bücher.example/` once it has been called often. */
export function isUrl(text: string): boolean {
  try {
    return new URL(text) !== null;
  } catch {
    return false;
  }
}
