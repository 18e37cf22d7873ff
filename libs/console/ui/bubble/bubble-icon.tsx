const PATHS = {
  reply: 'M8 5 3 10l5 5M3 10h8c4 0 6 2 6 6',
  link: 'M8 5H4v11h11v-4M11 3h6v6m0-6-8 8',
  call: 'M5 3h3l1.500 4L7.500 8.500a9 9 0 0 0 4 4L13 10.500l4 1.500v3c0 1-1 2-2 2C8.500 17 3 11.500 3 5c0-1 1-2 2-2z',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  form: 'M4 4h12v12H4zM7 8h6M7 11h4',
  other: 'M4 10h.100M10 10h.100M16 10h.100',
  image: 'M3 4h14v12H3zM3 14l4-4 3 3 3-4 4 4M7 8h.100',
  video: 'M3 5h10v10H3zM13 9l4-3v8l-4-3',
  sticker: 'M4 4h12v8l-4 4H4zM12 16v-4h4',
  audio: 'M8 14V5l8-2v9M8 14a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM16 12a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  document: 'M5 2h7l4 4v12H5zM12 2v4h4',
  product: 'M4 7h12l-1 10H5zM7 7V6a3 3 0 0 1 6 0v1',
  offer: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  location: 'M10 18c4-5 6-7.500 6-10A6 6 0 0 0 4 8c0 2.500 2 5 6 10zM10 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
} as const;

/** A decorative icon inside a bubble; the text beside it says the same. */
export function BubbleIcon({ name, size = 16 }: { name: keyof typeof PATHS; size?: number }) {
  return (
    <svg
      className="bubble-icon"
      data-directed={name === 'reply' || undefined}
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
