import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  getTemplate,
  getTemplateSampleFile,
  previewTemplate,
  previewTemplateDraft,
  syncTemplates,
} from '../../client/generated/sdk.gen';
import type {
  CreateTemplateDto,
  DraftPreviewDto,
  PreviewCardDto,
  PreviewOfferDto,
  TemplateButtonDto,
  TemplateDto,
  TemplatePreviewDto,
} from '../../client/generated/types.gen';
import { EXIT } from '../exit-codes';
import { checkNotJson, checkTarget, type FormatFlags, formatOf, jsonOf } from '../local-files';
import { inOptions } from '../option-names';
import { shellWord } from '../output';
import type { Session } from '../session';
import { findTemplate } from './found';

/** `messaging templates list` */
export async function list(
  session: Session,
  flags: { limit: number; status?: never; search?: string; language?: string },
): Promise<number> {
  const { limit, language, ...filter } = flags;
  const client = await session.client();
  const query = { ...filter, ...(language && { languageCode: language }) };
  await session.out.firstOfList(
    client.templates(query, { signal: session.signal }),
    [
      ['name', (template) => template.name],
      ['language', (template) => template.languageCode],
      ['status', (template) => template.status],
      ['category', (template) => template.category],
      ['values', (template) => template.parameterCount],
      ['text', (template) => template.bodyText],
    ],
    'No templates: `messaging templates sync` imports those of the platform.',
    limit,
  );
  return EXIT.done;
}

/** `messaging templates show <template>`: what a send needs. */
export async function show(session: Session, name: string, flags: { language?: string }): Promise<number> {
  const { id: templateId } = await findTemplate(session, name, flags.language);
  const client = await session.client();
  const request = { path: { templateId }, query: { values: 'true' as const } };
  const template = await client.call(getTemplate, request, { signal: session.signal });
  const { status, rejectionReason, headerFormat, headerText, bodyText, cards, values = [] } = template;
  session.out.facts(template, [
    ['template', `${template.name} (${template.languageCode})`],
    ['status', rejectionReason ? `${status}: ${rejectionReason}` : status],
    ['category', template.category],
    ['quality', template.qualityRating],
    ['cannot be sent', template.unsupported.join(', ')],
    ['header', headerText ?? (headerFormat === 'None' ? null : headerFormat)],
    ...bodyText.split('\n').map((line, index) => [index === 0 ? 'text' : '', line || ' '] as const),
    ['footer', template.footerText],
    ...template.buttons.map((button, index) => [`button ${index}`, buttonText(button)] as const),
    ...cards.flatMap((card, index) => [
      [`card ${index + 1}`, [card.headerFormat, card.bodyText].filter(Boolean).join(': ')] as const,
      ...card.buttons.map((button, at) => [`  button ${at}`, buttonText(button)] as const),
    ]),
    ['values', values.length],
    ...values.map(({ title, example }) => [`  ${title}`, example] as const),
    ['to send', sendText(template)],
  ]);
  return EXIT.done;
}

function buttonText({ type, text, url, phoneNumber }: TemplateButtonDto): string {
  return [`${type} "${text}"`, url ?? phoneNumber].filter(Boolean).join(' ');
}

/** How to send the template, or why this is not possible here. */
function sendText({ name, languageCode, sendable, needs, values = [] }: TemplateDto): string {
  const others = needs.filter((need) => need !== 'headerMedia');
  if (!sendable) return 'not possible: only Approved templates without unsupported parts can be sent';
  if (others.length > 0) return `POST /send-template with ${others.join(', ')}, which the command line does not have`;
  const words = [
    ...['messaging', 'send', '+4915112345678', ...values.map(({ example }) => example)],
    ...['--template', name, '--language', languageCode],
    ...(needs.length > 0 ? ['--media-url', 'https://example.com/header'] : []),
  ];
  return words.map(shellWord).join(' ');
}

/** `messaging templates sync` */
export async function sync(session: Session): Promise<number> {
  const result = await (await session.client()).call(syncTemplates, {}, { signal: session.signal });
  const { added, updated, removed, unchanged } = result;
  session.out.result(result, () => `${added} added, ${updated} updated, ${removed} removed, ${unchanged} unchanged`);
  return EXIT.done;
}

/** `messaging templates preview <template> [values...]`: shows the message, and problems with the values. */
export async function preview(
  session: Session,
  name: string,
  values: string[],
  flags: { language?: string },
): Promise<number> {
  const { id: templateId } = await findTemplate(session, name, flags.language);
  const body = { templateParameters: values.map((text) => ({ text })) };
  const client = await session.client();
  return showPreview(
    session,
    await client.call(previewTemplate, { path: { templateId }, body }, { signal: session.signal }),
  );
}

/** `messaging templates preview --draft <file> [values...]`: the same of a template that is not saved. */
export async function previewDraft(session: Session, file: string, values: string[]): Promise<number> {
  const draft = (await jsonOf(file)) as CreateTemplateDto;
  const body = { draft, templateParameters: values.map((text) => ({ text })) };
  const client = await session.client();
  return showPreview(session, await client.call(previewTemplateDraft, { body }, { signal: session.signal }));
}

function showPreview(session: Session, shown: TemplatePreviewDto | DraftPreviewDto): number {
  const { renderedText, offer, cards = [], problems } = shown;
  session.out.result(shown, () =>
    [renderedText, offer && offerText(offer), ...cards.map(cardText)].filter(Boolean).join('\n\n'),
  );
  if (!session.out.json) for (const { message } of problems) session.out.note(inOptions(message), 'yellow');
  return problems.length > 0 ? EXIT.refused : EXIT.done;
}

function offerText({ text, expiresAt }: PreviewOfferDto): string {
  return expiresAt === null ? text : `${text} (until ${expiresAt})`;
}

function cardText({ header, body, buttons }: PreviewCardDto, index: number): string {
  const lines = [`Card ${index + 1}: ${header.format}`, body, ...buttons.map(buttonText)];
  return lines.filter(Boolean).join('\n');
}

/** `messaging templates sample <template>`: writes a file to fill in. */
export async function sample(
  session: Session,
  name: string,
  flags: FormatFlags & { language?: string },
): Promise<number> {
  const format = formatOf(flags);
  if (flags.output === '-') checkNotJson(session.out, 'A sample file');
  else if (flags.output) checkTarget(flags.output);
  const template = await findTemplate(session, name, flags.language);
  const input = { path: { templateId: template.id }, query: { format } };
  const file: unknown = await (await session.client()).call(getTemplateSampleFile, input, { signal: session.signal });
  // The name comes from a server and must not lead out of this folder.
  const target = flags.output ?? basename(`${template.name}.${format}`);
  const bytes = file instanceof Blob ? new Uint8Array(await file.arrayBuffer()) : String(file);
  if (target === '-') process.stdout.write(bytes);
  else await writeFile(target, bytes);
  if (target !== '-') session.out.note(`Written to ${target}`);
  return EXIT.done;
}
