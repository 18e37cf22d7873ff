import { isObject, type JsonObject } from '../http/exchange';
import { placeholdersOf } from './shape';
import { templateProblem } from './template-problem';

interface PlaceholderRules {
  named: boolean;
  place: 'header' | 'body';
  /** Maximum number of different variables. */
  most: number;
  /** The component's `example` object. */
  example: JsonObject;
}

const SUBCODE = { header: 2388047, body: 2388072 } as const;
const ANY_BRACES = /\{\{|\}\}/;
const PLACEHOLDER = /\{\{\s*[^{}]+?\s*\}\}/g;
const ADJACENT = /\}\}\s*\{\{/;
const AT_START_OR_END = /^\s*\{\{|\}\}\s*$/;
const NAMED = /^[a-z][a-z0-9_]*$/;

/** Validates the variables of a header or body text and their examples; throws the platform's error for the first violated rule. */
export function checkPlaceholders(text: string, rules: PlaceholderRules): void {
  const { named, place, most, example } = rules;
  const wrong = (message: string) => templateProblem(SUBCODE[place], `Format of the ${place} is incorrect`, message);
  if (ANY_BRACES.test(text.replace(PLACEHOLDER, ''))) throw wrong('The braces of the variables do not match.');
  const { names } = placeholdersOf(text);
  if (names.length === 0) return;
  if (names.length > most) throw wrong(`The ${place} takes at most ${most} variable.`);
  checkNames(names, named, wrong);
  if (ADJACENT.test(text)) throw wrong('Put text between two variables.');
  if (place === 'body') checkBodyBalance(text, names.length);
  checkExamples(names, named, place, example, wrong);
}

function checkNames(names: string[], named: boolean, wrong: (message: string) => Error): void {
  if (named) {
    if (names.some((name) => !NAMED.test(name))) {
      throw wrong('Names of variables are lower case letters, digits and underscores.');
    }
    return;
  }
  names.forEach((name, index) => {
    if (name !== String(index + 1)) throw wrong('Number the variables {{1}}, {{2}}, … without a gap.');
  });
}

function checkBodyBalance(text: string, count: number): void {
  if (AT_START_OR_END.test(text)) {
    throw templateProblem(2388299, 'Dangling variable', 'A placeholder opens or closes the text; put words around it.');
  }
  const words = text.replace(PLACEHOLDER, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  if (words < count) {
    throw templateProblem(2388293, 'Too many variables', 'The text has too many variables for its length.');
  }
}

function checkExamples(
  names: string[],
  named: boolean,
  place: 'header' | 'body',
  example: JsonObject,
  wrong: (message: string) => Error,
): void {
  const values = example[named ? `${place}_text_named_params` : `${place}_text`];
  const list: unknown[] = Array.isArray(values) ? values : [];
  const flat = list.flat();
  if (!named) {
    const complete = flat.length === names.length && flat.every((value) => typeof value === 'string' && value !== '');
    if (!complete) throw wrong('Give an example for each variable.');
    return;
  }
  const given = new Set(flat.filter(isObject).map((one) => one.param_name));
  if (names.some((name) => !given.has(name))) throw wrong('Give an example for each variable.');
}
