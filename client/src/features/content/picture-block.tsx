import { Picture } from '~/ui/picture';
import type { BlockOf } from './blocks';
import { ButtonTo } from './button-to';
import { FormattedText } from './formatted-text';
import styles from './picture-block.module.css';

/** A picture beside words; above them where there is little room. */
export function PictureBlock({ block, first }: { block: BlockOf<'PictureWithWordsBlock'>; first: boolean }) {
  const { heading, text, picture, side, button, link } = block;
  return (
    <section className={`page ${styles.block}`} data-side={picture ? side : undefined}>
      {picture && (
        <div className={styles.picture} style={{ '--ratio': `${picture.width} / ${picture.height}` }}>
          <Picture free image={picture} sizes="(min-width: 960px) 50vw, 100vw" eager={first} />
        </div>
      )}
      <div className={styles.words}>
        {heading && <h2>{heading}</h2>}
        {text.html && <FormattedText html={text.html} />}
        <ButtonTo label={button} link={link} />
      </div>
    </section>
  );
}
