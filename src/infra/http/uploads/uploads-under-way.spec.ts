import { UploadsBusyError, UploadsUnderWay } from './uploads-under-way';

describe('Uploads under way', () => {
  const uploads = () => new UploadsUnderWay({ perAccount: 3, bytesPerAccount: 60, bytes: 100 });

  it('are bounded for each account, in number and in bytes, until one ends', () => {
    const bounded = uploads();
    const leave = bounded.enter('A', 20);
    bounded.enter('A', 20);
    bounded.enter('A', 1);
    expect(() => bounded.enter('A', 1)).toThrow(UploadsBusyError);
    leave();
    expect(() => bounded.enter('A', 40)).toThrow(UploadsBusyError);
    bounded.enter('A', 39);
  });

  it('are bounded in bytes for all accounts together', () => {
    const bounded = uploads();
    bounded.enter('A', 60);
    const leave = bounded.enter('B', 40);
    expect(() => bounded.enter('C', 1)).toThrow(UploadsBusyError);
    leave();
    bounded.enter('C', 40);
    expect(() => bounded.enter('D', 1)).toThrow(UploadsBusyError);
  });

  it('that are refused say when to try again', () => {
    expect(new UploadsBusyError()).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 10 });
  });
});
