import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

type Fields = Readonly<Record<string, unknown>>;
/** Whether a field is certainly valid. */
type Rule = (object: Fields, value: unknown) => boolean;
type FindMetadata = ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas'];
type Metadata = ReturnType<FindMetadata>[number];

const rulesOfClasses = new WeakMap<object, ReadonlyMap<string, Rule>>();

/**
 * Whether an object is certainly valid by the decorators of its class, unknown fields forbidden. False says nothing: then
 * class-validator has to be asked, which gathers the rules of the class anew for every object and makes an error of every field.
 */
export function isCertainlyValid(object: unknown): boolean {
  if (typeof object !== 'object' || object === null || typeof object.constructor !== 'function') return false;
  const rules = rulesOf(object.constructor);
  const fields = object as Fields;
  for (const name of Object.keys(object)) if (!rules.has(name)) return false;
  for (const [name, rule] of rules) if (!rule(fields, fields[name])) return false;
  return true;
}

function rulesOf(type: Parameters<FindMetadata>[0]): ReadonlyMap<string, Rule> {
  const known = rulesOfClasses.get(type);
  if (known) return known;
  const storage = getMetadataStorage();
  const grouped = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  const rules = new Map(Object.entries(grouped).map(([name, checks]) => [name, ruleOf(checks)]));
  rulesOfClasses.set(type, rules);
  return rules;
}

function ruleOf(checks: readonly Metadata[]): Rule {
  const ofType = (type: string): Metadata[] => checks.filter((check) => check.type === type);
  const conditions = ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(({ constraints }) => constraints[0] as Rule);
  const isNested = ofType(ValidationTypes.NESTED_VALIDATION).length > 0;
  const own = checks.filter(({ type }) => !NOT_OWN.includes(type)).flatMap(constraintsOf);
  return (object, value) => {
    if (!conditions.every((holds) => holds(object, value))) return true;
    return own.every((holds) => holds(object, value)) && (!isNested || isNestedValid(value));
  };
}

const NOT_OWN: readonly string[] = [
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
];

function constraintsOf(check: Metadata): Rule[] {
  const { propertyName: property, constraints, each, validateIf } = check;
  const found = getMetadataStorage().getTargetValidatorConstraints(check.constraintCls);
  // What it does not know, such as a promise that is waited for, is not certain.
  if (found.length === 0 || validateIf) return [() => false];
  return found.map(({ instance }): Rule => (object, value) => {
    const about: ValidationArguments = { targetName: object.constructor.name, property, object, value, constraints };
    const holds = (one: unknown): boolean => instance.validate(one, about) === true;
    if (value instanceof Set || value instanceof Map) return false;
    return each && Array.isArray(value) ? value.every(holds) : holds(value);
  });
}

function isNestedValid(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) ? value.every(isNestedValid) : isCertainlyValid(value);
}
