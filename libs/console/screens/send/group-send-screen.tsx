import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listGroups, sendTemplateToGroup } from '../../../client/generated/sdk.gen';
import type { CreatedJobDto, GroupDto, RecipientCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { queryKeys } from '../../api/query-keys';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { slotsOf } from '../../ui/bubble/template-values';
import { Combobox } from '../../ui/combobox';
import { Input } from '../../ui/field';
import { counted } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { useDebounced } from '../../ui/use-debounced';
import { Empty, ErrorLine, Loaded, Loading, NoScope } from '../../ui/states';
import { sendableRows } from './campaign-columns';
import { CheckView, reached } from './check-view';
import { firstExtras, type SendExtras } from './header-extras';
import { OptionsFields } from './options-fields';
import { SampleBubbles } from './sample-bubbles';
import { SEND_NOW, problemOf, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';

type GroupSend = NonNullable<Parameters<typeof sendTemplateToGroup>[0]>['body'];

/** Sends a template to a contact group. */
export default function GroupSendScreen() {
  const session = useSession();
  const [{ template: templateId, group: groupId }, setFilters] = useUrlFilters({ template: '', group: '' });
  const canRead = session.can('groups:read');
  const groups = useQuery({
    queryKey: queryKeys.groups.choice,
    queryFn: ({ signal }) => call(listGroups, { query: { pageSize: 100 } }, { signal }),
    enabled: canRead,
  });
  const { chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="Send to a group" lead="Send one message to all current members of a contact group." />
      {!canRead ? (
        <NoScope scopes={['groups:read']} />
      ) : (
        <Loaded query={groups} loading={<Loading rows={6} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                title="No groups yet"
                icon="people"
                hint="A group is a list of contacts that you can send to repeatedly."
              >
                <ButtonLink to="/groups" variant="primary">
                  Go to groups
                </ButtonLink>
              </Empty>
            ) : (
              <GroupSendForm
                key={`${templateId} ${groupId}`}
                groups={items}
                group={items.find(({ id }) => id === groupId) ?? null}
                template={chosen}
                onGroup={(group) => setFilters({ group: group ?? '' })}
                onTemplate={(next) => setFilters({ template: next?.id ?? '' })}
              />
            )
          }
        </Loaded>
      )}
    </>
  );
}

function GroupSendForm({
  groups,
  group,
  template,
  onGroup,
  onTemplate,
}: {
  groups: readonly GroupDto[];
  group: GroupDto | null;
  template: TemplateDto | null;
  onGroup: (id: string | null) => void;
  onTemplate: (template: TemplateDto | null) => void;
}) {
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [defaults, setDefaults] = useState<Record<string, string>>({});
  const [options, setOptions] = useState(SEND_NOW);
  // Invalid options, such as a start in the past, are not sent to the check.
  const [timing, setTiming] = useState(timingOf(SEND_NOW));
  const given = extras ?? (template && firstExtras(template));
  const slots = template ? slotsOf(template) : [];
  const filled = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value.trim() !== ''));
  const changeOptions = (next: SendOptions) => {
    setOptions(next);
    if (problemOf(next, new Date()) === null) setTiming(timingOf(next));
  };
  const body: GroupSend = {
    groupId: group?.id ?? '',
    templateName: template?.name ?? '',
    languageCode: template?.languageCode,
    ...given?.fields,
    ...(Object.keys(filled).length > 0 && { parameterDefaults: filled }),
    ...timing,
  };
  const checkedBody = useDebounced(body);
  const check = useQuery({
    queryKey: queryKeys.sendChecks.group(checkedBody),
    queryFn: async ({ signal }) =>
      (await call(sendTemplateToGroup, { body: { ...checkedBody, dryRun: true } }, { signal })) as RecipientCheckDto,
    enabled: template !== null && group !== null && checkedBody.groupId !== '' && given?.complete === true,
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const { send, sending, error } = useJobSend(
    useCallback(
      async (what: GroupSend, idempotencyKey: string, signal: AbortSignal) =>
        (await call(sendTemplateToGroup, { body: what }, { idempotencyKey, signal })) as CreatedJobDto,
      [],
    ),
  );
  const found = check.isError ? undefined : check.data;
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            template={template}
            rows={sendableRows(found?.sample ?? [])}
            extras={given?.bubble ?? {}}
            rowWord="Contact"
          />
        )
      }
    >
      <Step number={1} title="Template" done={template !== null}>
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
      </Step>
      <Step number={2} title="Group" done={found !== undefined} waits={!template && 'Choose a template first.'}>
        <Combobox
          label="Group"
          value={group?.id ?? null}
          placeholder="Group name"
          choices={groups.map(({ id, name, contactCount }) => ({
            value: id,
            label: `${name} (${counted(contactCount, 'contact')})`,
          }))}
          onChange={onGroup}
        />
        {group && slots.length > 0 && (
          <fieldset className="send-fields">
            <legend className="hint">
              Contacts have their own values. These defaults are used where a contact has none.
            </legend>
            {slots.map(({ label }, index) => (
              <Input
                key={index}
                label={`Default for ${label}`}
                value={defaults[index + 1] ?? ''}
                maxLength={1024}
                dir="auto"
                onChange={(value) => setDefaults({ ...defaults, [index + 1]: value })}
              />
            ))}
          </fieldset>
        )}
        {check.isFetching && !found && <Loading rows={2} label="Checking contacts" />}
        {check.isError && <ErrorLine error={check.error} />}
        {found && (
          <CheckView
            check={found}
            advice="You can send to the other contacts now; the job report lists these. Or add what is missing to the contacts."
          />
        )}
      </Step>
      <Step number={3} title="Schedule" waits={!found && 'Add recipients first.'}>
        {found && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        people={found && reached(found)}
        templateName={template?.name ?? ''}
        options={options}
        checking={check.isFetching || JSON.stringify(checkedBody) !== JSON.stringify(body)}
        sending={sending}
        sent={null}
        error={error}
        onSend={() => {
          const { reference, hold } = options;
          send({ ...body, ...(reference && { reference }), ...(hold && { hold }) });
        }}
      />
    </Steps>
  );
}
