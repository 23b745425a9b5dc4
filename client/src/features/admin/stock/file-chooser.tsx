import { useEffect, useId, useRef, useState } from 'react';
import { UploadRefused, UploadStopped, upload } from '~/features/admin/upload';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { formatShare } from '~/ui/format';
import styles from './import.module.css';
import { texts } from './texts';

/** A CSV file, chosen or dropped; it is sent at once and only looked at. */
export function FileChooser({ onSent }: { onSent: (importId: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [over, setOver] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function send(file: File | undefined) {
    if (!file || share !== null) return;
    const stop = (running.current = new AbortController());
    setShare(0);
    setRefusal(null);
    try {
      // Some systems call a CSV file a spreadsheet of theirs, or nothing.
      const csv = new Blob([file], { type: 'text/csv' });
      const id = await upload(
        `/uploads/products?${new URLSearchParams({ name: file.name })}`,
        csv,
        setShare,
        stop.signal,
      );
      if (!stop.signal.aborted) onSent(id);
    } catch (error) {
      if (error instanceof UploadStopped) return;
      if (!(error instanceof UploadRefused)) throw error;
      setRefusal(error.message || texts.uploadFailed);
    } finally {
      setShare(null);
    }
  }

  return (
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send(event.dataTransfer.files[0]);
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        CSV file
      </label>
      <input
        ref={input}
        id={id}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={({ target }) => {
          void send(target.files?.[0]);
          target.value = '';
        }}
      />
      <Button
        small
        kind="primary"
        working={share !== null && `Sending ... ${formatShare(share)}`}
        onClick={() => input.current?.click()}
      >
        Choose a CSV file
      </Button>
      <p className="small soft">Or drop it here. It is checked first; nothing changes until you start it.</p>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
    </div>
  );
}
