import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation } from 'wouter';
import { createTemplate, getTemplate, updateTemplate } from '../../../client/generated/sdk.gen';
import type { TemplateCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { asMessagingError, call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { useSendOnce } from '../../app/send-once';
import { useUrlFilters } from '../../app/url-filters';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { Input, TextArea } from '../../ui/field';
import { counted } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Panel } from '../../ui/panel';
import { Select } from '../../ui/select';
import { useDebounced } from '../../ui/use-debounced';
import { Empty, ErrorLine, Loaded } from '../../ui/states';
import { Switch } from '../../ui/switch';
import { showToast } from '../../ui/toast';
import { ButtonFields } from './button-fields';
import { ExampleMedia } from './example-media';
import {
  type Draft,
  draftOf,
  editOf,
  hasUnsupportedButtons,
  NEW_DRAFT,
  placeholdersOf,
  requestOf,
  previewOf,
} from './template-draft';

const CATEGORIES = [
  { value: 'Utility', label: 'Utility: about an order, an appointment, an account' },
  { value: 'Marketing', label: 'Marketing: offers, news, invitations' },
  { value: 'Authentication', label: 'Authentication: one-time passwords' },
] as const;
const HEADERS = (['None', 'Text', 'Image', 'Video', 'Document', 'Location'] as const).map((value) => ({
  value,
  label: value === 'None' ? 'No header' : value,
}));
const FORMATS = [
  { value: 'Positional', label: 'Numbers: {{1}}, {{2}}' },
  { value: 'Named', label: 'Names: {{first_name}}' },
] as const;
const MAX_LENGTH = { header: 60, body: 1024, footer: 60 };

/** The template editor, with live preview and validation. */
export default function TemplateEditorScreen({ params }: ScreenProps) {
  const [{ from }] = useUrlFilters({ from: '' });
  const templateId = params.templateId ?? from;
  const isEdit = params.templateId !== undefined;
  const template = useQuery({
    queryKey: queryKeys.templates.one(templateId),
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    enabled: templateId !== '',
  });
  const title = isEdit ? 'Edit template' : 'Create template';
  return (
    <>
      <PageHeader
        title={title}
        lead="WhatsApp reviews each template, usually within minutes, sometimes within a day."
      />
      {templateId === '' ? (
        <Editor before={null} first={NEW_DRAFT} />
      ) : (
        <Loaded query={template}>
          {(found) =>
            isEdit && hasUnsupportedButtons(found) ? (
              <Empty
                title="This template can only be edited in WhatsApp"
                icon="template"
                hint="It has button types that this service cannot edit."
              >
                <ButtonLink to={`/templates/${found.id}`}>Back to template</ButtonLink>
              </Empty>
            ) : (
              <Editor
                key={found.id}
                before={isEdit ? found : null}
                first={isEdit ? draftOf(found) : { ...draftOf(found), name: `${found.name}_2` }}
              />
            )
          }
        </Loaded>
      )}
    </>
  );
}

function Editor({ before, first }: { before: TemplateDto | null; first: Draft }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(first);
  const [src, setSrc] = useState<string | null>(null);
  const [wasSubmitted, setSubmitted] = useState(false);
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
  );
  const change = (changed: Partial<Draft>) => {
    setError(null);
    setDraft({ ...draft, ...changed });
  };
  const fieldErrors = error === null ? [] : asMessagingError(error).errors;
  // An edited template conflicts with itself on name, language and text.
  const isOwnConflict = (field: string, code: string) =>
    before !== null && (field === 'name' || field === 'languageCode' || code === 'template_duplicate');
  const problems = [
    ...fieldErrors,
    ...(check.data?.problems ?? []).filter(({ field, code }) => !isOwnConflict(field, code)),
  ];
  // Missing fields are reported only after the first attempt to submit.
  const shown = wasSubmitted
    ? problems
    : problems.filter(({ code, field }) => code !== 'required' && !(field === 'name' && draft.name === ''));
  const problem = (field: string) => fieldMessage(shown.find((one) => one.field === field));
  const submit = () => {
    setSubmitted(true);
    if (problems.length > 0 || check.isFetching || sending) return;
    setSending(true);
    once({ request: draft, edit: before })
      .then((template) => {
        void queries.invalidateQueries({ queryKey: queryKeys.templates.all });
        queries.setQueryData(queryKeys.templates.one(template.id), template);
        showToast('Submitted for review');
        navigate(`/templates/${template.id}`);
      }, setError)
      .finally(() => setSending(false));
  };
  const { template, values } = previewOf(draft);
  const isPassword = draft.category === 'Authentication';
  return (
    <form
      className="templates-detail"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="stack">
        <Panel title="Basics">
          <div className="send-fields">
            <Input
              label="Name"
              value={draft.name}
              disabled={before !== null}
              placeholder="parcel_on_the_way"
              hint="Lowercase letters, digits and _. Recipients do not see it."
              error={problem('name')}
              onChange={(name) => change({ name: name.toLowerCase().replaceAll(/[\s-]/g, '_') })}
            />
            <Input
              label="Language"
              value={draft.languageCode}
              disabled={before !== null}
              hint="Such as en_US, de or pt_BR."
              error={problem('languageCode')}
              onChange={(languageCode) => change({ languageCode: languageCode.trim() })}
            />
            <Select
              label="Category"
              value={draft.category}
              choices={CATEGORIES}
              disabled={before?.status === 'Approved'}
              error={problem('category')}
              onChange={(category) => change({ category })}
            />
          </div>
        </Panel>
        {isPassword ? (
          <Panel title="Text">
            <div className="stack">
              <p className="hint">WhatsApp provides the text of one-time passwords in each language.</p>
              <Switch
                label="Add a security warning"
                checked={draft.securityRecommendation}
                onChange={(securityRecommendation) => change({ securityRecommendation })}
              />
              <Input
                label="Validity in minutes"
                inputMode="numeric"
                value={draft.expirationMinutes}
                error={problem('codeExpirationMinutes')}
                onChange={(minutes) => change({ expirationMinutes: minutes.replaceAll(/\D/g, '') })}
              />
            </div>
          </Panel>
        ) : (
          <>
            <Panel title="Header">
              <div className="stack">
                <Select
                  label="Header"
                  value={draft.headerFormat}
                  choices={HEADERS}
                  error={problem('header')}
                  onChange={(headerFormat) => change({ headerFormat, exampleHandle: '' })}
                />
                {draft.headerFormat === 'Text' && (
                  <Input
                    label="Header text"
                    value={draft.headerText}
                    dir="auto"
                    hint={charactersUsed(draft.headerText, MAX_LENGTH.header)}
                    error={problem('header.text')}
                    onChange={(headerText) => change({ headerText })}
                  />
                )}
                {draft.headerFormat === 'Text' && placeholdersOf(draft.headerText).length > 0 && (
                  <Input
                    label="Header example"
                    value={draft.headerExample}
                    dir="auto"
                    error={problem('header.example')}
                    onChange={(headerExample) => change({ headerExample })}
                  />
                )}
                {['Image', 'Video', 'Document'].includes(draft.headerFormat) && (
                  <ExampleMedia
                    key={draft.headerFormat}
                    problem={problem('header.exampleHandle')}
                    onUploaded={(exampleHandle, shownAt) => {
                      setSrc(shownAt);
                      setDraft((now) => ({ ...now, exampleHandle }));
                    }}
                  />
                )}
              </div>
            </Panel>
            <Panel title="Text">
              <div className="stack">
                <TextArea
                  label="Body text"
                  rows={6}
                  value={draft.bodyText}
                  dir="auto"
                  hint={`${charactersUsed(draft.bodyText, MAX_LENGTH.body)} *bold*, _italic_, ~struck~. Variables: {{1}} or {{first_name}}.`}
                  error={problem('body.text') ?? problem('body')}
                  onChange={(bodyText) => change({ bodyText })}
                />
                <Select
                  label="Variable format"
                  value={draft.parameterFormat}
                  choices={FORMATS}
                  disabled={before !== null}
                  onChange={(parameterFormat) => change({ parameterFormat })}
                />
                {placeholdersOf(draft.bodyText).map((name, index) => (
                  <Input
                    key={name}
                    label={`Example for {{${name}}}`}
                    value={draft.examples[name] ?? ''}
                    dir="auto"
                    error={
                      problem(
                        draft.parameterFormat === 'Named' ? `body.examples.${name}` : `body.examples[${index}]`,
                      ) ?? (index === 0 ? problem('body.examples') : undefined)
                    }
                    onChange={(example) => change({ examples: { ...draft.examples, [name]: example } })}
                  />
                ))}
                <Input
                  label="Footer"
                  value={draft.footerText}
                  dir="auto"
                  hint={charactersUsed(draft.footerText, MAX_LENGTH.footer)}
                  error={problem('footer.text')}
                  onChange={(footerText) => change({ footerText })}
                />
              </div>
            </Panel>
            <Panel title="Buttons">
              <ButtonFields buttons={draft.buttons} onChange={(buttons) => change({ buttons })} problem={problem} />
            </Panel>
          </>
        )}
        {error !== null && <ErrorLine error={error} />}
        {check.isError && <ErrorLine error={check.error} />}
        <div className="send-bar">
          <p role="status">
            {problems.length === 0
              ? 'Ready for review'
              : problems.length === 1
                ? '1 field needs attention'
                : `${counted(problems.length, 'field')} need attention`}
          </p>
          <Button type="submit" variant="primary" icon="send" busy={sending}>
            Submit for review
          </Button>
        </div>
      </div>
      <div className="bubble-wall">
        <MessageBubble label="Message" content={bubbleOfTemplate(template, values, { src })} />
      </div>
    </form>
  );
}

/** The validation message of a field, without the field path, as it is shown next to the field. */
function fieldMessage(problem: { field: string; message: string } | undefined): string | undefined {
  if (!problem?.message.startsWith(`${problem.field} `)) return problem?.message;
  const rest = problem.message.slice(problem.field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The character count of a text; like WhatsApp, counts an emoji as one character. */
function charactersUsed(text: string, maxLength: number): string {
  return `${[...text].length} of ${maxLength} characters.`;
}
