import { InMemoryAccountStore } from '../../../../test/fakes/in-memory-account-store';
import { FakeClock } from '../../../../test/fakes/fake-clock';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { type TrafficMark, TrafficMarks } from '../../accounts/domain/traffic-marks';
import type { Answer } from './answer';
import type { MarketingStops } from './marketing-stops';
import type { OutgoingMessage } from './outgoing-message';
import type { RateLimiter } from './rate-limiter.port';
import { SendGateway } from './send-gateway';

const REFUSED: Answer = { kind: 'refused', scope: 'recipient', problem: 'x', message: 'No.', platformCode: 131026 };

describe('SendGateway', () => {
  it('marks a sender only after the platform has accepted its message', async () => {
    const clock = new FakeClock();
    const marks = new TrafficMarks();
    const answers: Answer[] = [REFUSED, { kind: 'accepted', platformMessageId: 'wamid.1' }];
    const gateway = new SendGateway(
      {} as RateLimiter,
      { send: () => Promise.resolve(answers.shift()!) },
      clock,
      { applyAnswer: () => Promise.resolve() } as Partial<MarketingStops> as MarketingStops,
      marks,
      new SendersService(new InMemoryAccountStore(), clock),
    );
    const written: TrafficMark[] = [];
    const send = async () => {
      await gateway.send({ id: 's' } as Sender, {} as OutgoingMessage);
      await marks.flush((taken) => Promise.resolve(void written.push(...taken)));
    };
    await send();
    expect(written).toEqual([]);
    await send();
    expect(written).toMatchObject([{ senderId: 's', lastAcceptedAt: clock.now(), unreportedSince: clock.now() }]);
  });

  it('records a refused access token until the platform accepts it again', async () => {
    const clock = new FakeClock();
    const senders = new SendersService(new InMemoryAccountStore(), clock);
    const expired: Answer = { ...REFUSED, scope: 'job', problem: 'platform_credentials_invalid', platformCode: 190 };
    const answers: Answer[] = [expired, REFUSED, { kind: 'accepted', platformMessageId: 'wamid.1' }];
    const gateway = new SendGateway(
      {} as RateLimiter,
      { send: () => Promise.resolve(answers.shift()!) },
      clock,
      { applyAnswer: () => Promise.resolve() } as Partial<MarketingStops> as MarketingStops,
      new TrafficMarks(),
      senders,
    );
    const sender = { id: 's', accessToken: 'old' } as Sender;
    const problems = [];
    while (answers.length > 0) {
      await gateway.send(sender, {} as OutgoingMessage);
      problems.push(senders.problemOf(sender)?.code ?? null);
    }
    expect(problems).toEqual(['platform_credentials_invalid', 'platform_credentials_invalid', null]);
    senders.recordRefusal(sender, { code: 'platform_credentials_invalid', message: 'No.' });
    expect(senders.problemOf({ ...sender, accessToken: 'new' })).toBeNull();
    expect(senders.problemOf({ ...sender, appSecret: 'new' })).toBeNull();
  });
});
