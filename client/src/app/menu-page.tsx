import { useTitle } from '~/ui/use-title';
import MenuSheet from './menu-sheet';

/** /menu: the menu as a page of its own, for browsers without script. */
export default function MenuPage() {
  useTitle('Menu');
  return (
    <>
      <h1 className="visually-hidden">Menu</h1>
      <MenuSheet />
    </>
  );
}
