/** What the browser platform has, the libraries name at their start and bare V8 lacks. */

type Pair = [string, string];

const decode = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const encode = (text: string) =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** As much of the browser's own as a screen uses while it renders. */
class Query {
  #pairs: Pair[];

  constructor(init: string | Record<string, string> | Iterable<Pair> = '') {
    if (typeof init === 'string') this.#pairs = parse(init);
    else
      this.#pairs =
        Symbol.iterator in init ? [...(init as Iterable<Pair>)] : Object.entries(init as Record<string, string>);
  }

  get size(): number {
    return this.#pairs.length;
  }

  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#pairs.some(([key]) => key === name);
  }

  append(name: string, value: string): void {
    this.#pairs.push([name, value]);
  }

  set(name: string, value: string): void {
    const at = this.#pairs.findIndex(([key]) => key === name);
    const others = this.#pairs.filter(([key], index) => key !== name || index === at);
    if (at < 0) others.push([name, value]);
    else others[at] = [name, value];
    this.#pairs = others;
  }

  delete(name: string): void {
    this.#pairs = this.#pairs.filter(([key]) => key !== name);
  }

  keys() {
    return this.#pairs.map(([key]) => key)[Symbol.iterator]();
  }

  forEach(call: (value: string, name: string) => void): void {
    for (const [name, value] of this.#pairs) call(value, name);
  }

  [Symbol.iterator]() {
    return this.#pairs[Symbol.iterator]();
  }

  toString(): string {
    return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  }
}

function parse(text: string): Pair[] {
  const parts = text.replace(/^\?/, '').split('&').filter(Boolean);
  return parts.map((part) => {
    const [name = '', ...value] = part.split('=');
    return [decode(name), decode(value.join('='))];
  });
}

/** React's streaming half makes some of each when it is loaded; what renders at once never uses them. */
class Unused {
  port1 = {};
  port2 = {};
  encode = () => new Uint8Array();
}

Object.assign(globalThis, {
  URLSearchParams: Query,
  MessageChannel: Unused,
  TextEncoder: Unused,
  AbortController: Unused,
  URL: Unused,
  performance: Date,
  queueMicrotask: (run: () => void) => void Promise.resolve().then(run),
});
