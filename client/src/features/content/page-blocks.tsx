import { Fragment, type ReactNode, useId } from 'react';
import { Questions } from '~/ui/questions';
import type { Block, BlockOf } from './blocks';
import { FormattedText } from './formatted-text';
import { HeroBlock } from './hero-block';
import type { PageBlocksFragment } from './page-blocks.generated';
import styles from './page-blocks.module.css';
import { PictureBlock } from './picture-block';

interface PageBlocksProps {
  page: PageBlocksFragment;
  /** Shows the products of a shelf. */
  renderShelf: (shelf: BlockOf<'ShelfBlock'>) => ReactNode;
}

/** A page that the owner has written: its title and its blocks, from the top. */
export function PageBlocks({ page: { title, blocks }, renderShelf }: PageBlocksProps) {
  // A hero speaks for itself.
  const isTitleHidden = blocks[0]?.__typename === 'HeroBlock';
  return (
    <article className={styles.blocks}>
      <h1 className={isTitleHidden ? 'visually-hidden' : `page ${styles.title}`}>{title}</h1>
      {blocks.map((block, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a block is its place.
        <Fragment key={at}>
          {block.__typename === 'ShelfBlock' ? renderShelf(block) : <WrittenBlock block={block} first={at === 0} />}
        </Fragment>
      ))}
    </article>
  );
}

interface WrittenBlockProps {
  block: Exclude<Block, { __typename: 'ShelfBlock' }>;
  first: boolean;
}

function WrittenBlock({ block, first }: WrittenBlockProps) {
  switch (block.__typename) {
    case 'HeroBlock':
      return <HeroBlock slides={block.slides} first={first} />;
    case 'PictureWithWordsBlock':
      return <PictureBlock block={block} first={first} />;
    case 'TwoColumnsBlock':
      return (
        <div className={`page ${styles.columns}`}>
          <FormattedText html={block.left.html} />
          <FormattedText html={block.right.html} />
        </div>
      );
    case 'QuotationBlock':
      return (
        <figure className={`page ${styles.quotation}`}>
          <blockquote>{block.quote}</blockquote>
          {block.by && <figcaption>{block.by}</figcaption>}
        </figure>
      );
    case 'QuestionsBlock':
      return <QuestionsBlock block={block} />;
    case 'FreeTextBlock':
      return (
        <div className="page">
          <FormattedText html={block.text.html} />
        </div>
      );
  }
}

function QuestionsBlock({ block: { heading, questions } }: { block: BlockOf<'QuestionsBlock'> }) {
  const id = useId();
  return (
    <section className={`page ${styles.questions}`} aria-labelledby={heading ? id : undefined}>
      {heading && <h2 id={id}>{heading}</h2>}
      <div>
        <Questions
          questions={questions.map(({ question, answer }, at) => ({
            id: `${id}-${at}`,
            question,
            answer: <FormattedText html={answer.html} />,
          }))}
        />
      </div>
    </section>
  );
}
