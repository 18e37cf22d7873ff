import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listTemplates, previewTemplate, sendTemplate, uploadMedia } from '../../../client/generated/sdk.gen';
import type { ConversationDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate, slotsOf } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { Combobox } from '../../ui/combobox';
import { Input } from '../../ui/field';
import { Loaded, Note, ErrorLine } from '../../ui/states';
import { sayDone } from '../../ui/toast';
import { useSettled } from '../../ui/settled';

const PAGE_SIZE = 100;
const MOST_PAGES = 10;
const MEDIA: ReadonlySet<TemplateDto['headerFormat']> = new Set(['Image', 'Video', 'Document']);

/** What somebody means to send. */
interface Meant {
  to: string;
  template: Pick<TemplateDto, 'name' | 'languageCode'>;
  values: readonly string[];
  file: File | null;
}

async function deliver({ to, template, values, file }: Meant, idempotencyKey: string) {
  const media = file && (await call(uploadMedia, { body: { file } }, { idempotencyKey }));
  const body = {
    to,
    templateName: template.name,
    languageCode: template.languageCode,
    templateParameters: values.map((text) => ({ text })),
    ...(media?.mediaId && { headerMediaId: media.mediaId, headerMediaFileName: file?.name }),
  };
  return call(sendTemplate, { body }, { idempotencyKey });
}

/** Instead of a field: a template, its values, and what the person will see. */
export function TemplateForm({
  conversation,
  phone,
  why,
}: {
  conversation: ConversationDto;
  phone: string;
  why: string;
}) {
  const templates = useQuery({ queryKey: ['templates', 'approved'], queryFn: ({ signal }) => approved(signal) });
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <div className="answer">
      <Note>{why}</Note>
      <Loaded query={templates}>
        {(found) => {
          // A header with a place takes more than values.
          const offered = found.filter(({ headerFormat }) => headerFormat !== 'Location');
          const template = offered.find(({ id }) => id === chosen);
          return (
            <>
              <Combobox
                label="Template"
                placeholder="Choose a template"
                value={chosen}
                onChange={setChosen}
                choices={offered.map(({ id, name, languageCode }) => ({
                  value: id,
                  label: `${name} · ${languageCode}`,
                }))}
                emptyText="No approved template fits"
              />
              {template && (
                <Filled
                  key={template.id}
                  template={template}
                  phone={phone}
                  conversationId={conversation.id}
                  onSent={() => setChosen(null)}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function Filled({
  template,
  phone,
  conversationId,
  onSent,
}: {
  template: TemplateDto;
  phone: string;
  conversationId: string;
  onSent: () => void;
}) {
  const queries = useQueryClient();
  const slots = slotsOf(template);
  const [values, setValues] = useState<string[]>(() => slots.map(() => ''));
  const [file, setFile] = useState<File | null>(null);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = useSendOnce(useCallback(deliver, []));
  const takesFile = MEDIA.has(template.headerFormat);
  const isFilled = values.every((value) => value.trim() !== '') && (!takesFile || file !== null);
  const settled = useSettled(values);
  const preview = useQuery({
    queryKey: ['templates', template.id, 'preview', settled],
    enabled: values.some((value) => value !== ''),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const body = { templateParameters: settled.map((text) => ({ text })) };
      return call(previewTemplate, { path: { templateId: template.id }, body }, { signal });
    },
  });
  const problems = preview.data?.problems ?? [];
  const problemOf = (index: number) =>
    values[index] === ''
      ? undefined
      : problems.find(({ field }) => field.startsWith(`templateParameters[${index}]`))?.message;

  const submit = async () => {
    if (!isFilled) return;
    setSending(true);
    setError(null);
    try {
      const { status } = await send({ to: phone, template, values: values.map((value) => value.trim()), file });
      sayDone(status === 'Queued' ? 'It waits for its turn and is sent by itself' : 'The template is sent');
      onSent();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setSending(false);
      void queries.invalidateQueries({ queryKey: ['conversation', conversationId] });
      void queries.invalidateQueries({ queryKey: ['conversations'] });
    }
  };

  return (
    <form
      className="template-answer"
      aria-label="Send a template"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="stack">
        {takesFile && (
          <Input
            label={`${template.headerFormat} of the header`}
            type="file"
            onInput={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
        )}
        {slots.map((slot, index) => (
          <Input
            key={`${slot.part} ${slot.name}`}
            label={slot.label}
            dir="auto"
            value={values[index]}
            error={problemOf(index)}
            onChange={(text) => setValues(values.map((value, at) => (at === index ? text : value)))}
          />
        ))}
        {error !== null && <ErrorLine error={error} />}
        <div>
          <Button type="submit" variant="primary" icon="send" busy={isSending} disabled={!isFilled}>
            Send the template
          </Button>
        </div>
      </div>
      <div className="bubble-wall">
        <MessageBubble label="What they will see" content={bubbleOfTemplate(template, values)} />
      </div>
    </form>
  );
}

/** All templates that can be sent, by name. */
async function approved(signal: AbortSignal): Promise<TemplateDto[]> {
  const found: TemplateDto[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = { page, pageSize: PAGE_SIZE, status: 'Approved' as const };
    const { items, totalPages } = await call(listTemplates, { query }, { signal });
    found.push(...items);
    if (page >= totalPages) break;
  }
  return found.sort((one, other) => one.name.localeCompare(other.name));
}
