import { t } from '../../language/translate';
import { Button } from '../../ui/button';
import { Input } from '../../ui/field';
import { fieldTime, timeOfDay } from '../../ui/format';
import { useNow } from '../../ui/now';
import { Switch } from '../../ui/switch';
import { DEFAULT_WINDOW, problemOfStart, TIME_ZONE_HINT, type SendOptions } from './send-options';
import { WindowFields } from './window-fields';

/** The schedule of a send, and whether it is created on hold. */
export function OptionsFields({
  options,
  onChange,
}: {
  options: SendOptions;
  onChange: (options: SendOptions) => void;
}) {
  const { startsAt, window, hold } = options;
  const now = useNow();
  const change = (changed: Partial<SendOptions>) => onChange({ ...options, ...changed });
  return (
    <div className="stack">
      <Switch
        label={t('Send later')}
        hint={
          hold
            ? t('Once you send it, it starts at a time you choose.')
            : t('Starts automatically at a time you choose.')
        }
        checked={startsAt !== ''}
        onChange={(later) => change({ startsAt: later ? fieldTime(new Date(Date.now() + 3_600_000)) : '' })}
      />
      {startsAt !== '' && (
        <div className="send-indented">
          <Input
            label={t('Starts at')}
            type="datetime-local"
            value={startsAt}
            hint={TIME_ZONE_HINT}
            error={problemOfStart(startsAt, now) ?? undefined}
            onChange={(at) => change({ startsAt: at || ' ' })}
          />
          <div className="row">
            <Button small onClick={() => change({ startsAt: fieldTime(tomorrowAtNine(now)) })}>
              {t('Tomorrow {time}', { time: timeOfDay(tomorrowAtNine(now)) })}
            </Button>
          </div>
        </div>
      )}
      <Switch
        label={t('Limit sending hours')}
        hint={t('The job pauses outside these hours and continues automatically.')}
        checked={window !== null}
        onChange={(on) => change({ window: on ? DEFAULT_WINDOW : null })}
      />
      {window && (
        <div className="send-indented">
          <WindowFields window={window} onChange={(next) => change({ window: next })} />
        </div>
      )}
      <Switch
        label={t('Create on hold')}
        hint={t('Nothing is sent until you send the job, so that someone can check it first.')}
        checked={hold}
        onChange={(on) => change({ hold: on })}
      />
    </div>
  );
}

function tomorrowAtNine(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 9);
}
