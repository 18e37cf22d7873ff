import { compact, count } from '../format';
import { FiguresTable, Legend, type Series } from './figures-table';
import { labelled, ticks } from './scale';
import { useWidth } from './width';

const TOP = 8;
const BOTTOM = 22;
const LEFT = 36;

/**
 * Counts by time. The series of `within` stand inside each other, the largest first, as delivered is a part of sent; that of
 * `beside` stands beside them.
 */
export function Bars({
  label,
  at,
  within,
  beside,
  height = 200,
}: {
  label: string;
  /** The word of each step, such as an hour. */
  at: readonly string[];
  within: readonly Series[];
  beside?: Series;
  height?: number;
}) {
  const [element, width] = useWidth<HTMLDivElement>();
  const series = [...within, ...(beside ? [beside] : [])];
  const highest = Math.max(...series.flatMap(({ values }) => values), 0);
  const lines = ticks(highest);
  const top = lines.at(-1)!;
  const room = Math.max(0, width - LEFT);
  const step = at.length > 0 ? room / at.length : 0;
  const wide = Math.max(1, Math.min(28, step * (beside ? 0.5 : 0.7)));
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const bar = (x: number, value: number, color: string, thick: number) =>
    value > 0 && (
      <rect
        x={x}
        y={Math.min(y(value), y(0) - 1)}
        width={thick}
        height={Math.max(1, y(0) - y(value))}
        fill={color}
        rx={1}
      />
    );
  return (
    <figure className="chart" ref={element}>
      <svg height={height} aria-hidden="true">
        {lines.map((value) => (
          <g key={value}>
            <line className="chart-grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
              {compact(value)}
            </text>
          </g>
        ))}
        {at.map((when, index) => {
          const x = LEFT + step * index + (step - wide - (beside ? wide * 0.45 : 0)) / 2;
          const ordered = [...within].sort((one, other) => (other.values[index] ?? 0) - (one.values[index] ?? 0));
          return (
            <g key={when}>
              {ordered.map((one) => (
                <g key={one.label}>{bar(x, one.values[index] ?? 0, one.color, wide)}</g>
              ))}
              {beside && bar(x + wide + 1, beside.values[index] ?? 0, beside.color, wide * 0.45)}
              <rect x={LEFT + step * index} y={0} width={step} height={height} fill="transparent">
                <title>
                  {[when, ...series.map((one) => `${one.label}: ${count(one.values[index] ?? 0)}`)].join('\n')}
                </title>
              </rect>
            </g>
          );
        })}
        {labelled(at.length, room).map((index) => (
          <text key={index} x={LEFT + step * (index + 0.5)} y={height - 4} textAnchor="middle">
            {at[index]}
          </text>
        ))}
      </svg>
      <Legend
        series={series.map((one) => ({ ...one, total: count(one.values.reduce((sum, value) => sum + value, 0)) }))}
      />
      <FiguresTable label={label} first="Time" at={at} series={series} format={count} />
    </figure>
  );
}
