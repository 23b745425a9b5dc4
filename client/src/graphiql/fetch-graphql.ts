export interface Answer {
  data?: unknown;
  errors?: { message: string }[];
}

interface Request {
  query: string;
  variables?: unknown;
  operationName?: string | null;
}

/** Sends a document to the shop with this browser's session. */
export async function fetchGraphQL(request: Request, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch('/graphql', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    credentials: 'same-origin',
    body: JSON.stringify(request),
  });
  return answer.json() as Promise<Answer>;
}
