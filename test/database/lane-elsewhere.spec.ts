import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { laneProcessOn } from '../support/lane-stores';

describeOnDatabase('The lane of a sender of another deployment, of whom a wake-up on a shared Redis speaks', (open) => {
  it('is not taken, and is no error', async () => {
    const { ownership } = laneProcessOn(await open(), 'process', false);
    expect(await ownership.take(uuidV7())).toBeNull();
  });
});
