import { ErrorNote } from '~/ui/error-note';
import { Waiting } from '~/ui/ring';
import { serverWords } from './settled';

interface QueryStatusProps {
  error: unknown;
  /** What is awaited, in words. */
  waiting: string;
  /** Said of a fetch that failed without words of the server. */
  failed: string;
}

/** Stands where a query has no data yet: the wait for it, or why it failed. */
export function QueryStatus({ error, waiting, failed }: QueryStatusProps) {
  return error ? <ErrorNote>{serverWords(error) ?? failed}</ErrorNote> : <Waiting>{waiting}</Waiting>;
}
