import NothingHere from '~/features/catalog/nothing-here';
import MostWorn from './most-worn';

/** Every address that the shop does not have. */
export default function NotFoundRoute() {
  return (
    <>
      <NothingHere />
      <MostWorn />
    </>
  );
}
