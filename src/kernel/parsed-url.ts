/**
 * The URL that `text` spells, or null.
 *
 * Not `URL.canParse`: in Node.js 20 its optimised form reads Latin-1 text as UTF-8, so once it has been called often it rejects
 * `https://bücher.example/`. `URL.parse` needs Node.js 22.1.
 */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
