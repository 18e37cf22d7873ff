import { type TrafficMark, TrafficMarks } from './traffic-marks';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));
const UNMARKED = { senderId: 's', lastAcceptedAt: null, lastWebhookAt: null, unreportedSince: null };

describe('TrafficMarks', () => {
  let marks: TrafficMarks;
  let written: TrafficMark[];
  const flush = async () => {
    written = [];
    await marks.flush((taken) => Promise.resolve(void written.push(...taken)));
    return written;
  };

  beforeEach(() => {
    marks = new TrafficMarks();
  });

  it('count as unreported from the first message after the latest webhook', async () => {
    marks.accepted('s', at(1));
    marks.reported('s', at(2));
    marks.accepted('s', at(3));
    marks.accepted('s', at(4));
    expect(marks.lastWebhookAt('s')).toEqual(at(2));
    expect(await flush()).toEqual([
      { senderId: 's', lastAcceptedAt: at(4), lastWebhookAt: at(2), unreportedSince: at(3) },
    ]);
    expect(await flush()).toEqual([]);
  });

  it('are merged with later ones if they cannot be written', async () => {
    const broken = (late: () => void) => () => {
      late();
      return Promise.reject(new Error('no database'));
    };
    marks.accepted('s', at(1));
    await expect(marks.flush(broken(() => marks.accepted('s', at(2))))).rejects.toThrow('no database');
    expect(await flush()).toEqual([{ ...UNMARKED, lastAcceptedAt: at(2), unreportedSince: at(1) }]);

    marks.accepted('s', at(3));
    await expect(marks.flush(broken(() => marks.reported('s', at(4))))).rejects.toThrow('no database');
    expect(await flush()).toEqual([{ ...UNMARKED, lastAcceptedAt: at(3), lastWebhookAt: at(4) }]);
  });
});
