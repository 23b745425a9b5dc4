import type { ComponentProps } from 'react';
import { FormEnd } from '~/ui/form-end';
import { ChangedMeanwhile } from './changed-meanwhile';

interface OrderFormEndProps extends ComponentProps<typeof FormEnd> {
  /** What has changed of the order since the form was opened, where that is why it was refused. */
  changes: readonly string[];
  onCancel: () => void;
}

/** The end of a form about an order, which can be sent only while the order is as it was when the form was opened. */
export function OrderFormEnd({ changes, ...end }: OrderFormEndProps) {
  if (changes.length === 0) return <FormEnd {...end} />;
  return <ChangedMeanwhile refusal={{ message: end.refusal ?? '', changes }} onLook={end.onCancel} />;
}
