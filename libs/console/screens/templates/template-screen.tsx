import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteTemplate, getTemplate, unpauseTemplate } from '../../../client/generated/sdk.gen';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { CATEGORY_WORDS, QUALITY_WORDS, TEMPLATE_STATUS_WORDS } from '../../app/vocabulary';
import { t } from '../../language/translate';
import { Badge, toneOf } from '../../ui/badge';
import { MessagePreview } from '../../ui/bubble/message-preview';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ButtonLink, Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { ErrorLine, Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { SampleFiles } from '../send/sample-files';
import { valuesText } from '../send/template-choice';
import { ValueFields } from '../send/value-fields';
import { whyNotSendable } from '../../app/not-sendable';
import { useKeptExamples } from './kept-examples';

const EDITABLE: readonly string[] = ['Approved', 'Rejected', 'Paused'];
const REVIEW_POLL_MS = 5000;

/** One template: preview, status and actions. */
export default function TemplateScreen({ params }: ScreenProps) {
  const templateId = params.templateId ?? '';
  const template = useQuery({
    queryKey: queryKeys.templates.one(templateId),
    queryFn: ({ signal }) => call(getTemplate, { path: { templateId } }, { signal }),
    // Poll during the review.
    refetchInterval: ({ state }) => (state.data?.status === 'Pending' ? REVIEW_POLL_MS : false),
  });
  return (
    <>
      <PageHeader
        title={template.data?.name ?? t('Template')}
        asOf={<AsOf at={template.dataUpdatedAt} />}
        actions={template.data && <Actions template={template.data} />}
      />
      <Loaded query={template}>{(found) => <TemplateDetails template={found} />}</Loaded>
    </>
  );
}

function Actions({ template }: { template: TemplateDto }) {
  const session = useSession();
  const [deleting, setDeleting] = useState(false);
  const { id, status } = template;
  if (status === 'Deleted') return null;
  return (
    <>
      {session.can('templates:manage') && (
        <>
          <ButtonLink to={`/templates/new?from=${id}`} icon="copy">
            {t('Copy')}
          </ButtonLink>
          {EDITABLE.includes(status) && <ButtonLink to={`/templates/${id}/edit`}>{t('Edit')}</ButtonLink>}
          {status !== 'Disabled' && <Button onClick={() => setDeleting(true)}>{t('Delete…')}</Button>}
          <DeleteTemplate template={template} open={deleting} onClose={() => setDeleting(false)} />
        </>
      )}
      {whyNotSendable(template) === null && session.can('messaging:send') && (
        <ButtonLink to={`/send/campaign?template=${id}`} variant="primary" icon="send">
          {t('Send')}
        </ButtonLink>
      )}
    </>
  );
}

function DeleteTemplate({ template, open, onClose }: { template: TemplateDto; open: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [ready, setReady] = useState(false);
  const remove = useMutation({
    mutationFn: () => call(deleteTemplate, { path: { templateId: template.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: queryKeys.templates.all });
      showToast(t('Template deleted'));
      navigate('/templates');
    },
  });
  return (
    <FormDialog
      open={open}
      title={t('Delete {name}?', { name: template.name })}
      lead={t(
        'The {language} version is also deleted in WhatsApp. Jobs that use it are paused, and WhatsApp blocks the name for 30 days.',
        { language: template.languageCode },
      )}
      danger
      leaves
      cancel={t('Cancel')}
      action={t('Delete template')}
      disabled={!ready}
      mutation={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <ConfirmByTyping expected={template.name} label={t('Template name')} onReady={setReady} />
    </FormDialog>
  );
}

function TemplateDetails({ template }: { template: TemplateDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const { examplesOf } = useKeptExamples();
  const [values, setValues] = useState(() => examplesOf(template.id));
  const unpause = useMutation({
    mutationFn: () => call(unpauseTemplate, { path: { templateId: template.id } }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.templates.one(template.id), changed);
      showToast(t('Template unpaused'));
    },
  });
  const { status, languageCode, category, qualityRating, parameterCount, updatedAt, lastSyncedAt } = template;
  const reason = whyNotSendable(template);
  return (
    <div className="templates-detail">
      <div className="stack">
        {reason !== null && (
          <Note tone={status === 'Pending' ? 'plain' : 'warning'}>
            <p>{reason}</p>
            {status === 'Paused' && session.can('templates:manage') && (
              <Button small busy={unpause.isPending} onClick={() => unpause.mutate()}>
                {t('Unpause')}
              </Button>
            )}
          </Note>
        )}
        {unpause.isError && <ErrorLine error={unpause.error} />}
        <Panel title={t('Details')}>
          <Facts>
            <Fact label={t('Status')}>
              <Badge tone={toneOf(status)}>{TEMPLATE_STATUS_WORDS[status]}</Badge>
            </Fact>
            <Fact label={t('Language')}>
              {languageCode}{' '}
              {status !== 'Deleted' && session.can('templates:manage') && (
                <Link to={`/templates/new?from=${template.id}&add=language`}>{t('Add a language')}</Link>
              )}
            </Fact>
            <Fact label={t('Category')}>{CATEGORY_WORDS[category]}</Fact>
            <Fact label={t('Quality')}>
              {qualityRating && qualityRating !== 'Unknown' ? (
                <Badge tone={toneOf(qualityRating)}>{QUALITY_WORDS[qualityRating]}</Badge>
              ) : (
                t('Not rated yet')
              )}
            </Fact>
            <Fact label={t('Values')}>{valuesText(parameterCount)}</Fact>
            <Fact label={t('Last changed')}>
              <Time at={updatedAt} />
            </Fact>
            {lastSyncedAt && (
              <Fact label={t('Last synced')}>
                <Time at={lastSyncedAt} />
              </Fact>
            )}
          </Facts>
        </Panel>
        {parameterCount > 0 && (
          <Panel title={t('Preview with values')}>
            <div className="send-fields">
              <ValueFields template={template} values={values} onChange={setValues} />
            </div>
          </Panel>
        )}
        <SampleFiles template={template} />
      </div>
      <MessagePreview content={bubbleOfTemplate(template, values)} />
    </div>
  );
}
