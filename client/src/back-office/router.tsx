import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject } from 'react-router';
import { Layout } from '~/app/layout';
import { loadDocument } from '~/app/load-document';
import { PageFailure } from '~/app/screen-boundary';
import AdminRoute from '~/routes/admin';
import type { ScreenId } from '~/routes/admin-screens';
import { session } from '~/session/storage';
import { backOffice } from '~routes';

const { tabs, ...screens } = backOffice;
/** Screens with an address of their own; the tabs share one. */
const addresses: Record<ScreenId, string> = screens;

/** A visitor is led to sign-in. */
function signedInOnly() {
  const isVisitor = !session.user() && !session.isUnknown();
  return isVisitor ? loadDocument('/signin', { replace: true }) : null;
}

/** Every other address is another document: the shop, or the server's page for what does not exist. */
function loadOther({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  return loadDocument(pathname + search);
}

const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <PageFailure />,
    hydrateFallbackElement: <></>,
    children: [
      { path: tabs, loader: signedInOnly, element: <AdminRoute /> },
      ...Object.entries(addresses).map(([screen, path]) => ({
        path,
        loader: signedInOnly,
        element: <AdminRoute screen={screen as ScreenId} />,
      })),
      { path: '*', loader: loadOther },
    ],
  },
];

/** Every address of the back office. A session that ends meanwhile leads to sign-in, unless it already leads elsewhere. */
export function makeRouter() {
  const router = createBrowserRouter(routes);
  session.subscribe(() => {
    // After the code that ended it could navigate elsewhere: that navigation is then repeated, not this one.
    if (!session.user()) setTimeout(() => void router.revalidate());
  });
  return router;
}
