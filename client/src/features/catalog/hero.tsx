import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { categoryPath, type Department, departmentNames } from '~/graphql/catalogue';
import { ButtonLink } from '~/ui/button';
import { ArrowRightIcon, PauseIcon, PlayIcon } from '~/ui/icons';
import { Picture } from '~/ui/picture';
import { Ring } from '~/ui/ring';
import { TabPanel, Tabs } from '~/ui/tabs';
import type { HeroPieceFragment } from './hero.generated';
import styles from './hero.module.css';
import { type HeroWords, heroWords } from './hero-slides';
import { useSlideshow, useWheel } from './use-slideshow';
import { texts } from './texts';
import { useTabLoader } from './use-tab-loader';

/** The pieces whose pictures a department's slides show, two of each kind. */
type HeroPieces = Record<HeroWords['kind'], readonly HeroPieceFragment[]>;

interface HeroProps {
  pieces: Record<Department, HeroPieces> | undefined;
  /** Rendered instead of the images when they could not be loaded. */
  failure?: ReactNode;
}

const tabs = [
  { id: 'men', label: departmentNames.men },
  { id: 'women', label: departmentNames.women },
] as const;

/** The shop's first view: a men's and a women's slideshow under two tabs. */
export function Hero({ pieces, failure }: HeroProps) {
  const [department, setDepartment] = useState<Department>('men');
  const { loading, start, settle } = useTabLoader();
  const hero = useRef<HTMLElement>(null);

  function choose(next: Department) {
    if (next === department) return;
    setDepartment(next);
    start();
  }

  return (
    <section ref={hero} className={styles.hero} aria-label="Collections">
      <div className={styles.tabs}>
        <Tabs large label="Collections" name="hero" tabs={tabs} chosen={department} onChoose={choose} />
      </div>
      <TabPanel name="hero" chosen={department}>
        <Slides
          key={department}
          hero={hero}
          department={department}
          pieces={pieces?.[department]}
          failure={failure}
          loading={loading}
          onPicture={settle}
        />
      </TabPanel>
    </section>
  );
}

interface SlidesProps {
  /** The box that the wheel turns over. */
  hero: RefObject<HTMLElement | null>;
  department: Department;
  pieces: HeroPieces | undefined;
  failure: ReactNode;
  loading: boolean;
  onPicture: () => void;
}

function Slides({ hero, department, pieces, failure, loading, onPicture }: SlidesProps) {
  const words = heroWords[department];
  const show = useSlideshow(words.length);
  useWheel(hero, show.index, words.length, show.go);
  const current = words[show.index];

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a pointer or focus anywhere on it holds the show.
    <div
      className={styles.stage}
      onPointerEnter={() => show.setHeld(true)}
      onPointerLeave={() => show.setHeld(false)}
      onFocus={() => show.setHeld(true)}
      onBlur={() => show.setHeld(false)}
    >
      <div className={styles.window}>
        <div className={styles.reel} style={{ '--at': show.index }}>
          {words.map((slide, at) => (
            <SlidePictures
              key={slide.title}
              kind={slide.kind}
              piece={pieces?.[slide.kind][slide.place]}
              first={at === 0}
              onPicture={onPicture}
            />
          ))}
        </div>
        {failure && <div className={styles.failed}>{failure}</div>}
        {loading && (
          <div className={styles.waiting} role="status">
            <Ring size={28} />
            <span className="visually-hidden">Loading</span>
          </div>
        )}
      </div>
      {current && (
        <div className={styles.words} aria-live={show.playing ? 'off' : 'polite'}>
          <h1 className={`display ${styles.title}`}>{current.title}</h1>
          <p className={styles.description}>{current.description}</p>
          <ButtonLink kind="primary" to={categoryPath(department, current.kind)} end={<ArrowRightIcon />}>
            {texts.explore}
          </ButtonLink>
        </div>
      )}
      <Lines words={words} show={show} />
    </div>
  );
}

interface SlidePicturesProps {
  kind: HeroWords['kind'];
  piece: HeroPieceFragment | undefined;
  first: boolean;
  onPicture: () => void;
}

function SlidePictures({ kind, piece, first, onPicture }: SlidePicturesProps) {
  const images = piece?.colors[0]?.images ?? [];
  const [front] = images;
  const detail = images.at(-1);
  return (
    <div className={styles.slide} data-kind={kind}>
      <div>
        {front && (
          <Picture
            free
            image={front}
            // A pixel too few on a phone is not worth the next larger file.
            sizes="(min-width: 960px) 41vw, 99vw"
            eager={first}
            {...(first && { onSettled: onPicture })}
          />
        )}
      </div>
      <div className={styles.second}>{detail && <Picture free image={detail} sizes="29vw" />}</div>
    </div>
  );
}

function Lines({ words, show }: { words: readonly HeroWords[]; show: ReturnType<typeof useSlideshow> }) {
  return (
    <div className={styles.lines}>
      {words.map(({ title }, at) => (
        <button
          key={title}
          type="button"
          className={styles.line}
          aria-label={`Slide ${at + 1} of ${words.length}: ${title}`}
          aria-current={at === show.index || undefined}
          data-full={(at === show.index && !show.playing) || undefined}
          onClick={() => show.go(at)}
        >
          {at === show.index && show.playing && (
            <span className={styles.fill} style={{ '--arrival': `${show.arrival}ms` }} />
          )}
        </button>
      ))}
      <button
        type="button"
        className={styles.pause}
        aria-label={show.paused ? 'Play' : 'Pause'}
        onClick={() => show.setPaused(!show.paused)}
      >
        {show.paused ? <PlayIcon size={16} /> : <PauseIcon size={16} />}
      </button>
    </div>
  );
}
