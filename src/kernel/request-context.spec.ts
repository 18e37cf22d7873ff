import { parseTraceparent } from './request-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceparent', () => {
  it.each([
    ['as it is', `00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
    ['unsampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['without other flags', `00-${TRACE}-${SPAN}-03`, `00-${TRACE}-${SPAN}-01`],
    ['of a later version, without its additions', `01-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-01`],
  ])('returns the header %s', (_, header, traceparent) => {
    expect(parseTraceparent(header)).toBe(traceparent);
  });

  it.each([
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-0x`,
  ])('rejects %p', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });
});
