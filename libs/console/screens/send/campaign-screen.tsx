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
import { emptyFile, noRecipientsIn, rejectedFile, type RejectedFile } from './rejected-file';
import { SampleBubbles } from './sample-bubbles';
import { SampleFiles } from './sample-files';
import { SEND_NOW, problemOf, type SendOptions, timingOf } from './send-options';
import { SendStep } from './send-step';
import { Step, Steps } from './steps';
import { TemplateChoice } from './template-choice';
import { useChosenTemplate } from './use-chosen-template';
import { useJobSend } from './use-job-send';
import { queryKeys } from '../../api/query-keys';

const ACCEPT = '.xlsx,.xls,.csv,.txt,text/csv';
/** Maximum file size in bytes that is rechecked automatically when the schedule changes. */
const AUTO_RECHECK_MAX_BYTES = 2_000_000;

interface ChosenFile {
  file: File;
  /** Counts selections, as a corrected file may have the same name. */
  number: number;
}

/** Sends a template to a spreadsheet: choose a template, drop a file, check, confirm. */
export default function CampaignScreen() {
  const [{ template: templateId }, setFilters] = useUrlFilters({ template: '' });
  const { template, chosen } = useChosenTemplate(templateId);
  return (
    <>
      <PageHeader title="New campaign" lead="Send one message to everyone in a spreadsheet." />
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
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [extras, setExtras] = useState<SendExtras | null>(null);
  const [options, setOptions] = useState(SEND_NOW);
  const [sent, setSent] = useState(0);
  const timing = timingOf(options);
  const [checkedTiming, setCheckedTiming] = useState(timing);
  const file = chosen?.file ?? null;
  const empty = file && emptyFile(file);
  const given = extras ?? (template && firstExtras(template));
  const isLarge = file !== null && file.size > AUTO_RECHECK_MAX_BYTES;
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
    queryKey: queryKeys.sendChecks.campaign(chosen?.number, fields, checkedTiming),
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
  const result = chosen && !empty ? check.data : undefined;
  const parameterCount = template?.parameterCount ?? 0;
  const rejected =
    empty ||
    (result && noRecipientsIn(result, parameterCount)) ||
    (check.isError && !check.isFetching ? rejectedFile(check.error, parameterCount) : null);
  const found = rejected ? undefined : result;
  const selectFile = (next: File | null) => next && setChosen({ file: next, number: (chosen?.number ?? 0) + 1 });
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
      <Step number={2} title="Recipients" done={found !== undefined} waits={!template && 'Choose a template first.'}>
        {template && (
          <>
            <FileDrop
              label="Drop your spreadsheet here"
              hint="Excel or CSV. Column A: phone numbers, then one column per value."
              accept={ACCEPT}
              file={file}
              onFile={selectFile}
              disabled={sending}
            />
            {check.isFetching && (
              <div role="status">
                <ProgressBar label="Upload" total={1} parts={[{ label: 'sent', value: sent, tone: 'active' }]} moving />
                <p className="hint">
                  {sent < 1 ? 'Uploading the file for a check. Nothing is sent yet.' : 'Checking rows…'}
                </p>
              </div>
            )}
            {rejected && <RejectedFileNote rejected={rejected} />}
            {check.isError && !check.isFetching && !rejected && (
              <>
                <ErrorLine error={check.error} />
                <div className="row">
                  <Button icon="retry" onClick={() => void check.refetch()}>
                    Check again
                  </Button>
                </div>
              </>
            )}
            {given && !given.complete && file && <p className="hint">The message header is incomplete; see above.</p>}
            {found && <CheckView check={found} />}
            <SampleFiles template={template} />
          </>
        )}
      </Step>
      <Step number={3} title="Schedule" waits={!found && 'Add recipients first.'}>
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

function RejectedFileNote({ rejected: { title, remedy, rows } }: { rejected: RejectedFile }) {
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
