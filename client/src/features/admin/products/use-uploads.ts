import { useEffect, useRef, useState } from 'react';
import { UploadRefused, UploadStopped } from '~/features/admin/upload';
import { uploadPicture } from './upload-picture';

interface Waiting {
  key: string;
  file: File;
  stop: AbortController;
}

interface Heard {
  onUploaded: (key: string, imageId: string) => void;
  onRefused: (key: string, file: File, why: string | undefined) => void;
}

/** Sends pictures one after the other, each as soon as it is chosen. */
export function useUploads({ onUploaded, onRefused }: Heard) {
  const queue = useRef<Waiting[]>([]);
  const busy = useRef(false);
  const [shares, setShares] = useState<Readonly<Record<string, number>>>({});

  useEffect(() => {
    const waiting = queue;
    return () => {
      for (const { stop } of waiting.current) stop.abort();
    };
  }, []);

  function forget(key: string) {
    queue.current = queue.current.filter((each) => each.key !== key);
    setShares(({ [key]: _gone, ...rest }) => rest);
  }

  async function send({ key, file, stop }: Waiting) {
    try {
      const onProgress = (share: number) => setShares((all) => ({ ...all, [key]: share }));
      const imageId = await uploadPicture(file, onProgress, stop.signal);
      onUploaded(key, imageId);
    } catch (error) {
      if (error instanceof UploadRefused) onRefused(key, file, error.message || undefined);
      else if (!(error instanceof UploadStopped)) throw error;
    } finally {
      forget(key);
    }
  }

  async function work() {
    if (busy.current) return;
    busy.current = true;
    for (let next = queue.current[0]; next; [next] = queue.current) await send(next);
    busy.current = false;
  }

  function add(files: readonly { key: string; file: File }[]) {
    queue.current = [...queue.current, ...files.map((each) => ({ ...each, stop: new AbortController() }))];
    setShares((all) => ({ ...all, ...Object.fromEntries(files.map(({ key }) => [key, 0])) }));
    void work();
  }

  function stop(key: string) {
    const waiting = queue.current.find((each) => each.key === key);
    if (waiting && waiting !== queue.current[0]) forget(key);
    waiting?.stop.abort();
  }

  return { shares, add, stop, stopAll: () => queue.current.forEach(({ key }) => stop(key)) };
}
