import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * The token of a mailed link. It moves from the address to the state of the history's entry, which outlives a reload
 * and is in no Referer, bookmark or screenshot.
 */
export function useMailedToken(): string {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const linkToken = new URLSearchParams(search).get('token');

  useEffect(() => {
    if (linkToken !== null) void navigate(pathname, { replace: true, state: { token: linkToken } });
  }, [linkToken, navigate, pathname]);

  return linkToken ?? (state as { token?: string } | null)?.token ?? '';
}
