import { blockInput, type BlockDraft, type KindForm, nameOf, type PageDraft } from './page-draft';

type Same = (one: BlockDraft, other: BlockDraft) => boolean;

const sameFor =
  (kinds: readonly KindForm[]): Same =>
  (one, other) =>
    JSON.stringify(blockInput(one, kinds)) === JSON.stringify(blockInput(other, kinds));

/** A draft that was read anew: blocks that are as before are those of before, others have the key of one of their kind. */
export function withKeysOf(before: PageDraft, saved: PageDraft, kinds: readonly KindForm[]): PageDraft {
  const same = sameFor(kinds);
  const left = [...before.blocks];
  const take = (fits: (block: BlockDraft) => boolean) => {
    const at = left.findIndex(fits);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const asBefore = saved.blocks.map((block) => take((old) => same(old, block)));
  const changed = (block: BlockDraft) => ({ ...block, key: take(({ kind }) => kind === block.kind)?.key ?? block.key });
  return { ...saved, blocks: saved.blocks.map((block, at) => asBefore[at] ?? changed(block)) };
}

const byKey = (blocks: readonly BlockDraft[]) => new Map(blocks.map((block) => [block.key, block]));
const keysOf = (blocks: readonly BlockDraft[]) => blocks.map(({ key }) => key);

/** Puts keys that only `from` has behind the one that they stand behind there. */
function insert(order: readonly string[], from: readonly string[]): string[] {
  const merged = [...order];
  from.forEach((key, at) => {
    if (merged.includes(key)) return;
    const before = from.slice(0, at).findLast((one) => merged.includes(one));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, key);
  });
  return merged;
}

/** A block of both drafts. What both have changed stands there twice, so that nobody's work is lost. */
function both(old: BlockDraft | undefined, mine: BlockDraft | undefined, theirs: BlockDraft | undefined, same: Same) {
  const isMine = mine && !(old && same(old, mine));
  const isTheirs = theirs && !(old && same(old, theirs));
  if (mine && theirs && isMine && isTheirs && !same(mine, theirs)) return [theirs, { ...mine, key: `${mine.key}'` }];
  if (isMine) return [mine];
  if (isTheirs) return [theirs];
  return mine && theirs ? [theirs] : [];
}

/** What I have changed since `base`, on top of what another admin has saved meanwhile. */
export function merge(base: PageDraft, mine: PageDraft, saved: PageDraft, kinds: readonly KindForm[]): PageDraft {
  const same = sameFor(kinds);
  const theirs = withKeysOf(base, saved, kinds).blocks;
  const [old, my, their] = [byKey(base.blocks), byKey(mine.blocks), byKey(theirs)];
  const shared = keysOf(base.blocks).filter((key) => my.has(key));
  const hasMoved =
    keysOf(mine.blocks)
      .filter((key) => old.has(key))
      .join() !== shared.join();
  const [first, second] = hasMoved ? [mine.blocks, theirs] : [theirs, mine.blocks];
  return {
    title: mine.title === base.title ? saved.title : mine.title,
    description: mine.description === base.description ? saved.description : mine.description,
    blocks: insert(keysOf(first), keysOf(second)).flatMap((key) =>
      both(old.get(key), my.get(key), their.get(key), same),
    ),
  };
}

/** What differs between two drafts whose blocks go by the same keys, by name: "Title", "Hero: Raw denim", "Order of blocks". */
export function differences(before: PageDraft, after: PageDraft, kinds: readonly KindForm[]): string[] {
  const same = sameFor(kinds);
  const name = (block: BlockDraft) => nameOf(block, kinds);
  const now = after.blocks;
  const [old, all] = [byKey(before.blocks), byKey(now)];
  const kept = keysOf(before.blocks).filter((key) => all.has(key));
  return [
    ...(before.title === after.title ? [] : ['Title']),
    ...(before.description === after.description ? [] : ['Description']),
    ...now.filter((block) => !old.has(block.key)).map((block) => `${name(block)} added`),
    ...now.filter((block) => old.has(block.key) && !same(old.get(block.key) ?? block, block)).map(name),
    ...before.blocks.filter(({ key }) => !all.has(key)).map((block) => `${name(block)} removed`),
    ...(kept.join() ===
    keysOf(now)
      .filter((key) => old.has(key))
      .join()
      ? []
      : ['Order of blocks']),
  ];
}
