import { ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { ArrowRightIcon } from '~/ui/icons';
import { texts } from './cart-texts';

export function EmptyCart() {
  return (
    <Empty
      title={texts.empty}
      action={
        <ButtonLink kind="primary" to="/" end={<ArrowRightIcon />}>
          {texts.continueShopping}
        </ButtonLink>
      }
    >
      Whatever you put in stays, on every device you sign in on.
    </Empty>
  );
}
