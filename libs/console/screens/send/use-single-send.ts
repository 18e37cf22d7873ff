import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { previewTemplate, sendTemplate } from '../../../client/generated/sdk.gen';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { useSendOnce } from '../../app/send-once';
import { slotsOf } from '../../ui/bubble/template-values';
import { useSettled } from '../../ui/settled';
import { firstExtras, type SendExtras } from './header-extras';

type SingleSend = NonNullable<Parameters<typeof sendTemplate>[0]>['body'];

/** What a template to one person takes, what is wrong with it, and the send, which happens once however often one clicks. */
export function useSingleSend(
  template: TemplateDto | null,
  outcome: { onSuccess: (sent: SentMessageDto) => void; onSettled?: () => void },
) {
  const [values, setValues] = useState<readonly string[]>([]);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const once = useSendOnce(
    useCallback((body: SingleSend, idempotencyKey: string) => call(sendTemplate, { body }, { idempotencyKey }), []),
  );
  const work = useMutation({ mutationFn: once, ...outcome });
  const given = extras ?? (template && firstExtras(template));
  const texts = template ? slotsOf(template).map((_slot, index) => (values[index] ?? '').trim()) : [];
  const settled = useSettled(texts);
  const preview = useQuery({
    queryKey: ['templates', template?.id, 'preview', settled],
    enabled: settled.some((text) => text !== ''),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const body = { templateParameters: settled.map((text) => ({ text })) };
      return call(previewTemplate, { path: { templateId: template!.id }, body }, { signal });
    },
  });
  const refused = work.error ? asMessagingError(work.error).errors : [];
  const problems = [...refused, ...(preview.data?.problems ?? [])];
  return {
    work,
    values,
    setValues: (next: readonly string[]) => {
      work.reset();
      setValues(next);
    },
    bubble: given?.bubble,
    setExtras,
    /** Whether nothing but the number may be missing. */
    isFilled: given?.complete === true && texts.every((text) => text !== ''),
    /** What is wrong with the value at this place; an empty one is not wrong yet. */
    problemOf: (index: number) =>
      texts[index]
        ? problems.find(({ field }) => field.startsWith(`templateParameters[${index}]`))?.message
        : undefined,
    send: (to: string) => {
      if (!template || work.isPending) return;
      const { name: templateName, languageCode } = template;
      work.mutate({
        ...{ to, templateName, languageCode },
        templateParameters: texts.map((text) => ({ text })),
        ...given?.fields,
      });
    },
  };
}
