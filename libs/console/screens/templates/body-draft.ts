import type { TemplateDto } from '../../../client/generated/types.gen';

/** A text with placeholders, of the message or of a card. */
export interface BodyContents {
  bodyText: string;
  /** Example values of the placeholders, by name. */
  examples: Record<string, string>;
  parameterFormat: TemplateDto['parameterFormat'];
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** The distinct placeholder names of a text, in order of appearance. */
export function placeholdersOf(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()))].filter(
    (name) => name !== '',
  );
}

/** The placeholders of a text in the order of its values. */
export function exampleNames({ bodyText, parameterFormat }: Pick<BodyContents, 'bodyText' | 'parameterFormat'>) {
  const names = placeholdersOf(bodyText);
  return parameterFormat === 'Named' ? names : names.sort((a, b) => Number(a) - Number(b));
}

/** The examples in placeholder order, or by name, also the empty ones, so that a check names each; null: no placeholders. */
export function examplesOf(body: BodyContents): string[] | Record<string, string> | null {
  const { examples, parameterFormat } = body;
  const names = exampleNames(body);
  if (names.length === 0) return null;
  if (parameterFormat === 'Named') return Object.fromEntries(names.map((name) => [name, examples[name] ?? '']));
  return names.map((name) => examples[name] ?? '');
}

/** The API's name of the example of a placeholder. `owner`: empty, or `cards[0].` for that of a card. */
export function exampleField(
  { parameterFormat }: Pick<BodyContents, 'parameterFormat'>,
  name: string,
  index: number,
  owner = '',
): string {
  return `${owner}body.examples${parameterFormat === 'Named' ? `.${name}` : `[${index}]`}`;
}
