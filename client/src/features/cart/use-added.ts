import { useState } from 'react';
import { toast } from '~/ui/toast';
import { texts } from './texts';

/** What was put in the cart from this page, in words; said once in a message and then kept on the page. */
export function useAdded() {
  const [added, setAdded] = useState<string | null>(null);

  function tell(piece: string, quantity: number) {
    const words = texts.addedPieces(piece, quantity);
    setAdded(words);
    toast.success(words, { label: texts.viewCart, to: '/cart' });
  }

  return { added, tell };
}
