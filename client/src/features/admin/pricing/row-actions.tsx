import { Button } from '~/ui/button';
import { texts } from './texts';

interface RowActionsProps {
  /** The row's subject, for screen readers, which read the button alone. */
  of: string;
  /** Only the owner may change it. */
  allowed: boolean;
  onChange: () => void;
  onRemove: () => void;
}

/** The controls of a row that can be changed and taken away. */
export function RowActions({ of, allowed, onChange, onRemove }: RowActionsProps) {
  return (
    <>
      <Button small disabled={!allowed} aria-label={`${texts.change} ${of}`} onClick={onChange}>
        {texts.change}
      </Button>
      <Button small disabled={!allowed} aria-label={`${texts.remove} ${of}`} onClick={onRemove}>
        {texts.remove}
      </Button>
    </>
  );
}
