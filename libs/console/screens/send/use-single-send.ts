import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { previewTemplate, sendTemplate } from '../../../client/generated/sdk.gen';
import type { SentMessageDto, TemplateDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSendOnce } from '../../app/send-once';
import { slotsOf } from '../../ui/bubble/template-values';
import { useDebounced } from '../../ui/use-debounced';
import { extrasOf, firstMissing, type SendExtras, type TypedExtras } from './send-extras';

type SingleSend = NonNullable<Parameters<typeof sendTemplate>[0]>['body'];

/** What a single send keeps in a draft. */
interface TypedSend {
  values: readonly string[];
  extras: TypedExtras;
}

/** The form state of a single send, kept in a draft: values, extras, validation, and a send that ignores repeated clicks. */
export function useSingleSend(
  template: TemplateDto | null,
  outcome: { onSuccess: (sent: SentMessageDto, request: SingleSend) => void; onSettled?: () => void },
  { value: first, change, place }: { value: TypedSend; change: (changed: Partial<TypedSend>) => void; place: string },
) {
  const [values, setValues] = useState(first.values);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const once = useSendOnce(
    useCallback(
      (body: SingleSend, idempotencyKey: string, pauseSignal?: AbortSignal) =>
        call(sendTemplate, { body }, { idempotencyKey, pauseSignal }),
      [],
    ),
    place,
  );
  const mutation = useMutation({ mutationFn: once, ...outcome });
  const given = extras ?? (template && extrasOf(template, first.extras));
  const texts = template ? slotsOf(template).map((_slot, index) => (values[index] ?? '').trim()) : [];
  const debounced = useDebounced(texts);
  const preview = useQuery({
    queryKey: queryKeys.templates.preview(template?.id, debounced),
    enabled: debounced.some((text) => text !== ''),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const body = { templateParameters: debounced.map((text) => ({ text })) };
      return call(previewTemplate, { path: { templateId: template!.id }, body }, { signal });
    },
  });
  const fieldErrors = mutation.error ? asMessagingError(mutation.error).errors : [];
  const problems = [...fieldErrors, ...(preview.data?.problems ?? [])];
  return {
    mutation,
    values,
    setValues: (next: readonly string[]) => {
      mutation.reset();
      setValues(next);
      change({ values: next });
    },
    bubble: given?.bubble,
    setExtras: (next: SendExtras) => {
      mutation.reset();
      setExtras(next);
      change({ extras: next.typed });
    },
    /** Removes them. */
    clearExtras: () => setExtras(null),
    /** Whether everything except the phone number is complete. */
    isFilled: given?.missing.length === 0 && texts.every((text) => text !== ''),
    /** What is missing of the extras, if all values are there; undefined: nothing. */
    missing: texts.every((text) => text !== '') ? firstMissing(given) : undefined,
    /** Validation message of the value at `index`; none while it is empty. */
    problemOf: (index: number) =>
      texts[index] ? problems.find(({ field }) => field.startsWith(`templateParameters[${index}]`)) : undefined,
    /** `isReply`: it replies to what the person wrote. */
    send: (to: string, senderId?: string, isReply?: true) => {
      if (!template || mutation.isPending) return;
      const { name: templateName, languageCode } = template;
      mutation.mutate({
        ...{ to, templateName, languageCode, senderId, reply: isReply },
        templateParameters: texts.map((text) => ({ text })),
        ...given?.fields,
      });
    },
  };
}
