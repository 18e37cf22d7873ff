import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listTemplates } from '../../../client/generated/sdk.gen';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { CATEGORY_WORDS, TEMPLATE_STATUS_WORDS } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { Badge, toneOf } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { ButtonLink } from '../../ui/link';
import { Empty, Loaded, Loading } from '../../ui/states';
import { useDebounced } from '../../ui/use-debounced';
import { whyNotSendable } from '../../app/not-sendable';
import { ExtrasFields } from './extras-fields';
import type { SendExtras, TypedExtras } from './send-extras';

/** The choice of an approved template and of what its messages need beside values; lists the other templates with reasons. */
export function TemplateChoice({
  chosen,
  onChoose,
  typed,
  senderId,
  missed,
  error,
  onExtras,
}: {
  chosen: TemplateDto | null;
  onChoose: (template: TemplateDto | null) => void;
  /** Extras of an earlier visit. */
  typed?: TypedExtras;
  /** For whose messages files are uploaded. */
  senderId?: string;
  /** Everything else is there: the part of the extras that is missing. */
  missed?: SendExtras['missing'][number];
  /** Of a check or a send. */
  error?: unknown;
  /** Called when the extras change; absent: no fields for them. */
  onExtras?: (extras: SendExtras) => void;
}) {
  if (!chosen) return <TemplateList onChoose={onChoose} />;
  return (
    <>
      <div className="send-chosen">
        <div>
          <strong dir="auto">{chosen.name}</strong> <span className="hint">{chosen.languageCode}</span>
          <p className="hint">
            {CATEGORY_WORDS[chosen.category]}, {valuesText(chosen.parameterCount)}
          </p>
        </div>
        <Button small onClick={() => onChoose(null)}>
          {t('Choose another')}
        </Button>
      </div>
      {onExtras && (
        <ExtrasFields
          template={chosen}
          typed={typed}
          senderId={senderId}
          missed={missed}
          error={error}
          onChange={onExtras}
        />
      )}
    </>
  );
}

/** The number of values a template needs, such as “2 values per person”. */
export function valuesText(parameterCount: number): string {
  return t('{count, plural, =0 {no values} one {# value per person} other {# values per person}}', {
    count: parameterCount,
  });
}

function TemplateList({ onChoose }: { onChoose: (template: TemplateDto) => void }) {
  const session = useSession();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const search = useDebounced(wanted);
  const query = useQuery({
    queryKey: queryKeys.templates.choice(search),
    queryFn: ({ signal }) => call(listTemplates, { query: { pageSize: 100, ...(search && { search }) } }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <Input
        label={t('Search templates')}
        type="search"
        value={typed}
        placeholder={t('Name or text')}
        onChange={setTyped}
      />
      <Loaded query={query}>
        {({ items: loaded, totalCount }) => {
          const isFound = search === wanted && !query.isPlaceholderData;
          // Until they are found: Tab and Enter choose among the matching ones.
          const items = isFound ? loaded : loaded.filter((template) => matches(template, wanted));
          if (!isFound && items.length === 0) return <Loading />;
          const approved = items.filter((template) => whyNotSendable(template) === null);
          const unavailable = items.filter(
            (template) => template.status !== 'Deleted' && whyNotSendable(template) !== null,
          );
          if (approved.length === 0 && unavailable.length === 0) {
            return search ? (
              <Empty title={t('No matches')} icon="search" hint={t('Search by part of the name or text.')} />
            ) : (
              <Empty
                title={t('No templates yet')}
                icon="template"
                hint={t('WhatsApp only allows approved templates to start a conversation.')}
              >
                {session.can('templates:manage') && (
                  <ButtonLink to="/templates/new" variant="primary">
                    {t('Create template')}
                  </ButtonLink>
                )}
              </Empty>
            );
          }
          return (
            <>
              <ul className="send-choices" aria-label={t('Approved templates')}>
                {approved.map((template) => (
                  <li key={template.id}>
                    <button type="button" className="send-choice" onClick={() => onChoose(template)}>
                      <span className="send-choice-head">
                        <strong dir="auto">{template.name}</strong>
                        <span className="hint">
                          {template.languageCode} · {CATEGORY_WORDS[template.category]}
                        </span>
                      </span>
                      <span className="send-choice-text" dir="auto">
                        {template.bodyText}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
              {isFound && items.length < totalCount && (
                <p className="hint">
                  {t('Showing the first {shown, number} of {all, number}. Search to find others.', {
                    shown: items.length,
                    all: totalCount,
                  })}
                </p>
              )}
              {unavailable.length > 0 && <UnavailableTemplates templates={unavailable} />}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** As the service searches. */
function matches({ name, bodyText }: TemplateDto, search: string): boolean {
  return [name, bodyText].some((text) => text.toLowerCase().includes(search.toLowerCase()));
}

function UnavailableTemplates({ templates }: { templates: readonly TemplateDto[] }) {
  return (
    <details className="send-others">
      <summary>
        {t('{count, plural, one {# unavailable template} other {# unavailable templates}}', {
          count: templates.length,
        })}
      </summary>
      <ul className="send-others-list">
        {templates.map((template) => (
          <li key={template.id}>
            <strong dir="auto">{template.name}</strong> <span className="hint">{template.languageCode}</span>{' '}
            <Badge tone={toneOf(template.status)}>{TEMPLATE_STATUS_WORDS[template.status]}</Badge>
            <p className="hint">{whyNotSendable(template)}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
