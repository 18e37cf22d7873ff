import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { deleteTemplate, getTemplate, unpauseTemplate } from '../../../client/generated/sdk.gen';
import type { TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import type { ScreenProps } from '../../app/screen-props';
import { useSession } from '../../app/session';
import { Badge } from '../../ui/badge';
import { MessageBubble } from '../../ui/bubble/message-bubble';
import { bubbleOfTemplate } from '../../ui/bubble/template-values';
import { Button } from '../../ui/button';
import { ConfirmByTyping } from '../../ui/dialog';
import { FormDialog } from '../../ui/form-dialog';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Fact, Facts, Panel } from '../../ui/panel';
import { ErrorLine, Loaded, Note } from '../../ui/states';
import { AsOf, Time } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { SampleFiles } from '../send/sample-files';
import { valuesText } from '../send/template-choice';
import { ValueFields } from '../send/value-fields';
import { whyNotSendable } from './template-labels';

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
        title={template.data?.name ?? 'Template'}
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
            Copy
          </ButtonLink>
          {EDITABLE.includes(status) && <ButtonLink to={`/templates/${id}/edit`}>Edit</ButtonLink>}
          {status !== 'Disabled' && <Button onClick={() => setDeleting(true)}>Delete…</Button>}
          <DeleteTemplate template={template} open={deleting} onClose={() => setDeleting(false)} />
        </>
      )}
      {status === 'Approved' && session.can('messaging:send') && (
        <ButtonLink to={`/send/campaign?template=${id}`} variant="primary" icon="send">
          Send
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
      showToast('Template deleted');
      navigate('/templates');
    },
  });
  return (
    <FormDialog
      open={open}
      title={`Delete ${template.name}?`}
      lead={`The ${template.languageCode} version is also deleted in WhatsApp. Jobs that use it are paused, and WhatsApp blocks the name for 30 days.`}
      danger
      cancel="Cancel"
      action="Delete template"
      disabled={!ready}
      mutation={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <ConfirmByTyping expected={template.name} label="Template name" onReady={setReady} />
    </FormDialog>
  );
}

function TemplateDetails({ template }: { template: TemplateDto }) {
  const session = useSession();
  const queries = useQueryClient();
  const [values, setValues] = useState<readonly string[]>([]);
  const unpause = useMutation({
    mutationFn: () => call(unpauseTemplate, { path: { templateId: template.id } }),
    onSuccess: (changed) => {
      queries.setQueryData(queryKeys.templates.one(template.id), changed);
      showToast('Template unpaused');
    },
  });
  const { status, languageCode, category, qualityRating, parameterCount, updatedAt, lastSyncedAt } = template;
  return (
    <div className="templates-detail">
      <div className="stack">
        {status !== 'Approved' && (
          <Note tone={status === 'Pending' ? 'plain' : 'warning'}>
            <p>{whyNotSendable(template)}</p>
            {status === 'Paused' && session.can('templates:manage') && (
              <Button small busy={unpause.isPending} onClick={() => unpause.mutate()}>
                Unpause
              </Button>
            )}
          </Note>
        )}
        {unpause.isError && <ErrorLine error={unpause.error} />}
        <Panel title="Details">
          <Facts>
            <Fact label="Status">
              <Badge>{status}</Badge>
            </Fact>
            <Fact label="Language">{languageCode}</Fact>
            <Fact label="Category">{category}</Fact>
            <Fact label="Quality">
              {qualityRating && qualityRating !== 'Unknown' ? <Badge>{qualityRating}</Badge> : 'Not rated yet'}
            </Fact>
            <Fact label="Values">{valuesText(parameterCount)}</Fact>
            <Fact label="Last changed">
              <Time at={updatedAt} />
            </Fact>
            <Fact label="Last synced">{lastSyncedAt ? <Time at={lastSyncedAt} /> : 'Never'}</Fact>
          </Facts>
        </Panel>
        {parameterCount > 0 && (
          <Panel title="Preview with values">
            <div className="send-fields">
              <ValueFields template={template} values={values} onChange={setValues} />
            </div>
          </Panel>
        )}
        <SampleFiles template={template} />
      </div>
      <div className="bubble-wall">
        <MessageBubble label="Message" content={bubbleOfTemplate(template, values)} />
      </div>
    </div>
  );
}
