import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { render, screen } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { ReportActions } from './report-actions';
import type { BuiltReportQueryVariables } from './report.generated';
import { texts } from './texts';

const client = new ApolloClient({ link: ApolloLink.empty(), cache: new InMemoryCache() });

function show() {
  render(
    <ApolloProvider client={client}>
      <ReportActions
        title="Revenue by day"
        query="{ shop { name } }"
        definition=""
        variables={{} as BuiltReportQueryVariables}
        opened={undefined}
        onSaved={() => undefined}
      />
    </ApolloProvider>,
  );
}

describe('the way to GraphiQL', () => {
  afterEach(() => document.head.querySelector('meta[name=graphiql]')?.remove());

  test('is shown where the shop serves it', () => {
    show();

    expect(screen.getByRole('link', { name: texts.openInGraphiql })).toBeInTheDocument();
  });

  test('is not shown where the page says that it is closed', () => {
    document.head.insertAdjacentHTML('beforeend', '<meta name="graphiql" content="closed">');

    show();

    expect(screen.queryByRole('link', { name: texts.openInGraphiql })).toBeNull();
    expect(screen.getByRole('button', { name: texts.share })).toBeInTheDocument();
  });
});
