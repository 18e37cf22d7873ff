import { Combobox } from '../../ui/combobox';
import { Field, Input } from '../../ui/field';
import { Switch } from '../../ui/switch';
import { FIRST_WINDOW, OWN_TIME_ZONE, type SendOptions } from './send-options';

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const ZONES = [...new Set([OWN_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}));

/** When a job is sent, and what it is called. */
export function OptionsFields({
  options,
  onChange,
}: {
  options: SendOptions;
  onChange: (options: SendOptions) => void;
}) {
  const { startsAt, window, hold, reference } = options;
  const change = (changed: Partial<SendOptions>) => onChange({ ...options, ...changed });
  return (
    <div className="stack">
      <Switch
        label="Send later"
        hint="Starts by itself at a moment that you choose."
        checked={startsAt !== ''}
        onChange={(later) => change({ startsAt: later ? localText(new Date(Date.now() + 3_600_000)) : '' })}
      />
      {startsAt !== '' && (
        <div className="send-indented">
          <Input
            label="Starts at"
            type="datetime-local"
            value={startsAt}
            hint={`By the clock of this computer: ${OWN_TIME_ZONE.replaceAll('_', ' ')}.`}
            onChange={(at) => change({ startsAt: at || ' ' })}
          />
        </div>
      )}
      <Switch
        label="Only at certain hours"
        hint="Outside them the job waits, and goes on by itself."
        checked={window !== null}
        onChange={(on) => change({ window: on ? FIRST_WINDOW : null })}
      />
      {window && (
        <div className="send-indented stack">
          <div className="send-fields">
            <Input
              label="From"
              type="time"
              value={window.from}
              onChange={(from) => change({ window: { ...window, from } })}
            />
            <Input
              label="Until"
              type="time"
              value={window.until}
              onChange={(until) => change({ window: { ...window, until } })}
            />
            <Combobox
              label="Time zone"
              value={window.timeZone}
              choices={ZONES}
              onChange={(timeZone) => timeZone && change({ window: { ...window, timeZone } })}
            />
          </div>
          <Days days={window.days} onChange={(days) => change({ window: { ...window, days } })} />
        </div>
      )}
      <Switch
        label="Hold it first"
        hint="The job is made complete, but sends nothing until somebody resumes it. Somebody else can look at it before."
        checked={hold}
        onChange={(on) => change({ hold: on })}
      />
      <Input
        label="Your reference"
        value={reference}
        maxLength={255}
        placeholder="Spring sale"
        hint="To find the job again. People do not see it."
        onChange={(text) => change({ reference: text })}
      />
    </div>
  );
}

function Days({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <Field label="Days">
      <div className="segments" role="group" aria-label="Days">
        {DAYS.map((name, index) => {
          const day = index + 1;
          const on = days.includes(day);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={on}
              onClick={() => onChange(on ? days.filter((one) => one !== day) : [...days, day].sort((a, b) => a - b))}
            >
              {name}
            </button>
          );
        })}
      </div>
    </Field>
  );
}

/** As `datetime-local` wants it, to the minute. */
function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
