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
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { BodyText } from './body-text';
import { ButtonFields } from './button-fields';
import { ExampleMedia } from './example-media';
import { exampleFormat } from './example-types';
import { fieldMessage } from './field-message';
import { useKeptExamples } from './kept-examples';
import { LanguageList } from './language-list';
import { useLeftFields } from './use-left-fields';
import {
  type Draft,
  draftOf,
  editOf,
  exampleField,
  hasUnsupportedButtons,
  missingExamples,
  nameFrom,
  NEW_DRAFT,
  placeholdersOf,
  requestOf,
  previewOf,
  withExamples,
} from './template-draft';

const CATEGORIES = [
  { value: 'Utility', label: t('Utility: about an order, an appointment, an account') },
  { value: 'Marketing', label: t('Marketing: offers, news, invitations') },
  { value: 'Authentication', label: t('Authentication: one-time passwords') },
] as const;
const HEADERS = [
  { value: 'None', label: t('No header') },
  { value: 'Text', label: t('Text') },
  { value: 'Image', label: t('Image') },
  { value: 'Video', label: t('Video') },
  { value: 'Document', label: t('Document') },
  { value: 'Location', label: t('Location') },
] as const;
const FORMATS = [
  { value: 'Positional', label: t('Numbers: {{1}}, {{2}}') },
  { value: 'Named', label: t('Names: {{first_name}}') },
] as const;
const MAX_LENGTH = { header: 60, body: 1024, footer: 60 };

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
  // An uploaded file is not part of the draft.
  const [exampleHandle, setHandle] = useState('');
  const draft = { ...kept.value, exampleHandle };
  const [round, setRound] = useState(0);
  const [src, setSrc] = useState<string | null>(null);
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
  const isPassword = draft.category === 'Authentication';
  const isApproved = before?.status === 'Approved';
  const example = exampleFormat(draft);
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
          fileName={(example && exampleHandle === '' && draft.exampleName) || undefined}
          onStartOver={() => {
            setSrc(null);
            setHandle('');
            setAttempts(0);
            leftFields.reset();
            setRound(round + 1);
          }}
        />
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
            <Select
              label={t('Category')}
              value={draft.category}
              choices={CATEGORIES}
              disabled={isApproved}
              error={problem('category')}
              onChange={(category) => change({ category })}
            />
          </div>
        </Panel>
        {isPassword ? (
          <Panel title={t('Text')}>
            <div className="stack">
              <p className="hint">{t('WhatsApp provides the text of one-time passwords in each language.')}</p>
              <Switch
                label={t('Add a security warning')}
                checked={draft.securityRecommendation}
                onChange={(securityRecommendation) => change({ securityRecommendation })}
              />
              <Input
                label={t('Validity in minutes')}
                name="codeExpirationMinutes"
                inputMode="numeric"
                value={draft.expirationMinutes}
                error={problem('codeExpirationMinutes')}
                onChange={(minutes) => change({ expirationMinutes: minutes.replaceAll(/\D/g, '') })}
              />
            </div>
          </Panel>
        ) : (
          <>
            <Panel title={t('Header')}>
              <div className="stack">
                <Select
                  label={t('Header')}
                  value={draft.headerFormat}
                  choices={HEADERS}
                  error={problem('header')}
                  onChange={(headerFormat) => {
                    setHandle('');
                    change({ headerFormat, exampleName: '' });
                  }}
                />
                {draft.headerFormat === 'Text' && (
                  <Input
                    label={t('Header text')}
                    name="header.text"
                    value={draft.headerText}
                    dir="auto"
                    hint={charactersUsed(draft.headerText, MAX_LENGTH.header)}
                    error={problem('header.text')}
                    onChange={(headerText) => change({ headerText })}
                  />
                )}
                {draft.headerFormat === 'Text' && placeholdersOf(draft.headerText).length > 0 && (
                  <Input
                    label={t('Header example')}
                    name="header.example"
                    value={draft.headerExample}
                    dir="auto"
                    error={problem('header.example')}
                    onChange={(headerExample) => change({ headerExample })}
                  />
                )}
                {example && (
                  <ExampleMedia
                    format={example}
                    key={[draft.headerFormat, round].join(' ')}
                    problem={problem('header.exampleHandle')}
                    onUploaded={(handle, shownAt, exampleName) => {
                      setSrc(shownAt);
                      kept.change({ exampleName });
                      setHandle(handle);
                    }}
                  />
                )}
              </div>
            </Panel>
            <Panel title={t('Text')}>
              <div className="stack">
                <BodyText
                  draft={draft}
                  hint={charactersUsed(draft.bodyText, MAX_LENGTH.body)}
                  error={problem('body.text') ?? problem('body')}
                  onChange={(bodyText) => change({ bodyText })}
                />
                <Select
                  label={t('Variable format')}
                  value={draft.parameterFormat}
                  choices={FORMATS}
                  disabled={before !== null}
                  onChange={(parameterFormat) => change({ parameterFormat })}
                />
                {placeholdersOf(draft.bodyText).map((name, index) => {
                  const field = exampleField(draft, name, index);
                  return (
                    <Input
                      key={name}
                      label={t('Example for {variable}', { variable: `{{${name}}}` })}
                      name={field}
                      value={draft.examples[name] ?? ''}
                      dir="auto"
                      error={problem(field) ?? (index === 0 ? problem('body.examples') : undefined)}
                      onChange={(example) => change({ examples: { ...draft.examples, [name]: example } })}
                    />
                  );
                })}
                <Input
                  label={t('Footer')}
                  name="footer.text"
                  value={draft.footerText}
                  dir="auto"
                  hint={charactersUsed(draft.footerText, MAX_LENGTH.footer)}
                  error={problem('footer.text')}
                  onChange={(footerText) => change({ footerText })}
                />
              </div>
            </Panel>
            <Panel title={t('Buttons')}>
              <ButtonFields buttons={draft.buttons} onChange={(buttons) => change({ buttons })} problem={problem} />
            </Panel>
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
      <MessagePreview content={bubbleOfTemplate(template, values, { src, fileName: draft.exampleName || null })} />
    </form>
  );
}

/** The character count of a text; like WhatsApp, counts an emoji as one character. */
function charactersUsed(text: string, maxLength: number): string {
  return t('{used} of {maximum} characters.', { used: [...text].length, maximum: maxLength });
}
