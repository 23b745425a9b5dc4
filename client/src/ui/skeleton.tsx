import { Hanger } from './empty';
import styles from './skeleton.module.css';
import { Ring } from './ring';

/** The skeleton of an image, in its final size. */
export function PictureSkeleton() {
  return (
    <div className={styles.card}>
      <Ring size={26} late />
    </div>
  );
}

/** The placeholder of a missing image. */
export function NoPicture() {
  return (
    <div className={styles.none}>
      <Hanger width={72} />
    </div>
  );
}

/** The skeleton of a line of text. */
export function TextSkeleton({ width }: { width: string }) {
  return <div className={styles.text} style={{ '--width': width }} />;
}
