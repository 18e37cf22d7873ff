import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { createTemplate, getTemplate, updateTemplate } from '../../../client/generated/sdk.gen';
import type { TemplateCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { useSendOnce } from '../../app/send-once';
import { DraftNote } from '../../app/draft-note';
import { useDraft } from '../../app/use-draft';
import { useUrlFilters } from '../../app/url-filters';
import { t } from '../../language/translate';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { useDebounced } from '../../ui/use-debounced';
import { useFocusError } from '../../ui/use-focus-error';
import { useMounted } from '../../ui/use-mounted';
import { Empty, ErrorLine, Loaded } from '../../ui/states';
import { showToast } from '../../ui/toast';
import { CardFields } from './card-fields';
import { exampleFormat } from './example-types';
import { fieldMessage } from './field-message';
import { useKeptExamples } from './kept-examples';
import { LanguageList } from './language-list';
import { useLeftFields } from './use-left-fields';
import {
  type Draft,
  draftOf,
  editOf,
  hasUnsupportedButtons,
  missingExamples,
  nameFrom,
  NEW_DRAFT,
  requestOf,
  previewOf,
  withExamples,
  withKind,
} from './template-draft';
import { KIND_CHOICES, KIND_RULES } from './template-kinds';
import { ButtonPart, HeaderFields, PasswordPart, TextFields } from './template-parts';

const CATEGORIES = [
  { value: 'Utility', label: t('Utility: about an order, an appointment, an account') },
  { value: 'Marketing', label: t('Marketing: offers, news, invitations') },
  { value: 'Authentication', label: t('Authentication: one-time passwords') },
] as const;
/** Uploaded examples, of the header and by the keys of cards; `src` is the object URL of a picture or video. */
type Files = Readonly<Partial<Record<number | 'header', { handle: string; src: string | null }>>>;

/** The template editor, with live preview and validation. */
export default function TemplateEditorScreen({ params }: ScreenProps) {
  const [{ from, add }] = useUrlFilters({ from: '', add: '' });
  const { examplesOf } = useKeptExamples();
  const templateId = params.templateId ?? from;
  const isEdit = params.templateId !== undefined;
  const template = useQuery({
    queryKey: queryKeys.templates.one(templateId),
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    enabled: templateId !== '',
  });
  const title = isEdit ? t('Edit template') : add === 'language' ? t('Add a language') : t('Create template');
  return (
    <>
      <PageHeader
        title={title}
        lead={t('WhatsApp reviews each template, usually within minutes, sometimes within a day.')}
      />
      {templateId === '' ? (
        <Editor form="template.new" before={null} first={NEW_DRAFT} />
      ) : (
        <Loaded query={template}>
          {(found) =>
            isEdit && hasUnsupportedButtons(found) ? (
              <Empty
                title={t('This template can only be edited in WhatsApp')}
                icon="template"
                hint={t('It has button types that this service cannot edit.')}
              >
                <ButtonLink to={`/templates/${found.id}`}>{t('Back to template')}</ButtonLink>
              </Empty>
            ) : (
              <Editor
                key={found.id}
                form={`template.${isEdit ? found.id : `copy${add}.${found.id}`}`}
                before={isEdit ? found : null}
                first={{
                  ...withExamples(draftOf(found), examplesOf(found.id)),
                  ...(!isEdit && (add === 'language' ? { languageCode: '' } : { name: `${found.name}_2` })),
                }}
              />
            )
          }
        </Loaded>
      )}
    </>
  );
}

function Editor({ form, before, first }: { form: string; before: TemplateDto | null; first: Draft }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const isMounted = useMounted();
  const keptExamples = useKeptExamples();
  const kept = useDraft(form, first, { warns: true });
  // Uploaded files are not part of the draft.
  const [files, setFiles] = useState<Files>({});
  const draft = { ...kept.value, exampleHandle: files.header?.handle ?? '', cardHandles: handlesOf(files) };
  const [round, setRound] = useState(0);
  const [attempts, setAttempts] = useState(0);
  const leftFields = useLeftFields((field) => (field === 'name' || field === 'languageCode') && draft[field] === '');
  const place = useRef<HTMLFormElement>(null);
  const [isAsked, setAsked] = useState(false);
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const body = requestOf(draft);
  const checkedBody = useDebounced(body);
  const check = useQuery({
    queryKey: queryKeys.templates.check(checkedBody),
    queryFn: async ({ signal }) =>
      (await call(createTemplate, { body: { ...checkedBody, dryRun: true } }, { signal })) as TemplateCheckDto,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const once = useSendOnce(
    useCallback(async ({ request, edit }: { request: Draft; edit: TemplateDto | null }, idempotencyKey: string) => {
      if (!edit) {
        const created = await call(createTemplate, { body: requestOf(request) }, { idempotencyKey });
        return created as TemplateDto;
      }
      return call(updateTemplate, { path: { templateId: edit.id }, body: editOf(request, edit) });
    }, []),
    kept.place,
  );
  const change = (changed: Partial<Draft>) => {
    setError(null);
    setAsked(false);
    kept.change(changed);
  };
  const fieldErrors = error === null ? [] : asMessagingError(error).errors;
  const checkErrors = check.error === null ? [] : asMessagingError(check.error).errors;
  // An edited template conflicts with itself on name, language and text.
  const isOwnConflict = (field: string, code: string) =>
    before !== null && (field === 'name' || field === 'languageCode' || code === 'template_duplicate');
  const problems = [
    ...fieldErrors,
    ...checkErrors,
    ...(check.data?.problems ?? []).filter(({ field, code }) => !isOwnConflict(field, code)),
  ];
  // The service checks examples only of a correct text.
  if (problems.some(({ field }) => field === 'body.text')) problems.push(...missingExamples(draft));
  const shown = attempts > 0 ? problems : problems.filter(leftFields.mayShow);
  const problem = (field: string) =>
    fieldMessage(
      shown.find((one) => one.field === field),
      draft,
    );
  const nameProblem = problem('name');
  useFocusError(place, attempts);
  useFocusError(place, error);
  const isChecked = !check.isFetching && JSON.stringify(checkedBody) === JSON.stringify(body);
  const submitChecked = () => {
    setAsked(false);
    setAttempts(attempts + 1);
    if (problems.length > 0) return;
    setSending(true);
    once({ request: draft, edit: before })
      .then((template) => {
        void queries.invalidateQueries({ queryKey: queryKeys.templates.all });
        queries.setQueryData(queryKeys.templates.one(template.id), template);
        keptExamples.keep(template.id, values);
        kept.discard();
        showToast(t('Submitted for review'));
        if (isMounted.current) navigate(`/templates/${template.id}`);
      }, setError)
      .finally(() => setSending(false));
  };
  // What was typed just before the click is checked first.
  useEffect(() => {
    if (isAsked && isChecked) submitChecked();
  });
  const { template, values } = previewOf(draft);
  const isPassword = draft.kind === 'Password';
  const isApproved = before?.status === 'Approved';
  const categories = CATEGORIES.filter(({ value }) => KIND_RULES[draft.kind].categories.includes(value));
  const part = { draft, problem, onChange: change };
  const keepFile = (place: number | 'header', handle: string, src: string | null) =>
    setFiles((all) => ({ ...all, [place]: { handle, src } }));
  return (
    <form
      ref={place}
      className="templates-detail"
      {...leftFields.handlers}
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending) setAsked(true);
      }}
    >
      <div className="stack">
        <DraftNote
          draft={kept}
          fileName={missingFile(draft)}
          onStartOver={() => {
            setFiles({});
            setAttempts(0);
            leftFields.reset();
            setRound(round + 1);
          }}
        />
        <Panel title={t('Kind')}>
          <Select
            label={t('What the template is for')}
            value={draft.kind}
            choices={KIND_CHOICES}
            disabled={before !== null}
            onChange={(kind) => {
              setFiles({});
              change({ ...withKind(draft, kind), exampleName: '' });
            }}
          />
        </Panel>
        <Panel title={t('Basics')}>
          <div className="send-fields templates-basics">
            <Input
              label={t('Name')}
              name="name"
              value={draft.name}
              disabled={before !== null}
              placeholder={t('parcel_on_the_way')}
              hint={t('Lowercase letters, digits and _. Recipients do not see it.')}
              error={nameProblem && (draft.name === '' ? t('Fill in this field.') : nameProblem)}
              onChange={(name) => change({ name: nameFrom(name) })}
            />
            <Input
              label={t('Language')}
              name="languageCode"
              value={draft.languageCode}
              disabled={before !== null}
              list="template-languages"
              hint={t('Such as en_US, de or pt_BR.')}
              error={problem('languageCode')}
              onChange={(languageCode) => change({ languageCode })}
            />
            <LanguageList id="template-languages" />
            {categories.length > 1 && (
              <Select
                label={t('Category')}
                value={draft.category}
                choices={categories}
                disabled={isApproved}
                error={problem('category')}
                onChange={(category) => change({ category })}
              />
            )}
          </div>
        </Panel>
        {isPassword ? (
          <PasswordPart {...part} />
        ) : (
          <>
            <HeaderFields
              {...part}
              round={round}
              onUploaded={(handle, src, exampleName) => {
                keepFile('header', handle, src);
                kept.change({ exampleName });
              }}
            />
            <TextFields {...part} isNew={before === null} />
            {draft.kind === 'Carousel' && <CardFields {...part} round={round} onUploaded={keepFile} />}
            {(draft.buttons.length > 0 || KIND_RULES[draft.kind].addable.length > 0) && (
              <Panel title={t('Buttons')}>
                <ButtonPart {...part} />
              </Panel>
            )}
          </>
        )}
        {error !== null && <ErrorLine error={error} />}
        {check.isError && checkErrors.length === 0 && <ErrorLine error={check.error} />}
        <div className="send-bar">
          <p role="status">
            {shown.length > 0
              ? t('{count, plural, one {# field needs} other {# fields need}} attention', {
                  count: new Set(shown.map(({ field }) => field)).size,
                })
              : check.data && problems.length === 0
                ? t('Ready for review')
                : t('Not complete yet')}
          </p>
          <Button type="submit" variant="primary" icon="send" busy={sending || isAsked}>
            {t('Submit for review')}
          </Button>
        </div>
      </div>
      <MessagePreview
        content={bubbleOfTemplate(template, values, {
          src: files.header?.src,
          fileName: draft.exampleName || null,
          cards: draft.cards.map(({ key }) => files[key]?.src ?? null),
        })}
      />
    </form>
  );
}

/** The uploaded handles by the keys of the cards. */
function handlesOf(files: Files): Record<number, string> {
  return Object.fromEntries(Object.entries(files).map(([place, file]) => [place, file?.handle ?? '']));
}

/** The name of the first file that a restored draft needs again. */
function missingFile(draft: Draft): string | undefined {
  const { exampleHandle, exampleName, kind, cards, cardHandles } = draft;
  if (exampleFormat(draft) && exampleHandle === '' && exampleName) return exampleName;
  const card = kind === 'Carousel' && cards.find((one) => one.exampleName !== '' && !cardHandles[one.key]);
  return card ? card.exampleName : undefined;
}
