import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listTemplates } from '../../../client/generated/sdk.gen';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { count, counted } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { Empty, Loaded } from '../../ui/states';
import { whyNotSendable } from '../templates/template-words';
import { HeaderExtrasFields, type SendExtras } from './header-extras';

/** Chooses one of the approved templates, with what its header needs; says of the others why they cannot be sent. */
export function TemplateChoice({
  chosen,
  onChoose,
  onExtras,
}: {
  chosen: TemplateDto | null;
  onChoose: (template: TemplateDto | null) => void;
  /** Hears of the picture, video, document or place of the header. */
  onExtras?: (extras: SendExtras) => void;
}) {
  if (!chosen) return <TemplateList onChoose={onChoose} />;
  return (
    <>
      <div className="send-chosen">
        <div>
          <strong dir="auto">{chosen.name}</strong> <span className="hint">{chosen.languageCode}</span>
          <p className="hint">
            {chosen.category}, {valuesText(chosen.parameterCount)}
          </p>
        </div>
        <Button small onClick={() => onChoose(null)}>
          Choose another
        </Button>
      </div>
      {onExtras && <HeaderExtrasFields template={chosen} onChange={onExtras} />}
    </>
  );
}

/** “2 values”, as a template needs them of each recipient. */
export function valuesText(parameterCount: number): string {
  if (parameterCount === 0) return 'the same text for everybody';
  return `${counted(parameterCount, 'value')} for each person`;
}

function TemplateList({ onChoose }: { onChoose: (template: TemplateDto) => void }) {
  const session = useSession();
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['templates', 'choice', search],
    queryFn: ({ signal }) =>
      call(listTemplates, { query: { pageSize: 100, ...(search.trim() && { search: search.trim() }) } }, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <Input
        label="Search the templates"
        type="search"
        value={search}
        placeholder="Name or words of the text"
        onChange={setSearch}
      />
      <Loaded query={query}>
        {({ items, totalCount }) => {
          const approved = items.filter(({ status }) => status === 'Approved');
          const others = items.filter(({ status }) => status !== 'Approved' && status !== 'Deleted');
          if (approved.length === 0 && others.length === 0) {
            return search.trim() ? (
              <Empty title="No template has these words" icon="search" hint="Look for a part of its name or text." />
            ) : (
              <Empty
                title="There is no template yet"
                icon="template"
                hint="WhatsApp lets a business begin a conversation with approved templates only."
              >
                {session.can('templates:manage') && (
                  <ButtonLink to="/templates/new" variant="primary">
                    Write a template
                  </ButtonLink>
                )}
              </Empty>
            );
          }
          return (
            <>
              <ul className="send-choices" aria-label="Templates that can be sent">
                {approved.map((template) => (
                  <li key={template.id}>
                    <button type="button" className="send-choice" onClick={() => onChoose(template)}>
                      <span className="send-choice-head">
                        <strong dir="auto">{template.name}</strong>
                        <span className="hint">
                          {template.languageCode} · {template.category}
                        </span>
                      </span>
                      <span className="send-choice-text" dir="auto">
                        {template.bodyText}
                      </span>
                    </button>
                  </li>
                ))}
              </ul>
              {items.length < totalCount && (
                <p className="hint">
                  The first {count(items.length)} of {count(totalCount)}: search for the others.
                </p>
              )}
              {others.length > 0 && <Others templates={others} />}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function Others({ templates }: { templates: readonly TemplateDto[] }) {
  return (
    <details className="send-others">
      <summary>{counted(templates.length, 'template')} that cannot be sent now, and why</summary>
      <ul className="send-others-list">
        {templates.map((template) => (
          <li key={template.id}>
            <strong dir="auto">{template.name}</strong> <span className="hint">{template.languageCode}</span>{' '}
            <Badge>{template.status}</Badge>
            <p className="hint">{whyNotSendable(template)}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
