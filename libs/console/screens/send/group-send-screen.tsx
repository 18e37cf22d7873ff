import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { listGroups, sendTemplateToGroup } from '../../../client/generated/sdk.gen';
import type { CreatedJobDto, GroupDto, RecipientCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { call } from '../../api/call';
import { useSession } from '../../app/session';
import { useUrlFilters } from '../../app/url-filters';
import { slotsOf } from '../../ui/bubble/template-values';
import { Combobox } from '../../ui/combobox';
import { Input } from '../../ui/field';
import { counted } from '../../ui/format';
import { ButtonLink } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { useSettled } from '../../ui/settled';
import { Empty, ErrorLine, Loaded, Loading, NoScope } from '../../ui/states';
import { CheckView, reached } from './check-view';
import { firstExtras, type SendExtras } from './header-extras';
import { OptionsFields } from './options-fields';
import { SampleBubbles } from './sample-bubbles';
import { AT_ONCE, problemOf, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';

type GroupSend = NonNullable<Parameters<typeof sendTemplateToGroup>[0]>['body'];

/** One message to everybody in a contact group. */
export default function GroupSendScreen() {
  const session = useSession();
  const [{ template: templateId, group: groupId }, setFilters] = useUrlFilters({ template: '', group: '' });
  const mayRead = session.can('groups:read');
  const groups = useQuery({
    queryKey: ['groups', 'choice'],
    queryFn: ({ signal }) => call(listGroups, { query: { pageSize: 100 } }, { signal }),
    enabled: mayRead,
  });
  const { chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="Send to a group" lead="One message to everybody who is in a contact group now." />
      {!mayRead ? (
        <NoScope scopes={['groups:read']} />
      ) : (
        <Loaded query={groups} loading={<Loading rows={6} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                title="There is no group yet"
                icon="people"
                hint="A group is a list of contacts that you write to again and again."
              >
                <ButtonLink to="/groups" variant="primary">
                  To the groups
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
  const [options, setOptions] = useState(AT_ONCE);
  // What the service refuses, such as a start in the past, is not asked about.
  const [timing, setTiming] = useState(timingOf(AT_ONCE));
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
  const asked = useSettled(body);
  const check = useQuery({
    queryKey: ['group-check', asked],
    queryFn: async ({ signal }) =>
      (await call(sendTemplateToGroup, { body: { ...asked, dryRun: true } }, { signal })) as RecipientCheckDto,
    enabled: template !== null && group !== null && asked.groupId !== '' && given?.complete === true,
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
            sample={found?.sample ?? []}
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
          placeholder="Name of the group"
          choices={groups.map(({ id, name, contactCount }) => ({
            value: id,
            label: `${name} (${counted(contactCount, 'contact')})`,
          }))}
          onChange={onGroup}
        />
        {group && slots.length > 0 && (
          <fieldset className="send-fields">
            <legend className="hint">
              Each contact has values of its own. What one lacks, you can fill in here for all who lack it.
            </legend>
            {slots.map(({ label }, index) => (
              <Input
                key={index}
                label={`${label}, where a contact has none`}
                value={defaults[index + 1] ?? ''}
                maxLength={1024}
                dir="auto"
                onChange={(value) => setDefaults({ ...defaults, [index + 1]: value })}
              />
            ))}
          </fieldset>
        )}
        {check.isFetching && !found && <Loading rows={2} label="Checking each contact" />}
        {check.isError && <ErrorLine error={check.error} />}
        {found && <CheckView check={found} />}
      </Step>
      <Step number={3} title="When" waits={!found && 'First see who gets it.'}>
        {found && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        people={found && reached(found)}
        templateName={template?.name ?? ''}
        options={options}
        checking={check.isFetching || JSON.stringify(asked) !== JSON.stringify(body)}
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
