import { count, share } from './format';

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
  const summary = parts.filter((part) => part.value > 0).map((part) => `${count(part.value)} ${part.label}`);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      aria-valuetext={`${share(done, total)}${summary.length > 0 ? `: ${summary.join(', ')}` : ''}`}
      data-moving={moving || undefined}
    >
      {parts.map((part) => (
        <span
          key={part.label}
          data-tone={part.tone}
          style={{ width: total > 0 ? `${(part.value / total) * 100}%` : 0 }}
          title={`${count(part.value)} ${part.label}`}
        />
      ))}
    </div>
  );
}
