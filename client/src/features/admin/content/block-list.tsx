import { useState } from 'react';
import { Sortable, useSorted } from '~/features/admin/sortable';
import { CrossIcon, PlusIcon } from '~/ui/icons';
import { Menu } from '~/ui/menu';
import styles from './content.module.css';
import { type BlockDraft, type KindForm, nameOf, wordsOf } from './page-draft';
import { texts } from './texts';
import type { PageForm } from './use-page-draft';

/** What the form shows: a block by its key, or the page's own texts. */
export const PAGE = 'page';

interface BlockListProps {
  form: PageForm;
  kinds: readonly KindForm[];
  chosen: string;
  /** Places of the input that are wrong. */
  broken: readonly string[];
  onChoose: (key: string) => void;
}

/** The blocks of a page in their order: chosen, added, moved, removed. */
export function BlockList({ form, kinds, chosen, broken, onChoose }: BlockListProps) {
  const { blocks } = form.draft;
  const [removed, setRemoved] = useState<{ name: string; run: () => void } | null>(null);

  function remove(block: BlockDraft) {
    const run = form.remove(block.key);
    if (chosen === block.key) onChoose(PAGE);
    setRemoved({ name: nameOf(block, kinds), run });
  }

  return (
    <section className={styles.list} aria-label={texts.blocks}>
      <h3 className={styles.legend}>{texts.blocks}</h3>
      <button
        type="button"
        className={styles.chooser}
        aria-current={chosen === PAGE || undefined}
        onClick={() => onChoose(PAGE)}
      >
        {texts.about}
      </button>
      <Sortable
        inRows
        items={blocks.map((block) => ({ key: block.key, name: nameOf(block, kinds) }))}
        onMove={form.move}
      >
        <ol>
          {blocks.map((block, at) => (
            <BlockRow
              key={block.key}
              block={block}
              kinds={kinds}
              isChosen={chosen === block.key}
              isBroken={broken.some((place) => place.startsWith(`blocks.${at}.`))}
              onChoose={() => onChoose(block.key)}
              onRemove={() => remove(block)}
            />
          ))}
        </ol>
      </Sortable>
      <div role="status">
        {removed && (
          <button
            type="button"
            className="link small"
            onClick={() => {
              removed.run();
              setRemoved(null);
            }}
          >
            {texts.putBack(removed.name)}
          </button>
        )}
      </div>
      <Menu
        start
        opener={
          <>
            {texts.addBlock}
            <PlusIcon size={18} />
          </>
        }
        openerClass={styles.add}
      >
        {kinds.map((kind) => (
          <li key={kind.key}>
            <button type="button" onClick={() => onChoose(form.add(kind))}>
              {kind.label}
            </button>
          </li>
        ))}
      </Menu>
    </section>
  );
}

interface BlockRowProps {
  block: BlockDraft;
  kinds: readonly KindForm[];
  isChosen: boolean;
  isBroken: boolean;
  onChoose: () => void;
  onRemove: () => void;
}

function BlockRow({ block, kinds, isChosen, isBroken, onChoose, onRemove }: BlockRowProps) {
  const name = nameOf(block, kinds);
  const { grip, item } = useSorted(block.key, { label: `Move ${name}` });
  const kind = kinds.find(({ key }) => key === block.kind);
  return (
    <li {...item} className={`${item.className} ${styles.blockRow}`} data-chosen={isChosen || undefined}>
      {grip}
      <button type="button" className={styles.chooser} aria-current={isChosen || undefined} onClick={onChoose}>
        <span>{kind?.label}</span>
        <span className={isBroken ? styles.broken : styles.words}>
          {isBroken ? 'Needs attention' : kind && wordsOf(kind.fields, block.values)}
        </span>
      </button>
      <button type="button" className={styles.remove} aria-label={`Remove ${name}`} onClick={onRemove}>
        <CrossIcon size={16} />
      </button>
    </li>
  );
}
