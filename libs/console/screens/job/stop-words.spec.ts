import { refusedByPlatform, refusedInRow } from '../../../../src/modules/delivery/domain/job-stop';
import { explainedStop } from './explained-stop';
import { platformAnswer, stopWords } from './stop-words';

describe('Why a job stopped', () => {
  it('is said in the words of the console, with what to do', () => {
    expect(stopWords('template_not_approved', 'order_update')).toBe(
      'The template order_update is not, or no longer, approved. The job resumes automatically once WhatsApp approves it.',
    );
    expect(stopWords('refusals_in_row', 'order_update')).toMatch(
      /^WhatsApp refused many messages of this job in a row/,
    );
    expect(explainedStop('spam_limit_reached')).toMatch(
      /^The sender is temporarily blocked: .* then resume the job\.$/,
    );
    // The first of several causes with the code.
    expect(explainedStop('sender_not_registered')).toMatch(/has a problem\. Register the sender/);
    expect(explainedStop('of_a_newer_service')).toBeNull();
  });

  it('quotes the answer of the platform, if there is one', () => {
    const inRow = refusedInRow('(#131026) Message undeliverable.', 131_026);
    expect(platformAnswer(inRow.reason)).toBe('(#131026) Message undeliverable');
    expect(platformAnswer(refusedByPlatform('payment_problem', 'Payment issue', null).reason)).toBe('Payment issue');
    expect(platformAnswer('The sender of the job was deleted.')).toBeNull();
  });
});
