import { isUuid, uuidTime, uuidV7 } from './uuid';

describe('uuidV7', () => {
  it('contains its time, version and variant', () => {
    const id = uuidV7(0x0123456789ab);
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
    expect(uuidTime(id).getTime()).toBe(0x0123456789ab);
  });

  it('generates unique, ascending ids within a millisecond', () => {
    const time = Date.now();
    const ids = Array.from({ length: 1500 }, () => uuidV7(time));
    expect(new Set(ids).size).toBe(1500);
    expect([...ids].sort()).toEqual(ids);
  });
});
