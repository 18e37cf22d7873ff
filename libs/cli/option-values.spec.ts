import { pastTime, payloads, sendWindow, windowText } from './option-values';

describe('A send window on the command line', () => {
  it.each([
    ['09:00-20:00', { from: '09:00', until: '20:00' }],
    ['mon-fri 09:00-18:00', { from: '09:00', until: '18:00', days: [1, 2, 3, 4, 5] }],
    ['Sat,Sun 10:00 - 24:00', { from: '10:00', until: '24:00', days: [6, 7] }],
    ['fri-mon 22:00-02:00', { from: '22:00', until: '02:00', days: [1, 5, 6, 7] }],
  ])('is read: %s', (text, expected) => {
    expect(sendWindow(text)).toEqual(expected);
  });

  it.each(['', 'weekdays 09:00-18:00', 'mon-friday 09:00-18:00', '9-18', 'mon-fri'])('is refused: %s', (text) => {
    expect(() => sendWindow(text)).toThrow('Write it as "mon-fri 09:00-18:00"');
  });
});

describe('A send window of a job', () => {
  it.each([
    [[1, 2, 3, 4, 5], 'mon-fri 09:00-18:00 UTC'],
    [[1, 2, 3, 4, 5, 6], 'mon-fri,sat 09:00-18:00 UTC'],
    [[1, 3, 7], 'mon,wed,sun 09:00-18:00 UTC'],
    [[1, 2, 3, 4, 5, 6, 7], '09:00-18:00 UTC'],
  ])('is written like its option: %j', (days, expected) => {
    expect(windowText({ from: '09:00', until: '18:00', days, timeZone: 'UTC' })).toBe(expected);
  });
});

describe('Payloads of quick replies on the command line', () => {
  it('are collected by the index of their button', () => {
    expect(payloads('1=NO=thanks', payloads('0=YES'))).toEqual({ '0': 'YES', '1': 'NO=thanks' });
  });

  it.each(['YES', '=YES', '0=', 'x=YES'])('are refused: %s', (text) => {
    expect(() => payloads(text)).toThrow('Write it as the index of the button');
  });
});

describe('A past time on the command line', () => {
  beforeEach(() => jest.useFakeTimers({ now: new Date('2026-11-27T12:00:00Z') }));
  afterEach(() => jest.useRealTimers());

  it.each([
    ['90m', '2026-11-27T10:30:00.000Z'],
    ['2h', '2026-11-27T10:00:00.000Z'],
    ['3d', '2026-11-24T12:00:00.000Z'],
    ['2026-11-26T14:00+01:00', '2026-11-26T13:00:00.000Z'],
  ])('is an age or a time with its zone: %s', (text, expected) => {
    expect(pastTime(text).toISOString()).toBe(expected);
  });

  it.each(['', '2', '2w', 'yesterday', '2026-11-26', '2026-11-26T14:00', '2026-11-28T14:00Z', '2026-13-26T14:00Z'])(
    'is refused: %s',
    (text) => {
      expect(() => pastTime(text)).toThrow('Write it as an age');
    },
  );
});
