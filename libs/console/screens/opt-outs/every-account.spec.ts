import * as service from '../../../../src/modules/groups/domain/opt-out-keywords';
import { ALWAYS_OUT_KEYWORDS } from './every-account';

describe('The keywords of every account', () => {
  it('are those of the service', () => {
    expect(ALWAYS_OUT_KEYWORDS).toEqual(service.ALWAYS_OUT_KEYWORDS);
  });
});
