import { Route, Routes } from 'react-router';
import { Layout } from '~/app/layout';
import { ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { Link } from '~/ui/link';
import type { WithoutScriptProps } from '~/ui/without-script';

const HOW_TO_GO_ON =
  'Turn it on in your browser’s settings and load the page again. Looking around and searching work without it.';

function WriteToUs() {
  return (
    <>
      You can also{' '}
      <Link to="/contact" className="link">
        write to us
      </Link>
      .
    </>
  );
}

/** Takes the place of the browser's, which shows nothing. */
export function WithoutScript({ what }: WithoutScriptProps) {
  return (
    <noscript>
      <p>
        {what} needs JavaScript, which this browser has switched off. {HOW_TO_GO_ON} <WriteToUs />
      </p>
    </noscript>
  );
}

function NeedsScript() {
  return (
    <div className="page" style={{ paddingTop: 'var(--space-14)' }}>
      <Empty as="h1" title="This page needs JavaScript" action={<ButtonLink to="/">Continue shopping</ButtonLink>}>
        {HOW_TO_GO_ON} <WriteToUs />
      </Empty>
    </div>
  );
}

/** The whole page in the place of one that nothing can be done on without script. */
export function PageWithoutScript() {
  return (
    <Routes>
      <Route element={<Layout main="section" />}>
        <Route path="*" element={<NeedsScript />} />
      </Route>
    </Routes>
  );
}
