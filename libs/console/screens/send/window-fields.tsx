import type { SendWindowDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { Combobox } from '../../ui/combobox';
import { Field, Input } from '../../ui/field';
import { Icon } from '../../ui/icon';
import { WEEKDAYS, describeDays } from '../job/send-window-text';
import { LOCAL_TIME_ZONE } from './send-options';

const ALL_DAYS = WEEKDAYS.map(({ day }) => day).sort();
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
        <Input label={t('From', {}, 'time')} type="time" value={from} onChange={(text) => change({ from: text })} />
        {/* The API uses 24:00 for the end of the day, a time input 00:00. */}
        <Input
          label={t('Until')}
          type="time"
          value={until === '24:00' ? '00:00' : until}
          onChange={(text) => change({ until: text === '00:00' ? '24:00' : text })}
        />
        <Combobox
          label={t('Time zone')}
          value={timeZone}
          choices={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          onChange={(zone) => zone && change({ timeZone: zone })}
        />
      </div>
      <Field
        label={t('Days')}
        hint={days.length === 0 ? t('Choose at least one day.') : t('Sends {days}.', { days: describeDays(days) })}
      >
        <div className="send-days" role="group" aria-label={t('Days')}>
          {WEEKDAYS.map(({ day, short }) => (
            <button
              key={day}
              type="button"
              aria-pressed={days.includes(day)}
              onClick={() =>
                change({ days: ALL_DAYS.filter((one) => (one === day ? !days.includes(one) : days.includes(one))) })
              }
            >
              <Icon name="check" size={14} />
              {short}
            </button>
          ))}
        </div>
      </Field>
    </div>
  );
}
