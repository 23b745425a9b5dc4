import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParams } from '~/ui/use-search-params';
import { readReport, type ReportState, writeReport } from './state';

/** Names the saved report that was opened; no part of its definition. */
const SAVED = 'saved';

/** The report that the address says, and how to change it: each change is a step that Back takes back. */
export function useReport() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const state = useMemo(() => readReport(query), [query]);
  const saved = query.get(SAVED);

  function open(definition: string, id: string | null) {
    const named = id ? `&${SAVED}=${encodeURIComponent(id)}` : '';
    void navigate(`/admin?${definition}${named}`, { preventScrollReset: true });
  }

  return {
    state,
    /** As it would be saved now. */
    definition: writeReport(state),
    saved,
    open,
    change: (changes: Partial<ReportState>) => open(writeReport({ ...state, ...changes }), saved),
  };
}
