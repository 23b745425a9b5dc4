import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { UploadRefused, UploadStopped } from '~/features/admin/upload';
import { uploadPicture } from '~/features/admin/upload-picture';

interface Waiting {
  key: string;
  file: File;
  stop: AbortController;
}

interface Uploads {
  /** Chosen before, and not sent yet when the form opens. */
  waiting: readonly { key: string; file: File }[];
  onUploaded: (key: string, imageId: string) => void;
  onRefused: (key: string, file: File, why: string | undefined) => void;
}

/** Sends pictures one after the other, each as soon as it is chosen. */
export function useUploads({ waiting, onUploaded, onRefused }: Uploads) {
  const queue = useRef<Waiting[]>([]);
  const running = useRef<Promise<void> | null>(null);
  const [shares, setShares] = useState<Readonly<Record<string, number>>>({});
  const sendWaiting = useEffectEvent(() => add(waiting));

  useEffect(() => {
    sendWaiting();
    return () => {
      for (const { stop } of queue.current) stop.abort();
      queue.current = [];
    };
  }, []);

  function forget(upload: Waiting) {
    queue.current = queue.current.filter((each) => each !== upload);
    setShares(({ [upload.key]: _gone, ...rest }) => rest);
  }

  async function send(upload: Waiting) {
    const { key, file, stop } = upload;
    try {
      const onProgress = (share: number) => setShares((all) => ({ ...all, [key]: share }));
      const imageId = await uploadPicture(file, onProgress, stop.signal);
      onUploaded(key, imageId);
    } catch (error) {
      if (error instanceof UploadRefused) onRefused(key, file, error.message || undefined);
      else if (!(error instanceof UploadStopped)) throw error;
    } finally {
      forget(upload);
    }
  }

  async function work() {
    for (let next = queue.current[0]; next; [next] = queue.current) await send(next);
  }

  function add(files: readonly { key: string; file: File }[]) {
    queue.current = [...queue.current, ...files.map((each) => ({ ...each, stop: new AbortController() }))];
    setShares((all) => ({ ...all, ...Object.fromEntries(files.map(({ key }) => [key, 0])) }));
    running.current ??= work().finally(() => {
      running.current = null;
    });
  }

  function stop(key: string) {
    const upload = queue.current.find((each) => each.key === key);
    if (upload && upload !== queue.current[0]) forget(upload);
    upload?.stop.abort();
  }

  return {
    shares,
    add,
    stop,
    stopAll: () => queue.current.forEach(({ key }) => stop(key)),
    /** Resolves when each picture was taken, refused or stopped. */
    finished: () => running.current ?? Promise.resolve(),
  };
}
