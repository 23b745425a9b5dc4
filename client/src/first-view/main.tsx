import './platform';
import { ApolloClient, ApolloLink } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createPath, Router, type To } from 'react-router';
import { makeCache } from '~/app/apollo';
import { AppRoutes, screenAt } from '~/app/router';
import { describe } from './head';
import type { StoredUser } from '~/session/stored-user';
import { drawFor } from './drawn-for';
import { type Answer, openQuestions, begin } from './injected';
import { renderedParts } from './lazy-when-idle';
import { drawAs } from './shop-name';
import { titleOfPage } from './use-title';
import { PageWithoutScript } from './without-script';
import { drawIn } from './year';

const nowhere = {
  createHref: (to: To) => (typeof to === 'string' ? to : createPath(to)),
  push: () => undefined,
  replace: () => undefined,
  go: () => undefined,
};

function split(url: string) {
  const [pathname = '/', ...query] = url.split('?');
  return { pathname, search: query.length > 0 ? `?${query.join('?')}` : '' };
}

function page(url: string, screens = <AppRoutes />) {
  const client = new ApolloClient({ cache: makeCache(), link: ApolloLink.empty(), ssrMode: true });
  const { pathname, search } = split(url);
  return (
    <StrictMode>
      <ApolloProvider client={client}>
        <Router location={{ pathname, search, hash: '', state: null, key: 'default' }} navigator={nowhere} static>
          {screens}
        </Router>
      </ApolloProvider>
    </StrictMode>
  );
}

/** The picture that the page wants first, to be fetched before the page's script is there. */
function firstPicture(html: string) {
  const match = /<source type="image\/avif" srcSet="([^"]*)" sizes="([^"]*)"\/><img [^>]*fetchPriority="high"/.exec(
    html,
  );
  return match && { srcset: match[1], sizes: match[2] };
}

/** Stand for them in a page that is built once and sent by every shop for years; server/pages/shell.py fills them in. */
const YEAR = '%YEAR%';
const NAME = '%SHOP_NAME%';

/** A Suspense boundary that was left at its fallback. */
const WAITING = '<!--$!-->';

/**
 * One attempt at a page: its HTML as far as the answers reach, what it asks for beyond them, and whether it waits for
 * a chunk, which is there at the next attempt. Strings in and out are JSON; the owner is null for a public page.
 */
function render(url: string, answersJson: string, ownerJson: string, year: number, name: string): string {
  drawIn(year);
  drawAs(name);
  drawFor(JSON.parse(ownerJson) as StoredUser | null);
  begin(JSON.parse(answersJson) as Answer[]);
  titleOfPage.forget();
  renderedParts.forget();
  const html = renderToString(page(url));
  return JSON.stringify({
    html,
    asked: openQuestions(),
    waits: html.includes(WAITING),
    title: titleOfPage.is(),
    picture: firstPicture(html),
    sources: [screenAt(split(url).pathname)?.source, ...renderedParts.drawn()],
  });
}

/** The page's head for search engines; made of the answers alone, so that it survives a failed render. */
function head(url: string, title: string, status: number, answersJson: string, origin: string, name: string): string {
  drawAs(name);
  return JSON.stringify(describe(split(url), title, status, JSON.parse(answersJson) as Answer[], origin));
}

/** The page for browsers without script, in the place of those that come undrawn; null while a chunk of it is on its way. */
function renderWithoutScript(): string | null {
  drawIn(YEAR);
  drawAs(NAME);
  const html = renderToString(page('/', <PageWithoutScript />));
  return html.includes(WAITING) ? null : html;
}

Object.assign(globalThis, { firstView: { render, renderWithoutScript, head } });
