import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { createPath, type To, useHref, useLocation, useNavigate, useResolvedPath } from 'react-router';

export interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  to: To;
  replace?: boolean;
  /** To another document: the browser follows it by itself. */
  reloadDocument?: boolean;
  /** Travels with the entry in the browser's history, unseen. */
  state?: unknown;
}

/** Every other press, such as one for a tab of its own, is the browser's. */
function isPlain({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}

/** As browsers do it, a link to where one is adds nothing to the history. */
function useFollow(to: To, replace: boolean | undefined, state: unknown) {
  const navigate = useNavigate();
  const here = createPath(useLocation());
  const there = createPath(useResolvedPath(to));
  return () => void navigate(to, { replace: replace ?? here === there, state });
}

/** A link inside the shop. The router's own brings its framework's prefetching along, 4 kB of every first page. */
export function Link({ to, replace, reloadDocument, state, onClick, target, ...rest }: LinkProps) {
  const href = useHref(to);
  const follow = useFollow(to, replace, state);
  return (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content, jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- its words are among `rest`, and Enter on it is a click.
    <a
      {...rest}
      href={href}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || reloadDocument || !isPlain(event) || (target && target !== '_self')) return;
        event.preventDefault();
        follow();
      }}
    />
  );
}
