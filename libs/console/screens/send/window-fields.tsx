import type { SendWindowDto } from '../../../client/generated/types.gen';
import { Combobox } from '../../ui/combobox';
import { Field, Input } from '../../ui/field';
import { WEEKDAYS, describeDays } from '../job/send-window-text';
import { LOCAL_TIME_ZONE } from './send-options';

const ALL_DAYS = WEEKDAYS.map(({ day }) => day as number);
const KNOWN_ZONES = Intl.supportedValuesOf('timeZone');

/** The inputs of a send window: hours, days and time zone. */
export function WindowFields({
  window,
  onChange,
}: {
  window: SendWindowDto;
  onChange: (window: SendWindowDto & { days: number[] }) => void;
}) {
  const { from, until, timeZone, days = ALL_DAYS } = window;
  const change = (changed: Partial<SendWindowDto>) => onChange({ ...window, days, ...changed });
  const zones = [...new Set([timeZone, LOCAL_TIME_ZONE, ...KNOWN_ZONES])];
  return (
    <div className="stack">
      <div className="send-fields">
        <Input label="From" type="time" value={from} onChange={(text) => change({ from: text })} />
        {/* The API uses 24:00 for the end of the day, a time input 00:00. */}
        <Input
          label="Until"
          type="time"
          value={until === '24:00' ? '00:00' : until}
          onChange={(text) => change({ until: text === '00:00' ? '24:00' : text })}
        />
        <Combobox
          label="Time zone"
          value={timeZone}
          choices={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          onChange={(zone) => zone && change({ timeZone: zone })}
        />
      </div>
      <Field label="Days" hint={days.length === 0 ? 'Choose at least one day.' : `Sends ${describeDays(days)}.`}>
        <div className="segments send-days" role="group" aria-label="Days">
          {WEEKDAYS.map(({ day, short }) => (
            <button
              key={day}
              type="button"
              aria-pressed={days.includes(day)}
              onClick={() =>
                change({ days: ALL_DAYS.filter((one) => (one === day ? !days.includes(one) : days.includes(one))) })
              }
            >
              {short}
            </button>
          ))}
        </div>
      </Field>
    </div>
  );
}
