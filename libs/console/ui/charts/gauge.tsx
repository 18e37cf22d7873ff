import { type ReactNode, useId } from 'react';
import type { Tone } from '../badge';

/** A half circle from left to right in a 120 by 64 box. */
const ARC = 'M10 58 A50 50 0 0 1 110 58';

/** The used share of a limit as a half circle, with `children` below. `rows`: the figures as a table for screen readers. */
export function Gauge({
  label,
  value,
  max,
  shown,
  rows,
  tone,
  children,
}: {
  label: string;
  value: number;
  max: number;
  shown: string;
  rows: readonly (readonly [string, string])[];
  tone: Tone;
  children?: ReactNode;
}) {
  const id = useId();
  const percent = max > 0 ? Math.min(100, (value / max) * 100) : 0;
  return (
    <figure className="gauge" aria-labelledby={id}>
      <figcaption id={id} className="gauge-label">
        {label}
      </figcaption>
      <svg viewBox="0 0 120 64" aria-hidden="true" data-tone={tone}>
        <path d={ARC} className="gauge-all" />
        {percent > 0 && <path d={ARC} className="gauge-used" pathLength={100} strokeDasharray={`${percent} 100`} />}
        <text x="60" y="54" textAnchor="middle">
          {shown}
        </text>
      </svg>
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <tbody>
            {rows.map(([name, figure]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{figure}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {children && <p className="gauge-words">{children}</p>}
    </figure>
  );
}
