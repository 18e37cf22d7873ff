import { count, share } from '../format';

/** One step of a funnel. */
export interface FunnelStep {
  label: string;
  value: number;
  color: string;
  hint?: string;
}

/** The count of each step as a bar relative to `total`. */
export function Funnel({ label, total, steps }: { label: string; total: number; steps: readonly FunnelStep[] }) {
  return (
    <table className="funnel">
      <caption className="visually-hidden">{label}</caption>
      <tbody>
        {steps.map((step) => (
          <tr key={step.label}>
            <th scope="row">{step.label}</th>
            <td className="funnel-bar" aria-hidden="true">
              <svg width="100%" height="16">
                <rect width="100%" height="16" rx="3" fill="var(--chart-waiting)" />
                <rect width={`${total > 0 ? (step.value / total) * 100 : 0}%`} height="16" rx="3" fill={step.color} />
              </svg>
            </td>
            <td className="funnel-count">{count(step.value)}</td>
            <td className="funnel-share">{share(step.value, total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
