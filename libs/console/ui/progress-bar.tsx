import { share } from './format';
import { locale, t } from '../language/translate';

/** One segment of a bar. */
export interface BarPart {
  label: string;
  value: number;
  tone: 'good' | 'active' | 'warning' | 'danger' | 'plain';
}

/** Progress towards `total` in coloured segments; `label` is the accessible name. */
export function ProgressBar({
  parts,
  total,
  label,
  moving = false,
}: {
  parts: readonly BarPart[];
  total: number;
  label: string;
  moving?: boolean;
}) {
  const done = parts.reduce((sum, part) => sum + part.value, 0);
  const said = ({ value, label: what }: BarPart) => t('{count, number} {what}', { count: value, what });
  const shown = parts.filter(({ value }) => value > 0);
  const summary = new Intl.ListFormat(locale(), { type: 'unit' }).format(shown.map(said));
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      aria-valuetext={summary === '' ? share(done, total) : `${share(done, total)}: ${summary}`}
      data-moving={moving || undefined}
    >
      {shown.map((part) => (
        <span
          key={part.label}
          data-tone={part.tone}
          style={{ width: total > 0 ? `${(part.value / total) * 100}%` : 0 }}
          title={said(part)}
        />
      ))}
    </div>
  );
}
