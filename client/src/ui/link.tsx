import type { ComponentPropsWithRef } from 'react';
import { type To, useHref, useLinkClickHandler } from 'react-router';

export interface LinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  to: To;
  replace?: boolean;
  /** To another document: the browser follows it by itself. */
  reloadDocument?: boolean;
  /** Travels with the entry in the browser's history, unseen. */
  state?: unknown;
}

/** A link inside the shop. The router's own also prefetches for its framework, which would cost every page 4 KB. */
export function Link({ to, replace, reloadDocument, state, onClick, target, ...rest }: LinkProps) {
  const href = useHref(to);
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, target });
  return (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content, jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- its words are among `rest`, and Enter on it is a click.
    <a
      {...rest}
      href={href}
      target={target}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented && !reloadDocument) follow(event);
      }}
    />
  );
}
