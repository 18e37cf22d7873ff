/** SVG paths of the icons in a 20 by 20 box. */
const PATHS = {
  send: 'M3 10 17 4l-5 13-3-5.500zM9 11.500 17 4',
  jobs: 'M4 5h12M4 10h12M4 15h7',
  overview: 'M4 16V9m4 7V4m4 12v-5m4 5V7',
  chat: 'M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9l-4 3v-3H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z',
  template: 'M5 3h10v14H5zM8 7h4M8 10h4',
  people:
    'M7.500 9a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 16c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4M13 9a2 2 0 1 0 0-4m1 7c2 .300 3 1.800 3 4',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  shield: 'M10 3l6 2v5c0 3.500-2.500 6-6 7-3.500-1-6-3.500-6-7V5z',
  menu: 'M3 6h14M3 10h14M3 14h14',
  close: 'm5 5 10 10M15 5 5 15',
  check: 'm4 10 4 4 8-8',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  down: 'm5 8 5 5 5-5',
  right: 'm8 5 5 5-5 5',
  left: 'm12 5-5 5 5 5',
  from: 'M16 10H4m5-5-5 5 5 5',
  pause: 'M7 4v12M13 4v12',
  play: 'M6 4l10 6-10 6z',
  stop: 'M5 5h10v10H5z',
  retry: 'M15 8a6 6 0 1 0 1 4m0-8v4h-4',
  reply: 'M8 5 3 10l5 5M3 10h8a6 6 0 0 1 6 6',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  upload: 'M10 13V4M6 8l4-4 4 4M4 16h12',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm0 3v4l3 2',
  warning: 'M10 3 2.500 16h15zM10 8v4m0 2v.100',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zm4 9 4 4',
  sign_out: 'M8 4H4v12h4m4-9 3 3-3 3m3-3H8',
  plus: 'M10 4v12M4 10h12',
  keyboard: 'M2.500 5.500h15v9h-15zM5 8.500h.100m3.200 0h.100m3.200 0h.100m3.200 0h.100M6.500 11.500h7',
  lock: 'M5 9h10v8H5zM7 9V6a3 3 0 0 1 6 0v3',
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

/** Icons that point along the lines of the text: mirrored where these run from right to left. */
const DIRECTED: ReadonlySet<IconName> = new Set(['send', 'jobs', 'right', 'left', 'from', 'reply', 'sign_out']);

/** A decorative icon; the text beside it carries the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="icon"
      data-directed={DIRECTED.has(name) || undefined}
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
