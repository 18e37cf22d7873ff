import { count, share } from '../format';

const RADIUS = 52;
const LENGTH = Math.PI * RADIUS;

/** How much of a limit is used, as half a ring; amber from 80 percent, red from 95. */
export function Gauge({ label, used, limit }: { label: string; used: number; limit: number }) {
  const part = Math.min(1, limit > 0 ? used / limit : 0);
  const tone = part >= 0.95 ? 'danger' : part >= 0.8 ? 'warning' : 'active';
  const arc = `M8 60a${RADIUS} ${RADIUS} 0 0 1 ${RADIUS * 2} 0`;
  return (
    <figure
      className="gauge"
      data-tone={tone}
      role="img"
      aria-label={`${label}: ${count(used)} of ${count(limit)}, ${share(used, limit)}`}
    >
      <svg viewBox="0 0 120 66" width={140} height={77} aria-hidden="true">
        <path className="gauge-ring" d={arc} />
        <path className="gauge-part" d={arc} strokeDasharray={`${part * LENGTH} ${LENGTH}`} />
      </svg>
      <figcaption aria-hidden="true">
        <strong>{share(used, limit)}</strong>
        <span className="hint">
          {count(used)} of {count(limit)}
        </span>
      </figcaption>
    </figure>
  );
}
