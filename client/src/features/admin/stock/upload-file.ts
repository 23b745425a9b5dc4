/** The file was refused; the message is the server's, where it sent one. */
export class FileRefused extends Error {}

function wordsOf(body: string): string | undefined {
  try {
    const { message } = JSON.parse(body) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sends a CSV file as it is and answers the id of its import. `onProgress` hears the share that has left, from 0 to 1,
 * which only XMLHttpRequest tells. Rejects with FileRefused.
 */
export function uploadFile(file: File, onProgress: (share: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/uploads/products?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader('Content-Type', 'text/csv');
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener('error', () => reject(new FileRefused()));
    request.addEventListener('load', () => {
      if (request.status === 201) resolve((JSON.parse(request.responseText) as { id: string }).id);
      else reject(new FileRefused(wordsOf(request.responseText)));
    });
    request.send(file);
  });
}
