import type { AccountName } from './examples';
import { fetchGraphQL } from './fetch-graphql';

export interface Viewer {
  name: string;
  email: string;
  role: 'USER' | 'ADMIN';
}

export interface DemoAccount {
  name: Exclude<AccountName, 'none'>;
  email: string;
  password: string;
}

const VIEWER = 'query Viewer { viewer { name email role } }';
const SIGN_OUT = 'mutation SignOut { signOut { __typename } }';
const SIGN_IN = `
  mutation SignIn($email: String!, $password: String!) {
    signIn(email: $email, password: $password) {
      __typename
      ... on UserError {
        message
      }
    }
  }
`;

/** The accounts that the server wrote into the page of a demo shop; none elsewhere. */
export function demoAccounts(page: Document = document): DemoAccount[] {
  const content = page.querySelector<HTMLMetaElement>('meta[name="demo-accounts"]')?.content;
  return content ? (JSON.parse(content) as DemoAccount[]) : [];
}

/** Whether an example can be executed as the viewer. */
export function suffices(viewer: Viewer | null, account: AccountName): boolean {
  if (account === 'none') return true;
  return viewer !== null && (account === 'shopper' || viewer.role === 'ADMIN');
}

/** Who is signed in; null for a visitor. */
export async function fetchViewer(): Promise<Viewer | null> {
  const { data } = await fetchGraphQL({ query: VIEWER });
  return (data as { viewer: Viewer | null } | undefined)?.viewer ?? null;
}

/** Signs in as an account, or out with null. Returns why not; '' when it is done. */
export async function changeAccount(account: DemoAccount | null): Promise<string> {
  const request = account
    ? { query: SIGN_IN, variables: { email: account.email, password: account.password } }
    : { query: SIGN_OUT };
  const { data, errors } = await fetchGraphQL(request);
  if (errors?.[0]) return errors[0].message;
  return (data as { signIn?: { message?: string } }).signIn?.message ?? '';
}
