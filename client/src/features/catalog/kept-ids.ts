import { type Codec, json, type Key, stored } from '~/ui/stored';

const NONE: readonly string[] = [];

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Newest first, none twice, at most so many. What is no id is left out. */
function idList(most: number): Codec<readonly string[]> {
  const { parse } = json(Array.isArray);
  return {
    parse: (text) => [...new Set(parse(text)?.filter(isId))].slice(0, most),
    print: (ids) => JSON.stringify(ids.slice(0, most)),
  };
}

/** Ids of products that this browser keeps for itself: newest first, none twice, at most so many. */
export function keptIds(key: Key, most: number) {
  const storedIds = stored(key, idList(most));
  const read = () => storedIds.read() ?? NONE;
  const write = (ids: readonly string[]) => storedIds.write(ids.length === 0 ? null : ids);

  return {
    read,
    /** On the server, which has none. */
    none: () => NONE,

    /** Puts one first, wherever it was. */
    add(id: string) {
      write([id, ...read().filter((other) => other !== id)]);
    },

    forget(gone: readonly string[]) {
      write(read().filter((id) => !gone.includes(id)));
    },

    subscribe: storedIds.subscribe,
  };
}
