import { Suspense } from 'react';
import { texts } from '~/features/catalog/texts';
import { ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import styles from './product.module.css';

const MostWorn = lazyWhenIdle('routes/most-worn', () => import('./most-worn'));

/** In the place of a product that is not there. */
export default function ProductNotFound() {
  return (
    <>
      <div className={`page ${styles.alone}`}>
        <Empty as="h1" title={texts.notFoundTitle} action={<ButtonLink to="/">{texts.continueShopping}</ButtonLink>}>
          {texts.notFoundText}
        </Empty>
      </div>
      <Suspense>
        <MostWorn />
      </Suspense>
    </>
  );
}
