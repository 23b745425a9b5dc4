import { createGraphiQLFetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';

const root = document.getElementById('graphiql');
if (!root) throw new Error('graphiql.html has no #graphiql.');

createRoot(root).render(<GraphiQL fetcher={createGraphiQLFetcher({ url: '/graphql' })} />);
