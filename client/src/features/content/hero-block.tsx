import { useState } from 'react';
import { Carousel } from '~/ui/carousel';
import { Picture } from '~/ui/picture';
import type { BlockOf } from './blocks';
import { ButtonTo } from './button-to';
import styles from './hero-block.module.css';

type Slide = BlockOf<'HeroBlock'>['slides'][number];

interface HeroBlockProps {
  slides: readonly Slide[];
  /** It is what the page begins with. */
  first: boolean;
}

/** Large pictures that a shopper moves through, each with its words. It never moves by itself. */
export function HeroBlock({ slides, first }: HeroBlockProps) {
  const [index, setIndex] = useState(0);
  const hasPictures = slides.some(({ picture }) => picture);
  // Without pictures there is nothing to move through: all words are there.
  const shown = hasPictures ? index : null;
  return (
    <section className={hasPictures ? styles.hero : styles.wordsOnly} aria-label={slides[0]?.heading}>
      {hasPictures && (
        <div className={styles.pictures}>
          <Carousel
            label={slides.map(({ heading }) => heading).join(', ')}
            slides={slides.map(({ heading, picture }, at) => (
              <div key={heading} className={styles.picture}>
                {picture && (
                  <Picture free image={picture} sizes="(min-width: 960px) 59vw, 100vw" eager={first && at === 0} />
                )}
              </div>
            ))}
            index={index}
            onIndex={setIndex}
          />
        </div>
      )}
      <div className={styles.words} aria-live="polite">
        {slides.map((slide, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a slide is its place.
          <Words key={at} slide={slide} isOff={shown !== null && at !== shown} />
        ))}
      </div>
    </section>
  );
}

/** All stand in one place, which is as tall as the longest: nothing moves when another is shown. */
function Words({ slide: { heading, text, button, link }, isOff }: { slide: Slide; isOff: boolean }) {
  return (
    <div className={isOff ? `${styles.slide} ${styles.off}` : styles.slide}>
      <h2 className="display">{heading}</h2>
      {text && <p className={styles.text}>{text}</p>}
      <ButtonTo kind="primary" label={button} link={link} />
    </div>
  );
}
