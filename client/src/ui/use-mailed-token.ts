import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * The token of a mailed link. It moves from the address to the state of the history's entry, which outlives a reload
 * and is in no Referer, bookmark or screenshot.
 */
export function useMailedToken(): string {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const given = new URLSearchParams(search).get('token');

  useEffect(() => {
    if (given !== null) void navigate(pathname, { replace: true, state: { token: given } });
  }, [given, navigate, pathname]);

  return given ?? (state as { token?: string } | null)?.token ?? '';
}
