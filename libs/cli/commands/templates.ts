import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { getTemplateSampleFile, previewTemplate, syncTemplates } from '../../client/generated/sdk.gen';
import { EXIT } from '../exit-codes';
import { checkTarget, type FormatFlags, formatOf } from '../local-files';
import { firstOf, type Session } from '../session';
import { findTemplate } from './found';

/** `messaging templates list` */
export async function list(
  session: Session,
  flags: { limit: number; status?: never; search?: string; language?: string },
): Promise<number> {
  const { limit, language, ...filter } = flags;
  const client = await session.client();
  const query = { ...filter, ...(language && { languageCode: language }) };
  await session.out.list(
    await firstOf(client.templates(query, { signal: session.signal }), limit),
    [
      ['name', (template) => template.name],
      ['language', (template) => template.languageCode],
      ['status', (template) => template.status],
      ['category', (template) => template.category],
      ['values', (template) => template.parameterCount],
      ['text', (template) => template.bodyText],
    ],
    'No templates: `messaging templates sync` imports those of the platform.',
  );
  return EXIT.done;
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
  const { id } = await findTemplate(session, name, flags.language);
  const body = { templateParameters: values.map((text) => ({ text })) };
  const client = await session.client();
  const shown = await client.call(previewTemplate, { path: { templateId: id }, body }, { signal: session.signal });
  session.out.result(shown, () => shown.renderedText);
  if (!session.out.json) for (const { message } of shown.problems) session.out.note(message, 'yellow');
  return shown.problems.length > 0 ? EXIT.refused : EXIT.done;
}

/** `messaging templates sample <template>`: writes a file to fill in. */
export async function sample(
  session: Session,
  name: string,
  flags: FormatFlags & { language?: string },
): Promise<number> {
  const format = formatOf(flags);
  if (flags.output && flags.output !== '-') checkTarget(flags.output);
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
