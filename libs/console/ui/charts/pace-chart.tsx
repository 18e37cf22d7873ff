import { compact, duration, pace } from '../format';
import { FiguresTable, Legend, type Series } from './figures-table';
import { ticks } from './scale';
import { useWidth } from './width';
import { locale, t } from '../../language/translate';

const TOP = 12;
const BOTTOM = 22;
const LEFT = 44;
const NOMINAL_MAX_FACTOR = 5;
const MARK_MS = 1000;
/** Less is said in words. */
const LEAST_MS = 60_000;

/** One time step with activity; values in messages per second. */
export interface PaceStep {
  /** Epoch milliseconds. */
  at: number;
  values: readonly number[];
}

/**
 * Paces over time as areas, a single step or less than a minute in words; missing steps are pauses without sends. The dashed line is the nominal pace.
 */
export function PaceChart({
  label,
  steps,
  stepMs,
  series,
  nominal,
  clock,
  height = 180,
}: {
  label: string;
  steps: readonly PaceStep[];
  stepMs: number;
  series: readonly { label: string; color: string }[];
  nominal: number;
  clock: (at: number) => string;
  height?: number;
}) {
  const [element, width] = useWidth<HTMLDivElement>();
  const begin = steps[0]?.at ?? 0;
  const end = (steps.at(-1)?.at ?? 0) + stepMs;
  const highest = Math.max(...steps.flatMap(({ values }) => values));
  // A nominal pace far above the actual values would flatten the chart.
  const isInside = nominal > 0 && nominal <= highest * NOMINAL_MAX_FACTOR;
  const lines = ticks(isInside ? Math.max(nominal, highest) : highest);
  const top = lines.at(-1)!;
  const x = (at: number) => LEFT + ((at - begin) / Math.max(end - begin, 1)) * Math.max(0, width - LEFT - 1);
  const y = (value: number) => TOP + (height - TOP - BOTTOM) * (1 - value / top);
  const seconds = Math.floor((end - begin) / MARK_MS);
  const marks = Math.max(2, Math.min(6, Math.floor((width - LEFT) / 110), seconds + 1));
  return (
    <figure className="chart" ref={element}>
      {steps.length === 1 || end - begin < LEAST_MS ? (
        <p className="lead">
          {t('Within {duration}: {figures}; sender limit {limit}.', {
            duration: duration((end - begin) / 1000),
            figures: figuresOf(steps, series, (end - begin) / stepMs),
            limit: pace(nominal),
          })}
        </p>
      ) : (
        <>
          <svg height={height} aria-hidden="true">
            {lines.map((value) => (
              <g key={value}>
                <line className="chart-grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
                <text x={LEFT - 8} y={y(value) + 4} textAnchor="end">
                  {t('{count}/s', { count: compact(value) })}
                </text>
              </g>
            ))}
            {series.map((one, index) => (
              <path key={one.label} d={area(steps, index, stepMs, x, y)} fill={one.color} />
            ))}
            {isInside && <line className="chart-nominal" x1={LEFT} x2={width} y1={y(nominal)} y2={y(nominal)} />}
            {Array.from({ length: marks }, (_, index) => begin + ((end - begin) * index) / (marks - 1)).map(
              (at, index) => (
                <text
                  key={index}
                  x={x(at)}
                  y={height - 4}
                  textAnchor={index === 0 ? 'start' : index === marks - 1 ? 'end' : 'middle'}
                >
                  {clock(at)}
                </text>
              ),
            )}
          </svg>
          <Legend
            series={[
              ...series,
              ...(isInside
                ? [{ label: t('Sender limit, {pace}', { pace: pace(nominal) }), color: 'var(--text-soft)' }]
                : []),
            ]}
          />
        </>
      )}
      <FiguresTable
        label={label}
        first={t('From')}
        at={steps.map(({ at }) => clock(at))}
        series={series.map((one, index): Series => ({ ...one, values: steps.map(({ values }) => values[index] ?? 0) }))}
        format={pace}
      />
    </figure>
  );
}

/** The average of each series over `count` steps, of which those without activity are missing. */
function figuresOf(steps: readonly PaceStep[], series: readonly { label: string }[], count: number): string {
  const average = (index: number) => steps.reduce((sum, { values }) => sum + (values[index] ?? 0), 0) / count;
  const figures = series.map(({ label }, index) => t('{label}: {pace}', { label, pace: pace(average(index)) }));
  return new Intl.ListFormat(locale(), { type: 'unit' }).format(figures);
}

/** The SVG path of one series; the area drops to zero where a step is missing. */
function area(
  steps: readonly PaceStep[],
  index: number,
  stepMs: number,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  return steps
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ at, values }) => {
      const [left, right] = [x(at).toFixed(1), x(at + stepMs).toFixed(1)];
      return `M${left} ${y(0)}V${y(values[index]!).toFixed(1)}H${right}V${y(0)}Z`;
    })
    .join('');
}
