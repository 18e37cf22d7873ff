const CONTROLS = 'button, input, textarea, select, summary, [contenteditable]';
const LINKS = 'a[href]';
/** A covered link of a list has others beside it. */
const LINKS_A_CONTROL = 10;
/** Distances in pixels: from the edge of the page, and between the places to try. */
const MARGIN = 16;
const STEP = 24;

/** Moves the toasts to the place nearest to the bottom or top, on either side, where they cover the fewest controls and links. */
export function choosePlace(toasts: HTMLElement): void {
  const page = document.querySelector('.dialog') ?? document;
  const rectsOf = (selector: string) =>
    [...page.querySelectorAll(selector)]
      .filter((element) => !toasts.contains(element) && element.checkVisibility({ visibilityProperty: true }))
      .map((element) => element.getBoundingClientRect());
  const [controls, links] = [rectsOf(CONTROLS), rectsOf(LINKS)];
  const places = ['end', 'start'].flatMap((side) => {
    toasts.dataset.side = side;
    const { left, width, height } = toasts.getBoundingClientRect();
    return bottomsFor(height).map((bottom) => {
      const rect = new DOMRect(left, innerHeight - bottom - height, width, height);
      const covered = (others: readonly DOMRect[]) => others.filter((other) => overlap(rect, other)).length;
      return { side, bottom, cost: LINKS_A_CONTROL * covered(controls) + covered(links) };
    });
  });
  const [{ side, bottom }] = places.toSorted((a, b) => a.cost - b.cost) as [(typeof places)[number]];
  toasts.dataset.side = side;
  toasts.style.bottom = `${bottom}px`;
}

/** Distances of the places from the bottom of the page, those nearest to the bottom or the top first. */
function bottomsFor(height: number): number[] {
  const highest = Math.max(MARGIN, innerHeight - height - MARGIN);
  const bottoms = [highest];
  for (let bottom = MARGIN; bottom < highest; bottom += STEP) bottoms.push(bottom);
  const toEdge = (bottom: number) => Math.min(bottom, highest - bottom + MARGIN);
  return bottoms.sort((a, b) => toEdge(a) - toEdge(b) || a - b);
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
