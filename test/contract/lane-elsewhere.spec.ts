import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from './databases';
import { laneStoreOn } from './lane-stores';

describeOnDatabase('The lane of a sender of another deployment, of whom a knock on a shared Redis speaks', (open) => {
  it('is not taken, and is no error', async () => {
    const store = laneStoreOn(await open(), 'process', false);
    expect(await store.take(uuidV7(), () => Promise.resolve())).toBeNull();
  });
});
