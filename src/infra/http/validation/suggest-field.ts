import { getMetadataStorage } from 'class-validator';
import { nearestOf } from '../../nearest-name';

/** Names of other APIs, or of other places of this one, for our fields. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ phone: 'to', phonenumber: 'to', contactphone: 'to', recipient: 'to', number: 'to' },
  ...{
    template: 'templateName',
    language: 'languageCode',
    parameters: 'templateParameters',
    values: 'templateParameters',
  },
};

/**
 * Suggests the DTO field that a client probably meant by an unknown name: the same words in another spelling (`template_name`), or the
 * closest name with at most a third of its letters wrong, or our name of a usual one. Skips fields that the request already has.
 */
export function suggestField(unknown: string, dto: object): string | undefined {
  const written = lettersOf(unknown);
  const known = knownFields(dto);
  return nearestOf(written, known, lettersOf) ?? known.find((name) => name === SYNONYMS[written]);
}

function knownFields(dto: object): string[] {
  const checks = getMetadataStorage().getTargetValidationMetadatas(dto.constructor, '', false, false);
  const given = dto as Record<string, unknown>;
  return [...new Set(checks.map(({ propertyName }) => propertyName))].filter(
    (name) => given[name] === undefined || given[name] === null,
  );
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
