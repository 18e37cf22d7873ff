import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CreatedJobDto, FileCheckDto, TemplateDto } from '../../../client/generated/types.gen';
import { upload } from '../../api/upload';
import { useUrlFilters } from '../../app/url-filters';
import { Button } from '../../ui/button';
import { FileDrop } from '../../ui/file-drop';
import { PageHeader } from '../../ui/page-header';
import { ErrorLine, ErrorState } from '../../ui/states';
import { ProgressBar } from '../../ui/progress-bar';
import { CheckView, reached } from './check-view';
import { firstExtras, type SendExtras } from './header-extras';
import { OptionsFields } from './options-fields';
import { emptyFile, nobodyIn, refusedFile, type RefusedFile } from './refused-file';
import { SampleBubbles } from './sample-bubbles';
import { SampleFiles } from './sample-files';
import { AT_ONCE, problemOf, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';

const ACCEPT = '.xlsx,.xls,.csv,.txt,text/csv';
/** Up to this size a file is checked again by itself when the timing changes. */
const CHECKED_AGAIN_BY_ITSELF = 2_000_000;

interface Chosen {
  file: File;
  /** Another number for each choice: a corrected file may have the same name. */
  number: number;
}

/** A spreadsheet becomes a job: choose, drop, look, confirm. */
export default function CampaignScreen() {
  const [{ template: templateId }, setFilters] = useUrlFilters({ template: '' });
  const { template, chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="New campaign" lead="One message to everybody in a spreadsheet." />
      {template.isError && templateId !== '' && !chosen ? (
        <ErrorState error={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <Campaign key={templateId} template={chosen} onTemplate={(next) => setFilters({ template: next?.id ?? '' })} />
      )}
    </>
  );
}

function Campaign({
  template,
  onTemplate,
}: {
  template: TemplateDto | null;
  onTemplate: (template: TemplateDto | null) => void;
}) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [options, setOptions] = useState(AT_ONCE);
  const [sent, setSent] = useState(0);
  const timing = timingOf(options);
  const [checkedTiming, setCheckedTiming] = useState(timing);
  const file = chosen?.file ?? null;
  const empty = file && emptyFile(file);
  const given = extras ?? (template && firstExtras(template));
  const isLarge = file !== null && file.size > CHECKED_AGAIN_BY_ITSELF;
  const changeOptions = (next: SendOptions) => {
    setOptions(next);
    if (!isLarge && problemOf(next, new Date()) === null) setCheckedTiming(timingOf(next));
  };
  const fields = {
    templateName: template?.name,
    languageCode: template?.languageCode,
    ...given?.fields,
  };
  const check = useQuery({
    queryKey: ['campaign-check', chosen?.number, fields, checkedTiming],
    queryFn: ({ signal }) => {
      setSent(0);
      const form = { ...fields, ...checkedTiming, dryRun: 'true', file };
      return upload<FileCheckDto>('/bulk-import-messages', form, { signal, onProgress: setSent });
    },
    enabled: template !== null && file !== null && !empty && given?.complete === true,
    placeholderData: (before, query) => (query?.queryKey[1] === chosen?.number ? before : undefined),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { send, sending, error } = useJobSend(
    useCallback(
      (form: Record<string, File | string | object | undefined>, idempotencyKey: string, signal: AbortSignal) =>
        upload<CreatedJobDto>('/bulk-import-messages', form, { idempotencyKey, signal, onProgress: setSent }),
      [],
    ),
  );
  const answered = chosen && !empty ? check.data : undefined;
  const parameterCount = template?.parameterCount ?? 0;
  const refused =
    empty ||
    (answered && nobodyIn(answered, parameterCount)) ||
    (check.isError && !check.isFetching ? refusedFile(check.error, parameterCount) : null);
  const found = refused ? undefined : answered;
  const take = (next: File | null) => next && setChosen({ file: next, number: (chosen?.number ?? 0) + 1 });
  return (
    <Steps
      side={
        template && (
          <SampleBubbles
            key={chosen?.number}
            template={template}
            sample={found?.sample ?? []}
            extras={given?.bubble ?? {}}
          />
        )
      }
    >
      <Step number={1} title="Template" done={template !== null}>
        <TemplateChoice chosen={template} onChoose={onTemplate} onExtras={setExtras} />
      </Step>
      <Step number={2} title="People" done={found !== undefined} waits={!template && 'Choose a template first.'}>
        {template && (
          <>
            <FileDrop
              label="Drop your spreadsheet here"
              hint="Excel or CSV. Column A: phone numbers. Then one column for each value."
              accept={ACCEPT}
              file={file}
              onFile={take}
              disabled={sending}
            />
            {check.isFetching && (
              <div role="status">
                <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
                <p className="hint">
                  {sent < 1 ? 'The file is on its way to be checked. Nothing is sent.' : 'Checking each row.'}
                </p>
              </div>
            )}
            {refused && <Refused refused={refused} />}
            {check.isError && !check.isFetching && !refused && (
              <>
                <ErrorLine error={check.error} />
                <div className="row">
                  <Button icon="retry" onClick={() => void check.refetch()}>
                    Check again
                  </Button>
                </div>
              </>
            )}
            {given && !given.complete && file && (
              <p className="hint">The header of the message is not complete yet, see above.</p>
            )}
            {found && <CheckView check={found} />}
            <SampleFiles template={template} />
          </>
        )}
      </Step>
      <Step number={3} title="When" waits={!found && 'First see who gets it.'}>
        {found && <OptionsFields options={options} onChange={changeOptions} />}
      </Step>
      <SendStep
        people={found && reached(found)}
        templateName={template?.name ?? ''}
        options={options}
        checking={check.isFetching}
        stale={isLarge && JSON.stringify(checkedTiming) !== JSON.stringify(timing)}
        onCheckAgain={() => setCheckedTiming(timing)}
        sending={sending}
        sent={sent}
        error={error}
        onSend={() => {
          const { reference, hold } = options;
          send({ ...fields, ...timing, reference, hold: hold ? 'true' : undefined, file: file ?? undefined });
        }}
      />
    </Steps>
  );
}

function Refused({ refused: { title, remedy, rows } }: { refused: RefusedFile }) {
  return (
    <div className="note" data-tone="danger" role="alert">
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p>{remedy}</p>
        {rows.length > 0 && (
          <ul>
            {rows.map(({ rowNumber, message }) => (
              <li key={`${rowNumber} ${message}`}>
                {rowNumber !== undefined && `Row ${rowNumber}: `}
                {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
