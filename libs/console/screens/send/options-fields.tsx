import { Input } from '../../ui/field';
import { fieldTime } from '../../ui/format';
import { Switch } from '../../ui/switch';
import { FIRST_WINDOW, OWN_CLOCK, type SendOptions } from './send-options';
import { WindowFields } from './window-fields';

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
        onChange={(later) => change({ startsAt: later ? fieldTime(new Date(Date.now() + 3_600_000)) : '' })}
      />
      {startsAt !== '' && (
        <div className="send-indented">
          <Input
            label="Starts at"
            type="datetime-local"
            value={startsAt}
            hint={OWN_CLOCK}
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
        <div className="send-indented">
          <WindowFields window={window} onChange={(next) => change({ window: next })} />
        </div>
      )}
      <Switch
        label="Hold it first"
        hint="The job is created, but sends nothing until somebody resumes it. Somebody else can check it first."
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
