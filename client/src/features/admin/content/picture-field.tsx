import { useId, useState } from 'react';
import { extensionsOf } from '~/features/admin/picture-types';
import { UploadRefused } from '~/features/admin/upload';
import { uploadPicture } from '~/features/admin/upload-picture';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import styles from './content.module.css';
import type { PictureValue } from './page-draft';
import { texts } from './texts';
import type { Change } from './use-page-draft';

interface PictureFieldProps {
  label: string;
  value: PictureValue | null;
  /** Accepted kinds, as MIME types. */
  types: readonly string[];
  error: string | undefined;
  wordsError: string | undefined;
  onChange: (change: Change) => void;
}

const asPicture = (value: ReturnType<Change>) => value as PictureValue | null;

/** Sends a chosen file. What has been typed meanwhile stays. */
function useUpload(onChange: PictureFieldProps['onChange']) {
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<string>();

  async function send(file: File) {
    setRefusal(undefined);
    setShare(0);
    try {
      const imageId = await uploadPicture(file, setShare, new AbortController().signal);
      onChange((now) => ({ imageId, alt: asPicture(now)?.alt ?? '', src: URL.createObjectURL(file) }));
    } catch (error) {
      if (!(error instanceof UploadRefused)) throw error;
      setRefusal(error.message || texts.uploadFailed);
    } finally {
      setShare(null);
    }
  }

  return { share, refusal, send };
}

/** An uploaded picture with its words. */
export function PictureField({ label, value, types, error, wordsError, onChange }: PictureFieldProps) {
  const id = useId();
  const { share, refusal, send } = useUpload(onChange);
  const problem = refusal ?? error;
  return (
    <fieldset className={styles.picture}>
      <legend className={styles.legend}>{label}</legend>
      {value && <img src={value.src} alt={value.alt} />}
      <label htmlFor={id} className={styles.file}>
        <span className="link">{value ? texts.replacePicture : texts.addPicture}</span>
        <span className="small soft">{extensionsOf(types).join(', ')}</span>
      </label>
      <input
        id={id}
        type="file"
        className="visually-hidden"
        accept={types.join(',')}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-error` : undefined}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void send(file);
          // Choosing the same file once more is a change again.
          target.value = '';
        }}
      />
      {share !== null && <progress value={share} aria-label={`Uploading, ${label}`} />}
      {problem && <ErrorNote id={`${id}-error`}>{problem}</ErrorNote>}
      {value && (
        <>
          <Field
            label={texts.pictureWords}
            note={texts.pictureWordsNote}
            maxLength={200}
            value={value.alt}
            error={wordsError}
            onChange={({ target }) => onChange((now) => ({ ...(asPicture(now) ?? value), alt: target.value }))}
          />
          <Button small onClick={() => onChange(() => null)}>
            {texts.removePicture}
          </Button>
        </>
      )}
    </fieldset>
  );
}
