import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { RefusedError } from '../../client/errors';
import { forgetSend, useSendOnce } from './send-once';

const PLACE = 'console.draft.a-1.reply.c-1';

/** The storage of a tab, as the browser has it. */
function newStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

describe('A send from a draft', () => {
  let keys: string[];
  let isLost: boolean;
  let refusal: Error | null;

  beforeEach(() => {
    [keys, isLost, refusal] = [[], false, null];
    const window = { sessionStorage: newStorage(), localStorage: newStorage() };
    Object.defineProperty(globalThis, 'window', { value: window, configurable: true });
  });

  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'window');
  });

  const request = (_text: string, key: string) => {
    keys.push(key);
    if (refusal) return Promise.reject(refusal);
    return isLost ? Promise.reject(new Error('The connection was lost.')) : Promise.resolve();
  };
  /** The function of a form that is shown now. */
  function newForm(place?: string): (text: string) => Promise<void> {
    let send: ((text: string) => Promise<void>) | undefined;
    const Form = () => {
      send = useSendOnce(request, place);
      return null;
    };
    renderToStaticMarkup(createElement(Form));
    return send!;
  }
  const loseAnswerTo = async (sent: (text: string) => Promise<void>, text: string) => {
    isLost = true;
    await expect(sent(text)).rejects.toThrow('lost');
    isLost = false;
  };

  it('keeps its key for the restored draft until an answer arrives', async () => {
    await loseAnswerTo(newForm(PLACE), 'Yes');
    await loseAnswerTo(newForm(PLACE), 'Yes');
    await newForm(PLACE)('Yes');
    await newForm(PLACE)('Yes');
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('has its key also where the answer arrives after the draft was shown again', async () => {
    const earlier = newForm(PLACE);
    const running = earlier('Yes');
    const shown = newForm(PLACE);
    await running;
    await shown('Yes');
    expect(keys[1]).toBe(keys[0]);
  });

  it('has another key once its message exists and has failed, and no other after any other refusal', async () => {
    const shown = newForm(PLACE);
    for (const messageId of ['m-1', undefined]) {
      refusal = new RefusedError('recipient_unreachable', 'Refused.', { body: { messageId } });
      await expect(shown('Yes')).rejects.toThrow('Refused.');
      refusal = null;
      await shown('Yes');
    }
    expect([keys[0] === keys[1], keys[2] === keys[3]]).toEqual([false, true]);
  });

  it('has another key for another text, in another form, without a draft, and once the draft was removed', async () => {
    await loseAnswerTo(newForm(PLACE), 'Yes');
    await newForm(`${PLACE}2`)('Yes');
    await newForm()('Yes');
    await loseAnswerTo(newForm(PLACE), 'No');
    forgetSend(PLACE);
    await newForm(PLACE)('No');
    expect(new Set(keys).size).toBe(keys.length);
  });
});
