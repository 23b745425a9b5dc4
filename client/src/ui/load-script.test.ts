import { afterEach, describe, expect, it } from 'vitest';
import { loadScript, standInScript } from './load-script';

const scriptsOf = (address: string) => [...document.head.querySelectorAll(`script[src="${address}"]`)];

afterEach(() => document.head.replaceChildren());

describe('another site’s script', () => {
  it('is asked for once, however often it is needed', async () => {
    const [first, second] = [loadScript('https://one.test/a.js'), loadScript('https://one.test/a.js')];

    expect(scriptsOf('https://one.test/a.js')).toHaveLength(1);
    scriptsOf('https://one.test/a.js')[0]?.dispatchEvent(new Event('load'));

    await expect(Promise.all([first, second])).resolves.toBeDefined();
  });

  it('is asked for again after it did not come', async () => {
    const failed = loadScript('https://one.test/b.js');
    scriptsOf('https://one.test/b.js')[0]?.dispatchEvent(new Event('error'));
    await expect(failed).rejects.toThrow('https://one.test/b.js did not load.');

    const again = loadScript('https://one.test/b.js');
    scriptsOf('https://one.test/b.js')[0]?.dispatchEvent(new Event('load'));

    await expect(again).resolves.toBeUndefined();
  });

  it('has a stand-in where the page names one', () => {
    document.head.innerHTML = '<meta name="stripe-script" content="http://localhost:8001/stripe.js">';

    expect(standInScript('stripe')).toBe('http://localhost:8001/stripe.js');
    expect(standInScript('google-identity')).toBeUndefined();
  });
});
