import { getMetadataStorage } from 'class-validator';
import leven from 'leven';

/** Longer names cost time and are nobody's slip. */
const LONGEST_SLIP = 64;

/**
 * The field of a DTO that a client probably meant by an unknown name: the same words in another spelling (`template_name`), or
 * the nearest name with at most a third of its letters wrong. A field that the request has already was not meant.
 */
export function meantField(unknown: string, dto: object): string | undefined {
  if (unknown.length > LONGEST_SLIP) return undefined;
  const written = lettersOf(unknown);
  const near = knownFields(dto)
    .map((name) => ({ name, wrong: leven(written, lettersOf(name)), most: Math.floor(name.length / 3) }))
    .filter(({ wrong, most }) => wrong <= most)
    .sort((a, b) => a.wrong - b.wrong);
  return near[0]?.name;
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
