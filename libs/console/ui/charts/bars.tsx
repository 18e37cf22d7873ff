import { compact, count } from '../format';
import { FiguresTable, Legend, type Series } from './figures-table';
import { labelIndexes, ticks } from './scale';
import { useWidth } from './width';
import { t } from '../../language/translate';

const TOP = 8;
const BOTTOM = 22;
const LEFT = 36;

/** How much narrower each nested series is than the one around it. */
const INSET = 0.3;

/**
 * Counts over time. The `nested` series are drawn over each other in their order, each narrower than the one before, which stays visible
 * where it is lower: reports of an earlier hour can exceed what an hour sent. The `adjacent` series is drawn next to them.
 */
export function Bars({
  label,
  at,
  nested,
  adjacent,
  height = 200,
}: {
  label: string;
  /** The axis label of each step, such as an hour. */
  at: readonly string[];
  nested: readonly Series[];
  adjacent?: Series;
  height?: number;
}) {
  const [element, width] = useWidth<HTMLDivElement>();
  const series = [...nested, ...(adjacent ? [adjacent] : [])];
  const highest = Math.max(...series.flatMap(({ values }) => values), 0);
  const lines = ticks(highest);
  const top = lines.at(-1)!;
  const plotWidth = Math.max(0, width - LEFT);
  const step = at.length > 0 ? plotWidth / at.length : 0;
  const barWidth = Math.max(1, Math.min(28, step * (adjacent ? 0.5 : 0.7)));
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const bar = (x: number, value: number, color: string, width: number) =>
    value > 0 && (
      <rect
        x={x}
        y={Math.min(y(value), y(0) - 1)}
        width={width}
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
          const x = LEFT + step * index + (step - barWidth - (adjacent ? barWidth * 0.45 : 0)) / 2;
          return (
            <g key={when}>
              {nested.map((one, level) => {
                const inset = (barWidth * INSET * level) / 2;
                return <g key={one.label}>{bar(x + inset, one.values[index] ?? 0, one.color, barWidth - 2 * inset)}</g>;
              })}
              {adjacent && bar(x + barWidth + 1, adjacent.values[index] ?? 0, adjacent.color, barWidth * 0.45)}
              <rect x={LEFT + step * index} y={0} width={step} height={height} fill="transparent">
                <title>
                  {[when, ...series.map((one) => `${one.label}: ${count(one.values[index] ?? 0)}`)].join('\n')}
                </title>
              </rect>
            </g>
          );
        })}
        {labelIndexes(at.length, plotWidth).map((index) => (
          <text key={index} x={LEFT + step * (index + 0.5)} y={height - 4} textAnchor="middle">
            {at[index]}
          </text>
        ))}
      </svg>
      <Legend
        series={series.map((one) => ({ ...one, total: count(one.values.reduce((sum, value) => sum + value, 0)) }))}
      />
      <FiguresTable label={label} first={t('Time')} at={at} series={series} format={count} />
    </figure>
  );
}
