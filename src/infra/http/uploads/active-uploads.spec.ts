import { UploadsBusyError, ActiveUploads } from './active-uploads';

describe('ActiveUploads', () => {
  const uploads = () => new ActiveUploads({ perAccount: 3, bytesPerAccount: 60, bytes: 100 });

  it('limits the number and bytes of uploads per account', () => {
    const bounded = uploads();
    const first = bounded.enter('A', 20);
    first.add(20);
    bounded.enter('A', 20).add(20);
    bounded.enter('A', 1).add(1);
    expect(() => bounded.enter('A', 1)).toThrow(UploadsBusyError);
    first.leave();
    expect(() => bounded.enter('A', 40)).toThrow(UploadsBusyError);
    bounded.enter('A', 39);
  });

  it('limits the bytes of all accounts', () => {
    const bounded = uploads();
    bounded.enter('A', 60).add(60);
    const second = bounded.enter('B', 40);
    second.add(40);
    expect(() => bounded.enter('C', 1)).toThrow(UploadsBusyError);
    second.leave();
    bounded.enter('C', 40).add(40);
    expect(() => bounded.enter('D', 1)).toThrow(UploadsBusyError);
  });

  it('counts only received bytes, and aborts an upload that exceeds a limit', () => {
    const bounded = uploads();
    const announcing = ['A', 'A', 'B', 'B'].map((accountId) => bounded.enter(accountId, 60));
    const third = bounded.enter('C', 60);
    third.add(60);
    announcing[0]!.add(40);
    expect(() => announcing[2]!.add(1)).toThrow(UploadsBusyError);
    announcing[2]!.leave();
    third.leave();
    expect(() => announcing[1]!.add(21)).toThrow(UploadsBusyError);
  });

  it('refuses with the time to retry', () => {
    expect(new UploadsBusyError()).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 10 });
  });
});
