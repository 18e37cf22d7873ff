import { useState } from 'react';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { useUrlFilters } from '../../app/url-filters';
import { type Draft, useDraft } from '../../app/use-draft';
import { useMounted } from '../../ui/use-mounted';
import type { TypedExtras } from './send-extras';

/** What every form that sends a template keeps. */
export interface SendDraft {
  templateId: string;
  extras: TypedExtras;
  /** Null: the default sender. */
  senderId: string | null;
}

/**
 * The form of a send: its draft, and the template that is chosen in the URL or, without one, in the draft. A name in the URL is where it
 * starts. A job that is used again, in the URL, has a draft of its own.
 */
export interface SendForm<T> {
  draft: Draft<T>;
  value: T;
  change: (changed: Partial<T>) => void;
  templateId: string;
  chooseTemplate: (template: TemplateDto | null) => void;
  /** Changes with the template and when the form starts over. */
  key: string;
  startOver: () => void;
  /** Removes the draft after sending; the template stays chosen. */
  finish: () => void;
}

/**
 * The job that is used again, of the URL, for all or without those whom it reached; empty: none. The `key` of a component that calls
 * `useSendForm`.
 */
export function useReusedJob(): string {
  const [{ reuse, without }] = useUrlFilters({ reuse: '', without: '' });
  return without ? `${reuse}.rest` : reuse;
}

/** The form named `form`; `ofTemplate`: what another template starts with. */
export function useSendForm<T extends SendDraft & { name?: string }>(
  form: string,
  first: T,
  ofTemplate: Partial<T>,
  isEmpty: (value: T) => boolean,
): SendForm<T> {
  const [{ template, name }, setFilters] = useUrlFilters({ template: '', name: '' });
  const reused = useReusedJob();
  const [begin] = useState(() => (name ? { ...first, name } : first));
  const [round, setRound] = useState(0);
  const isMounted = useMounted();
  const draft = useDraft(reused ? `${form}.${reused}` : form, begin, {
    warns: true,
    isEmpty: (value) =>
      JSON.stringify(value) === JSON.stringify(begin) || isEmpty(value.name === name ? { ...value, name: '' } : value),
  });
  const templateId = template || draft.value.templateId;
  const fresh: Partial<T> = { ...ofTemplate, extras: {}, senderId: null };
  const isOther = templateId !== draft.value.templateId;
  return {
    draft,
    value: isOther ? { ...draft.value, ...fresh, templateId } : draft.value,
    change: (changed) => draft.change({ ...(isOther && fresh), templateId, ...changed }),
    templateId,
    chooseTemplate: (next) => {
      draft.change({ ...fresh, templateId: next?.id ?? '' });
      setFilters({ template: next?.id ?? '' });
    },
    key: [templateId, round].join(),
    startOver: () => setRound(round + 1),
    finish: () => {
      // The answer may arrive on another screen.
      if (isMounted.current) setFilters({ template: templateId });
      draft.discard();
    },
  };
}
