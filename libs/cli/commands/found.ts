import type { GroupDto, TemplateDto } from '../../client/generated/types.gen';
import { listGroups, listSenders } from '../../client/generated/sdk.gen';
import { ForbiddenError } from '../../client/errors';
import { phoneDigits } from '../../client/phone-digits';
import { UnknownNameError, UsageError } from '../exit-codes';
import type { Session } from '../session';

/** Finds a group by id or name. */
export async function findGroup(session: Session, name: string): Promise<GroupDto> {
  const client = await session.client();
  for await (const group of client.each(listGroups, { query: { pageSize: 100 } }, { signal: session.signal })) {
    if (group.id === name || group.name === name) return group;
  }
  throw new UnknownNameError(`No group ${name}: run \`messaging groups list\`.`);
}

/** Finds a sender of an account that has several, by its id or its number; returns its id. */
export async function findSender(session: Session, name: string): Promise<string> {
  const client = await session.client();
  const { items } = await client.call(listSenders, {}, { signal: session.signal });
  const digits = phoneDigits(name);
  const found = items.find(({ id, phoneNumberId, displayPhoneNumber }) => {
    const number = displayPhoneNumber && phoneDigits(displayPhoneNumber);
    return id === name || phoneNumberId === name || (digits !== null && number === digits);
  });
  if (found?.id) return found.id;
  const numbers = items.map(({ displayPhoneNumber, phoneNumberId }) => displayPhoneNumber ?? phoneNumberId).join(', ');
  throw new UnknownNameError(
    items.length > 1
      ? `No sender ${name}. Choose one of: ${numbers}.`
      : 'The account has a single sender. Leave out --sender.',
  );
}

/** Finds a template by id or name; a name in several languages needs the language. */
export async function findTemplate(session: Session, name: string, language?: string): Promise<TemplateDto> {
  const found = await templatesWhere(
    session,
    {},
    (template) => (template.id === name || template.name === name) && (!language || template.languageCode === language),
  );
  const [one, ...others] = found;
  if (!one)
    throw new UnknownNameError(
      `No template ${name}: \`messaging templates list\` lists them, \`messaging templates sync\` imports new ones.`,
    );
  if (others.length > 0) throw severalLanguages(name, found);
  return one;
}

/**
 * The only language of a template that the sender can send; undefined if the service does not know the template, or the key
 * may not read it: then the service decides.
 */
export async function onlyLanguageOf(session: Session, name: string, senderId?: string): Promise<string | undefined> {
  const filter = { search: name, sendable: 'true' as const, ...(senderId && { senderId }) };
  const found = await templatesWhere(session, filter, (one) => one.name === name).catch((error: unknown) => {
    if (!(error instanceof ForbiddenError)) throw error;
    session.out.note(
      `Without the scope ${String(error.details.requiredScope)}, the language is en_US; --language chooses another.`,
      'yellow',
    );
    return [];
  });
  if (new Set(found.map(({ languageCode }) => languageCode)).size > 1) throw severalLanguages(name, found);
  return found[0]?.languageCode;
}

function severalLanguages(name: string, found: readonly TemplateDto[]): UsageError {
  const languages = [...new Set(found.map(({ languageCode }) => languageCode))].join(', ');
  return new UsageError(`${name} has ${languages}: choose one with --language.`);
}

async function templatesWhere(
  session: Session,
  filter: { search?: string; sendable?: 'true'; senderId?: string },
  isMeant: (template: TemplateDto) => boolean,
): Promise<TemplateDto[]> {
  const client = await session.client();
  const found: TemplateDto[] = [];
  for await (const template of client.templates(filter, { signal: session.signal }))
    if (isMeant(template)) found.push(template);
  return found;
}
