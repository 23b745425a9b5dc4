const ADDRESS = '/uploads/images';

function wordsOf(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** The upload was refused; the message is the server's, where it sent one. */
export class UploadRefused extends Error {}

/** The user has cancelled the upload. */
export class UploadStopped extends Error {}

/**
 * Sends one picture as it is and answers its id. `onProgress` hears the share that has left, from 0 to 1,
 * which only XMLHttpRequest tells. Rejects with UploadRefused, or UploadStopped once `stop` is aborted.
 */
export function uploadImage(file: File, onProgress: (share: number) => void, stop?: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    stop?.addEventListener('abort', () => request.abort());
    request.addEventListener('abort', () => reject(new UploadStopped()));
    request.open('POST', ADDRESS);
    request.setRequestHeader('Content-Type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new UploadRefused()));
    request.addEventListener('load', () => {
      if (request.status === 201) resolve((JSON.parse(request.responseText) as { id: string }).id);
      else reject(new UploadRefused(wordsOf(request.responseText)));
    });
    request.send(file);
  });
}
