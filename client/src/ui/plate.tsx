import { Hanger } from './empty';
import styles from './plate.module.css';
import { Ring } from './ring';

/** Stands where a picture will be, in its final size. */
export function PicturePlate() {
  return (
    <div className={styles.card}>
      <Ring size={26} late />
    </div>
  );
}

/** Stands for a picture that there is none of. */
export function NoPicture() {
  return (
    <div className={styles.none}>
      <Hanger width={72} />
    </div>
  );
}

/** Stands where a line of words will be. */
export function TextPlate({ width }: { width: string }) {
  return <div className={styles.text} style={{ '--width': width }} />;
}
