import { formatNumber } from '~/ui/format';

/** The upload was refused; the message says why, if there is one. */
export class UploadRefused extends Error {}

/** The user has cancelled the upload. */
export class UploadStopped extends Error {}

function wordsOfBody(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function inMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return minutes === 1 ? 'a minute' : `${formatNumber(minutes)} minutes`;
}

/** What a status means; what stands before the server, such as a proxy, refuses without words. */
function wordsOfStatus(status: number, retryAfter: string | null): string | undefined {
  if (status === 413) return 'This file is too large.';
  if (status === 415) return 'Files of this kind cannot be read.';
  if (status === 429) return `Too many attempts. Please try again in ${inMinutes(Number(retryAfter) || 0)}.`;
  return undefined;
}

interface Sent {
  status: number;
  body: string;
  retryAfter: string | null;
}

/** Sends a file and reports the share that was sent, from 0 to 1; only XMLHttpRequest has it. */
export function send(
  method: 'POST' | 'PUT',
  address: string,
  file: Blob,
  onProgress: (share: number) => void,
  stop: AbortSignal,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    if (stop.aborted) throw new UploadStopped();
    const request = new XMLHttpRequest();
    stop.addEventListener('abort', () => request.abort());
    request.addEventListener('abort', () => reject(new UploadStopped()));
    request.open(method, address);
    request.setRequestHeader('Content-Type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new UploadRefused()));
    request.addEventListener('load', () => {
      const { status, responseText: body } = request;
      resolve({ status, body, retryAfter: request.getResponseHeader('Retry-After') });
    });
    request.send(file);
  });
}

/** The id in an answer of the shop. Throws UploadRefused. */
export function idIn({ status, body, retryAfter }: Sent): string {
  if (status === 201) return (JSON.parse(body) as { id: string }).id;
  throw new UploadRefused(wordsOfBody(body) ?? wordsOfStatus(status, retryAfter));
}

/**
 * Sends a file as it is to `address` and answers the id that it is kept under. Rejects with UploadRefused, or
 * UploadStopped once `stop` is aborted.
 */
export async function upload(
  address: string,
  file: Blob,
  onProgress: (share: number) => void,
  stop: AbortSignal,
): Promise<string> {
  return idIn(await send('POST', address, file, onProgress, stop));
}
